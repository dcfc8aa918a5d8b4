#pragma once

// What a memory instruction asks of the load-store unit.

#include "code/instruction.h"
#include "sm/issue_table.h"

namespace heddle::sm {

MemoryRoute route_of(const code::Instruction& instruction);

/// A power of two, or 0. A lane moves 16 bytes at most in one go; the rare longer vectors, of eight
/// words, count as that.
std::uint8_t bytes_per_lane_of(const code::Instruction& instruction);

/// Ordered loads, and those that PTX sends past the L1. What a block's own threads
/// stored went through its multiprocessor's L1.
bool bypasses_l1(const code::Instruction& instruction);

}  // namespace heddle::sm
