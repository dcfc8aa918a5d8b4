#include "workload/size.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "base/nearest.h"

namespace heddle::workload {

std::string_view name_of(Size size) {
  switch (size) {
    case Size::tiny:
      return "tiny";
    case Size::small:
      return "small";
    case Size::medium:
      return "medium";
    case Size::large:
      return "large";
    case Size::paper:
      return "paper";
  }
  return "";
}

Size parse_size(std::string_view text) {
  std::vector<std::string> names;
  for (const Size size : kSizes) {
    if (name_of(size) == text) return size;
    names.emplace_back(name_of(size));
  }
  throw InputError(fmt::format("unknown size '{}'{}", text, suggestion(std::string(text), names)));
}

}  // namespace heddle::workload
