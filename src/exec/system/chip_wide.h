#pragma once

#include "code/instruction.h"

namespace heddle::exec {

/// Whether an instruction touches what all multiprocessors share in a way that neither EpochStores
/// nor DeferredAtomic keeps apart. In a timed run it is executed while no multiprocessor runs, with
/// all stores committed and MemoryView::stores null.
bool is_chip_wide(const code::Instruction& instruction);

}  // namespace heddle::exec
