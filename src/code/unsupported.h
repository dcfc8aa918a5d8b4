#pragma once

// Reasons why a function cannot be executed. The compiler records them; a launch reports them.

#include <cstdint>
#include <string>
#include <vector>

#include "code/instruction.h"

namespace heddle::code {

struct Program;

/// The place of an instruction in its module's PTX and, if known, in the CUDA source.
struct UnsupportedPlace {
  std::uint32_t module = 0;  ///< Index into Program::modules.
  std::uint32_t ptx_line = 0;
  std::uint32_t source_line = kNone;  ///< Index into Program::source_lines.
};

/// One reason, and the places of the instructions that it applies to.
struct Unsupported {
  std::string message{};                   ///< Names the instruction.
  std::vector<UnsupportedPlace> places{};  ///< The first few places; an unrolled loop has many.
  std::uint64_t count = 0;                 ///< The number of all places.
};

/// Adds `more` to the entry of `all` with the same message, or appends a new entry. A long list
/// gets no new entries: its last one then stands for all further reasons.
void add_unsupported(std::vector<Unsupported>& all, const Unsupported& more);
void add_unsupported(std::vector<Unsupported>& all, std::string message, UnsupportedPlace place);

/// Returns one line for each of the first `max_reasons` reasons: its first place, the message and a
/// few of the other places. A last line says how many reasons are not described, if any.
std::vector<std::string> describe_unsupported(const Program& program,
                                              const std::vector<Unsupported>& all,
                                              std::size_t max_reasons);

}  // namespace heddle::code
