#pragma once

#include <cstdint>
#include <vector>

#include "code/function.h"

namespace heddle::code {

/// Saves live registers to the stack before each call and restores them after it, since a callee
/// may overwrite every register. The code must be allocated, and name only registers below
/// `registers`. The added code does not use the `reserved` registers. It may need one more
/// register: returns the number of registers afterwards.
std::uint32_t save_across_calls(Function& function, std::uint32_t registers,
                                const std::vector<std::uint32_t>& reserved);

}  // namespace heddle::code
