#pragma once

// Properties of memory instructions for the load-store unit.

#include "code/instruction.h"
#include "sm/instructions/issue_table.h"

namespace heddle::sm {

/// The memory that the instruction accesses; MemoryRoute::none if it accesses none, or a texture.
MemoryRoute route_of(const code::Instruction& instruction);

/// The number of bytes that each lane accesses: a power of two up to 16; 0 if the instruction
/// accesses no memory. Longer vectors, which are rare, count as 16.
std::uint8_t bytes_per_lane_of(const code::Instruction& instruction);

/// Whether a load bypasses the L1. This holds for loads whose PTX cache operator says so, and for
/// loads that are ordered in a scope larger than the block. Loads that are ordered within a block
/// may use the L1, because all stores of the block go through it.
bool bypasses_l1(const code::Instruction& instruction);

}  // namespace heddle::sm
