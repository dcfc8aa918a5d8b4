#pragma once

// Why a function cannot be executed: found when the code is made, reported when it is launched.

#include <cstdint>
#include <string>
#include <vector>

#include "code/instruction.h"

namespace heddle::code {

struct Program;

struct UnsupportedPlace {
  std::uint32_t module = 0;  ///< Index into Program::modules.
  std::uint32_t ptx_line = 0;
  std::uint32_t source = kNone;  ///< Index into Program::source_lines.
};

/// All that is refused in one sentence: a loop that was unrolled has the same a thousand times.
struct Unsupported {
  std::string message{};                   ///< Names the instruction.
  std::vector<UnsupportedPlace> places{};  ///< The first few.
  std::uint64_t count = 0;                 ///< Of all places.
};

/// Adds it to what is refused in the same sentence, if something is.
void add_unsupported(std::vector<Unsupported>& all, const Unsupported& more);
void add_unsupported(std::vector<Unsupported>& all, std::string message, UnsupportedPlace place);

/// A line for each: where the first is, what, and where a few of the others are; no more than
/// `most`.
std::vector<std::string> describe_unsupported(const Program& program,
                                              const std::vector<Unsupported>& all,
                                              std::size_t most);

}  // namespace heddle::code
