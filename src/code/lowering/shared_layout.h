#pragma once

#include <cstdint>
#include <vector>

#include "code/unit.h"

namespace heddle::code::lowering {

/// Gives every shared variable that some kernel can reach its place in the block's shared memory,
/// and every kernel its FunctionInfo::shared_bytes.
///
/// A device function has one machine code for all kernels, so what it names has one place in all of
/// them. What only kernels name is placed for each kernel alone: such a variable becomes one
/// variable of the program for every kernel that uses it.
///
/// `dynamic_alignment[f]`: of the dynamic shared memory that function f names; 0 if it names none.
void lay_out_shared_memory(Unit& unit, const std::vector<std::uint32_t>& dynamic_alignment);

}  // namespace heddle::code::lowering
