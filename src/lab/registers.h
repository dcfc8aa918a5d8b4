#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heddle::lab {

/// Whose registers a thread decide how many blocks are resident.
struct Registers {
  enum class Source : std::uint8_t { compiled, paper, given };
  Source source = Source::compiled;
  std::uint32_t count = 0;  ///< Source::given
};

/// Reads compiled, paper or a number from 1 to 255. Throws InputError.
Registers parse_registers(std::string_view text);
std::string name_of(const Registers& registers);

}  // namespace heddle::lab
