#pragma once

#include <cstdint>
#include <vector>

#include "code/compilation_unit.h"

namespace heddle::code::lowering {

/// Assigns addresses in the block's shared memory to the shared variables that kernels, and
/// functions that they can call, name. Sets FunctionInfo::shared_bytes of every kernel.
///
/// A device function has the same machine code for all kernels, so a variable that it names has the
/// same address in all kernels. Variables that only kernels name are placed for each kernel
/// separately: each kernel that uses such a variable gets a copy of its own.
///
/// `dynamic_alignment[f]` is the alignment of the dynamic shared memory that function f names; 0 if
/// it names none. `reserved` is Linked::reserved_shared_memory.
void lay_out_shared_memory(CompilationUnit& unit,
                           const std::vector<std::uint32_t>& dynamic_alignment,
                           std::uint32_t reserved);

}  // namespace heddle::code::lowering
