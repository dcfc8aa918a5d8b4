// Narasiman et al., Improving GPU Performance via Large Warps and Two-Level Warp Scheduling,
// section 3.1.

#include "sm/divergence/large_warp.h"

#include "sm/divergence/sub_warps.h"

namespace heddle::sm {
namespace {

const DivergenceRegistry::Entry entry{
    "large-warp", "several warps with one stack, which execute in packed sub-warps",
    [] { return Travel::large_warps; }};

/// Whose time depends on how far apart the threads' addresses are. Each row has its own atomics.
bool goes_by_lines(const IssueInfo& instruction) {
  return instruction.kind == InstructionKind::texture || instruction.route == MemoryRoute::global ||
         instruction.route == MemoryRoute::local || instruction.route == MemoryRoute::generic;
}

}  // namespace

void LargeWarp::start(std::span<const WideRow> rows) {
  all_rows_.assign(rows.begin(), rows.end());
  std::vector<exec::LargeWarp::Row> executing;
  for (const WideRow& row : rows) executing.push_back({.block = row.block, .warp = row.warp});
  state_.start(executing);
}

void LargeWarp::enter() {
  state_.enter();
  rows_.clear();
  for (const std::uint8_t number : state_.running_rows()) {
    rows_.push_back(all_rows_[number]);
    rows_.back().path = LaneMask(rows_.back().warp->context.path_active);
  }
}

void LargeWarp::find_passes(const IssueInfo& instruction, std::vector<Pass>& passes) const {
  const bool atomic = instruction.kind == InstructionKind::atomic;
  if (goes_by_lines(instruction) && (memory_by_rows_ || atomic)) {
    passes.clear();
    for (const WideRow& row : rows_) passes.push_back({.lanes = row.path, .row = &row});
    return;
  }
  pack_sub_warps(rows_, passes);
  // Section 3.1.2: the program counter is the large warp's, and set once.
  if (jumps_at_once_ && instruction.jumps_always) passes.resize(1);
}

}  // namespace heddle::sm
