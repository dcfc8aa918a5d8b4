#pragma once

#include "code/instruction.h"

namespace heddle::exec {

/// Whether an instruction accesses state that all multiprocessors share, without the isolation of
/// EpochStores or DeferredAtomic. With a timing model, such an instruction must be executed while
/// no multiprocessor runs, all stores are committed, and MemoryView::stores is null.
bool is_chip_wide(const code::Instruction& instruction);

}  // namespace heddle::exec
