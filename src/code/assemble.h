#pragma once

#include <vector>

#include "code/function.h"
#include "code/program.h"

namespace heddle::code {

/// Appends an allocated function's instructions to the program, as function `index`. Block indices
/// in branches, branch tables and reconvergence points become program counters.
void assemble(const Function& function, std::uint32_t index, Program& program);

}  // namespace heddle::code
