#pragma once

#include "code/instruction.h"

namespace heddle::exec {

/// Whether an instruction accesses state of all multiprocessors directly, that is, not through
/// EpochStores or DeferredAtomic. With a timing model, such an instruction must be executed while
/// no multiprocessor is being simulated. All stores must have been committed before, and
/// MemoryView::stores must be null.
bool is_chip_wide(const code::Instruction& instruction);

}  // namespace heddle::exec
