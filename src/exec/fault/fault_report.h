#pragma once

#include <cstdint>
#include <string>

#include "code/program.h"
#include "exec/fault/fault.h"

namespace heddle::exec {

class Block;
struct Warp;

/// "kernel.cu:12 (kernel.ptx:57, st)": where an instruction comes from, with what it was inlined
/// into.
std::string place_of(const code::Program& program, std::uint32_t pc);

/// What a thread did wrong, with kernel, source line, block and thread.
SimulatedFault lane_fault(const Block& block, const Warp& warp, std::uint32_t pc,
                          const LaneFault& fault);
/// A block none of whose warps can go on: which warp waits for what, where. `unstarted`: a bit for
/// each of its warps that there has been no room for yet.
SimulatedFault deadlock_fault(const Block& block, std::uint32_t unstarted = 0);
/// A launch that ran for longer than it was allowed to.
SimulatedFault limit_fault(const Block& block, std::uint64_t limit);

}  // namespace heddle::exec
