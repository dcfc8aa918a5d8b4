#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heddle::lab {

/// The source of a kernel's number of registers per thread, which decides how many blocks are
/// resident.
struct RegisterChoice {
  enum class Source : std::uint8_t {
    compiled,  ///< The compiled kernel's number.
    paper,     ///< The number that a paper states for the kernel.
    given      ///< The number `count`.
  };
  Source source = Source::compiled;
  std::uint32_t count = 0;  ///< Used only with Source::given.
};

/// Reads "compiled", "paper" or a number from 1 to 255. Throws InputError for any other text.
RegisterChoice parse_register_choice(std::string_view text);
/// The text that parse_register_choice() accepts.
std::string name_of(const RegisterChoice& choice);

}  // namespace heddle::lab
