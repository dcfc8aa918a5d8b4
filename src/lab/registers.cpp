#include "lab/registers.h"

#include <fmt/format.h>

#include <charconv>
#include <system_error>

#include "base/error.h"
#include "base/nearest.h"

namespace heddle::lab {

Registers parse_registers(std::string_view text) {
  using Source = Registers::Source;
  if (text == "compiled") return {.source = Source::compiled};
  if (text == "paper") return {.source = Source::paper};
  std::uint32_t count = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, count);
  if (error != std::errc{} || stopped != end || count < 1 || count > 255) {
    throw InputError(
        fmt::format("registers '{}': 'compiled', 'paper', or how many, from 1 to 255{}", text,
                    suggestion(text, {"compiled", "paper"})));
  }
  return {.source = Source::given, .count = count};
}

std::string name_of(const Registers& registers) {
  switch (registers.source) {
    case Registers::Source::compiled:
      return "compiled";
    case Registers::Source::paper:
      return "paper";
    case Registers::Source::given:
      return std::to_string(registers.count);
  }
  return "";
}

}  // namespace heddle::lab
