#pragma once

// Whether the placement of a program is right, found out in two ways that know nothing of how it
// was made.

#include <cstdint>
#include <string>
#include <vector>

#include "code/program.h"

namespace heddle::code::testing {

/// Looks at what each level holds on every way through a function: reads find what the register
/// holds, a warp waits for what is pending, and an instruction may do what it does. A line for each
/// mistake.
std::vector<std::string> mistakes_in(const Program& program, const FunctionInfo& function,
                                     const Hierarchy& hierarchy);

/// Sends a warp through a kernel as hardware would, with a stack of sides and branches that go as
/// it happens, and looks at what its threads read. A line for the first mistake.
std::vector<std::string> mistakes_of_a_warp(const Program& program, const FunctionInfo& function,
                                            const Hierarchy& hierarchy, std::uint32_t seed,
                                            std::uint32_t most_steps);

/// Words that a program's instructions read from each level.
struct ReadCounts {
  std::uint64_t main = 0, operand = 0, last_result = 0;
};
ReadCounts reads_of(const Program& program);

}  // namespace heddle::code::testing
