#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "code/program.h"
#include "exec/fault/fault.h"
#include "exec/fault/warp_status.h"

namespace heddle::exec {

class Block;
struct Warp;

/// The position of an instruction: its line in the source, with the places where it was inlined,
/// then its line in the PTX and its operation, as in "kernel.cu:12 (kernel.ptx:57, st)". The source
/// is left out if it is unknown.
std::string place_of(const code::Program& program, std::uint32_t pc);

/// As place_of(), with the name of the device function if the instruction is in one.
std::string place_in_function(const code::Program& program, std::uint32_t pc);
/// The position of a block in its grid, which serves as its name, as in "(2,0,0)".
std::string name_of_block(const Block& block);

// These functions return a fault, which the caller throws.
/// The fault of one thread. Its message names kernel, source line, block and thread.
SimulatedFault lane_fault(const Block& block, const Warp& warp, std::uint32_t pc,
                          const LaneFault& fault);
/// The fault of a block in which no warp can continue. `statuses` describes all its threads.
SimulatedFault deadlock_fault(const Block& block, const std::vector<WarpStatus>& statuses);
/// The fault of a launch that has reached its instruction limit when `finished_blocks` blocks had
/// finished.
SimulatedFault limit_fault(const Launch& launch, std::uint64_t finished_blocks,
                           const std::vector<WarpStatus>& statuses);

}  // namespace heddle::exec
