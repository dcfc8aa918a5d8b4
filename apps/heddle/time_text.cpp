#include "time_text.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace heddle {

std::string time_text(std::int64_t seconds) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

}  // namespace heddle
