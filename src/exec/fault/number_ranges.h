#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::exec {

/// Formats numbers, which must ascend, as in "warp 3" or "warps 0 to 3, 5". `noun` is the singular
/// of what they count, such as "warp".
template <class Number>
std::string format_ranges(std::string_view noun, const std::vector<Number>& numbers) {
  std::string text = fmt::format("{}{}", noun, numbers.size() == 1 ? "" : "s");
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += fmt::format("{} {}", i == 0 ? "" : ",", numbers[i]);
    if (last > i) text += fmt::format(" to {}", numbers[last]);
    i = last + 1;
  }
  return text;
}

}  // namespace heddle::exec
