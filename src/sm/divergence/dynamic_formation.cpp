// Dynamic warp formation (Fung et al.), as Narasiman et al., Improving GPU Performance via Large
// Warps and Two-Level Warp Scheduling, section 4, describe it: no stack; the threads of a warp that
// leaves the pipeline join the youngest warp of the pool that is at their instruction
// (sm/divergence/warp_pool.h).

#include "sm/divergence/divergence.h"
#include "sm/divergence/formed_warp.h"

namespace heddle::sm {
namespace {

const DivergenceRegistry::Entry entry{
    "dynamic-formation",
    "whichever are at the same instruction, in lanes of their own, without a stack",
    [] { return Travel::formed_warps; }};

}  // namespace

void FormedWarp::enter() {
  all_.enter(threads_);
  rows_.clear();
  for (const std::uint8_t number : all_.parts()) {
    exec::Warp& warp = all_.warp(number);
    rows_.push_back({.block = &all_.block(number),
                     .warp = &warp,
                     .home = number,
                     .path = LaneMask(warp.context.path_active)});
  }
}

void FormedWarp::find_passes(const IssueInfo& instruction, std::vector<Pass>& passes) const {
  passes.clear();
  if (instruction.kind == InstructionKind::atomic) {
    // Each row has its own; they are sent one after the other.
    for (const WideRow& row : rows_) passes.push_back({.lanes = row.path, .row = &row});
    return;
  }
  passes.push_back({.lanes = threads_.lanes, .row = rows_.size() == 1 ? rows_.data() : nullptr});
}

}  // namespace heddle::sm
