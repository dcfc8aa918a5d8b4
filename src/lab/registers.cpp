#include "lab/registers.h"

#include <fmt/format.h>

#include <charconv>
#include <system_error>

#include "base/error.h"
#include "base/nearest.h"

namespace heddle::lab {

RegisterChoice parse_register_choice(std::string_view text) {
  using Source = RegisterChoice::Source;
  if (text == "compiled") return {.source = Source::compiled};
  if (text == "paper") return {.source = Source::paper};
  std::uint32_t count = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, count);
  if (error != std::errc{} || stopped != end || count < 1 || count > 255) {
    throw InputError(
        fmt::format("registers '{}': must be 'compiled', 'paper', or a number from 1 to 255{}",
                    text, suggestion(text, {"compiled", "paper"})));
  }
  return {.source = Source::given, .count = count};
}

std::string name_of(const RegisterChoice& choice) {
  switch (choice.source) {
    case RegisterChoice::Source::compiled:
      return "compiled";
    case RegisterChoice::Source::paper:
      return "paper";
    case RegisterChoice::Source::given:
      return std::to_string(choice.count);
  }
  return "";
}

}  // namespace heddle::lab
