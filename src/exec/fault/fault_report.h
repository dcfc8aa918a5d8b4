#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "code/program.h"
#include "exec/fault/fault.h"
#include "exec/fault/standing.h"

namespace heddle::exec {

class Block;
struct Warp;

/// "kernel.cu:12 (kernel.ptx:57, st)": where an instruction comes from, with what it was inlined
/// into.
std::string place_of(const code::Program& program, std::uint32_t pc);

/// The same, and in which device function that is.
std::string place_in_function(const code::Program& program, std::uint32_t pc);
/// "(2,0,0)"
std::string name_of_block(const Block& block);

/// What a thread did wrong, with kernel, source line, block and thread.
SimulatedFault lane_fault(const Block& block, const Warp& warp, std::uint32_t pc,
                          const LaneFault& fault);
/// A block none of whose warps can go on, and where all threads are that wait.
SimulatedFault deadlock_fault(const Block& block, const std::vector<Standing>& standings);
/// A launch that ran for longer than it was allowed to: with `done` of its blocks.
SimulatedFault limit_fault(const Launch& launch, std::uint64_t done,
                           const std::vector<Standing>& standings);

}  // namespace heddle::exec
