#include "option_values.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <system_error>

#include "base/error.h"

namespace heddle {

CLI::Validator file_name() {
  return CLI::Validator(
      [](const std::string& text) {
        return text.empty() ? std::string("the name of a file is empty") : std::string();
      },
      "");
}

std::uint64_t parse_whole_number(const std::string& option, const std::string& text,
                                 std::uint64_t least, std::uint64_t most) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number, 10);
  if (error != std::errc{} || stopped != end || number < least || number > most) {
    throw InputError(
        fmt::format("{} {}: expected a whole number from {} to {}", option, text, least, most));
  }
  return number;
}

}  // namespace heddle
