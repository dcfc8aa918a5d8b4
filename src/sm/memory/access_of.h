#pragma once

// The properties of a memory instruction that the load-store unit needs.

#include "code/instruction.h"
#include "sm/pipeline/issue_table.h"

namespace heddle::sm {

MemoryRoute route_of(const code::Instruction& instruction);

/// The bytes that each lane accesses: a power of two, or 0 if the instruction accesses no memory.
/// The rare vectors longer than 16 bytes (eight words) count as 16.
std::uint8_t bytes_per_lane_of(const code::Instruction& instruction);

/// Whether a load bypasses the L1. Loads whose PTX cache operator says so do, and so do loads that
/// are ordered in a scope larger than the block. Loads that are ordered within a block need not,
/// because the block's stores went through the same L1.
bool bypasses_l1(const code::Instruction& instruction);

}  // namespace heddle::sm
