#pragma once

#include <cstdint>
#include <vector>

#include "code/function.h"

namespace heddle::code {

/// Saves live registers to the stack before each call and restores them afterwards, since a callee
/// may overwrite every register. The code must be allocated, and name the registers below
/// `registers`. Returns the number of registers that it names afterwards. The added code does not
/// use the `reserved` registers.
std::uint32_t save_across_calls(Function& function, std::uint32_t registers,
                                const std::vector<std::uint32_t>& reserved);

}  // namespace heddle::code
