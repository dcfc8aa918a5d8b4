#pragma once

// Two checks of a placement: from which register-file levels instructions read operands, and to
// which they write results. They do not use the code that makes placements.

#include <cstdint>
#include <string>
#include <vector>

#include "code/program.h"

namespace heddle::code::testing {

/// The static check follows the contents of each level along all paths of a function. Reads must
/// find the register's value, a warp must wait for pending results, and hardware must be able to do
/// every access. Returns a line for each mistake; empty if there is none.
std::vector<std::string> mistakes_in(const Program& program, const FunctionInfo& function,
                                     const Hierarchy& hierarchy);

/// The dynamic check simulates a warp with a reconvergence stack and random branch outcomes for at
/// most `max_steps` instructions, and checks the values that its threads read. Returns the mistakes
/// of the first instruction that has any; empty if none has.
std::vector<std::string> mistakes_of_simulated_warp(const Program& program,
                                                    const FunctionInfo& function,
                                                    const Hierarchy& hierarchy, std::uint32_t seed,
                                                    std::uint32_t max_steps);

/// How many words a program's instructions read from each level.
struct ReadCounts {
  std::uint64_t main = 0, operand = 0, last_result = 0;
};
ReadCounts reads_of(const Program& program);

}  // namespace heddle::code::testing
