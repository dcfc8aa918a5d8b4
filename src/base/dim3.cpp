#include "base/dim3.h"

#include <fmt/format.h>

namespace heddle {

std::string to_text(const Dim3& extent) {
  if (extent.z != 1) return fmt::format("{}x{}x{}", extent.x, extent.y, extent.z);
  if (extent.y != 1) return fmt::format("{}x{}", extent.x, extent.y);
  return std::to_string(extent.x);
}

}  // namespace heddle
