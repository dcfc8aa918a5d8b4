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
  all_.enter(company_.threads);
  rows_.clear();
  for (const exec::FormedThreads::Part& part : company_.threads.parts) {
    rows_.push_back({.block = &all_.block(part.row),
                     .warp = &all_.warp(part.row),
                     .home = part.row,
                     .path = part.lanes});
  }
}

void FormedWarp::find_passes(const IssueInfo& instruction, std::vector<Pass>& passes) const {
  passes.clear();
  if (instruction.kind == InstructionKind::atomic) {
    // Each row has its own; they are sent one after the other.
    for (const WideRow& row : rows_) passes.push_back({.lanes = row.path, .row = &row});
    return;
  }
  passes.push_back(
      {.lanes = company_.threads.lanes, .row = rows_.size() == 1 ? rows_.data() : nullptr});
}

}  // namespace heddle::sm
