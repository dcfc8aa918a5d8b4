#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string_view>
#include <utility>

#include "base/printable.h"

namespace heddle {

/// Prints to standard output. Control characters, which names and titles may contain, are escaped.
template <class... Values>
void print(fmt::format_string<Values...> format, Values&&... values) {
  const std::string text = printable_text(fmt::format(format, std::forward<Values>(values)...));
  std::fwrite(text.data(), 1, text.size(), stdout);
}

}  // namespace heddle
