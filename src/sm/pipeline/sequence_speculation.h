#pragma once

// Steps of warps that speculate: after a mispredicted branch, and while and after they run ahead.

#include <optional>

#include "sm/pipeline/sequencer.h"
#include "sm/pipeline/wrong_path.h"

namespace heddle::sm {

template <class ThreadGrouping>
[[gnu::cold]] void Sequencer<ThreadGrouping>::proceed_after_misprediction(WarpSlot warp,
                                                                          NextStep next, Cycle from,
                                                                          bool taken,
                                                                          Cycle wrong_from) {
  const Slot& slot = warps_[warp];
  const code::Program& program = *slot.grid->launch->program;
  const code::Instruction& branch = program.instructions[slot.pc];
  // If an exit is wrongly predicted taken, no instruction follows it.
  const bool goes_wrong = taken || branch.operation != code::Operation::exit;
  if (goes_wrong) {
    const bool calls = branch.operation == code::Operation::call;
    const std::uint32_t target = calls ? program.functions[branch.target].entry : branch.target;
    const std::uint32_t pc = taken ? slot.pc + 1 : target;
    SubCore& core = sub_cores_.of(warp);
    const Cycle fetched = taken ? core.front_end.begin_speculation(warp, pc, wrong_from, from)
                                : core.front_end.redirect_speculatively(warp, pc, wrong_from, from);
    take_wrong_path({.warp = warp, .pc = pc, .fetched = fetched, .until = from, .now = now_},
                    slot.grid->table, *core.dependence, *wrong_paths_);
  }
  proceed(warp, next, from, WaitReason::branch_resolution, goes_wrong);
}

template <class ThreadGrouping>
void Sequencer<ThreadGrouping>::run_ahead(WarpSlot warp, WaitReason reason) {
  grouping_.enter(warp);
  lookahead_->begin(warp, grouping_.static_warps(warp).front(), reason);
}

/// The warp continues at slot.pc, after the instruction at `before`, at `from` at the earliest. If
/// a result ahead is reused, the instruction needs neither a fetch nor a unit. Returns whether the
/// unit has supplied the instruction; otherwise it comes from the warp's instruction buffer.
template <class ThreadGrouping>
bool Sequencer<ThreadGrouping>::supply(WarpSlot warp, Cycle from) {
  Slot& slot = warps_[warp];
  const std::optional<Cycle> supplied = lookahead_->supply(warp, from);
  if (!supplied) return false;
  slot.available_at = *supplied;
  if (lookahead_->is_reusing(warp)) slot.needs = Resource::none;
  return true;
}

}  // namespace heddle::sm
