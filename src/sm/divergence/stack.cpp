// A warp is 32 threads from beginning to end; what a branch parts is executed one side after the
// other (exec/divergence/reconvergence_stack.h).

#include <array>
#include <cassert>

#include "exec/livelock/livelock.h"
#include "sm/divergence/divergence.h"
#include "sm/pipeline/pipeline_of.h"
#include "sm/standings.h"

namespace heddle::sm {
namespace {

/// A row has the slot that is its home, from its start until its place is free again.
class StackTravellers {
 public:
  static constexpr bool kReforms = false;

  StackTravellers(const PipelineParts& parts, WarpSequencer& sequencer)
      : now_(parts.now),
        warps_(parts.warps),
        residents_(parts.residents),
        schedulers_(parts.schedulers),
        sequencer_(sequencer) {}

  void start_warps() {
    for (const StartingWarps& start : residents_.starting()) {
      const Resident& resident = residents_[start.resident];
      if (start.first == 0) waiting_[start.resident] = 0;
      for (std::uint32_t w = start.first; w < start.first + start.count; ++w) {
        const WarpSlot warp = resident.homes[w];
        owners_[warp] = {.block = resident.block.get(), .row = &resident.block->warp(w)};
        sequencer_.take(warp, *resident.grid, start.resident, resident.grid->launch->info().entry);
        sequencer_.start(warp, start.at);
      }
    }
  }
  void arrive(WarpSlot warp) { residents_.arrive(warp, now_); }
  /// The slot stays with the row until the residents free its home, perhaps only with its block.
  void end(WarpSlot warp, Cycle at) {
    schedulers_.end(warp);
    warps_.end(warp);
    for_each_warp(residents_.end_row(warp, at), [this](WarpSlot freed) { warps_.leave(freed); });
  }

  void fetched(WarpSlot) {}
  // The compiler leaves out a call to what does nothing else, as one without any effect.
  [[gnu::always_inline]] void prefetch(WarpSlot warp, std::uint32_t pc) {
    owners_[warp].block->prefetch_step(*owners_[warp].row, pc);
  }
  void picked(WarpSlot) {}
  void enter(WarpSlot warp) {
    const auto [block, row] = owners_[warp];
    decoded_ = &block->enter(*row, warps_[warp].pc);
    entered_ = {
        .block = block, .warp = row, .home = warp, .path = LaneMask(row->context.path_active)};
  }
  std::span<const Row, 1> rows([[maybe_unused]] WarpSlot warp) const {
    assert(warp == entered_.home);
    return std::span<const Row, 1>(&entered_, 1);
  }
  std::array<Pass, 1> passes([[maybe_unused]] WarpSlot warp, const IssueInfo&) const {
    assert(warp == entered_.home);
    return {Pass{.lanes = entered_.path, .row = &entered_}};
  }
  void execute([[maybe_unused]] WarpSlot warp, Cycle) {
    assert(warp == entered_.home);
    entered_.block->execute(*entered_.warp, *decoded_);
  }
  void skip([[maybe_unused]] WarpSlot warp) {
    assert(warp == entered_.home);
    exec::Block::skip(*entered_.warp, *decoded_);
  }
  Next next(WarpSlot warp) const {
    const exec::Warp& row = *owners_[warp].row;
    if (row.stack.finished()) return {.fate = Next::Fate::finished};
    if (row.state == exec::Warp::State::at_barrier) return {.fate = Next::Fate::waits};
    return {.fate = Next::Fate::goes_on, .pc = row.stack.top().pc};
  }
  /// A warp has come to a barrier, or to its end: others of its block may go on.
  void release_others(WarpSlot warp, std::uint32_t number, const IssueInfo& instruction, Cycle at) {
    const bool has_ended = owners_[warp].row->stack.finished();
    if (instruction.kind != InstructionKind::barrier && !has_ended) return;
    const Resident& resident = residents_[number];
    const std::uint32_t waiting = resident.block->waiting_warps();
    std::uint32_t released = waiting_[number] & ~waiting;
    waiting_[number] = waiting;
    for (; released != 0; released &= released - 1) {
      const auto row = static_cast<std::size_t>(std::countr_zero(released));
      sequencer_.resume_at(resident.homes[row], at, StallCause::barrier);
    }
  }
  void end_finished_rows(Cycle) {}
  void reform(WarpSlot) {}

  void add_standings(std::vector<exec::Standing>& standings) const {
    for_each_unended(warps_, [&](WarpSlot warp) { add_standings(warp, standings); });
  }
  bool add_idle(exec::Rehearsal& rehearsal, std::vector<exec::Standing>& standings) const {
    bool all_idle = true;
    for_each_unended(warps_, [&](WarpSlot warp) {
      const auto [block, row] = owners_[warp];
      if (!all_idle) return;
      if (warps_[warp].state == WarpState::at_barrier) return add_standings(warp, standings);
      all_idle = exec::add_idle(*block, *row, rehearsal, standings);
    });
    return all_idle;
  }
  /// Its block counts those that have not started as running.
  bool may_be_stuck(const Resident& resident) const {
    return (resident.block->running_warps() & ~resident.unstarted_warps()) == 0;
  }

 private:
  struct Owner {
    exec::Block* block = nullptr;
    exec::Warp* row = nullptr;
  };

  void add_standings(WarpSlot warp, std::vector<exec::Standing>& standings) const {
    const SlotStanding top = standing_of(warps_, warp);
    exec::add_standings(*owners_[warp].block, *owners_[warp].row, top.what, top.since, standings);
  }

  const Cycle& now_;
  WarpTable& warps_;
  Residents& residents_;
  WarpSchedulers& schedulers_;
  WarpSequencer& sequencer_;
  std::array<Owner, kMostWarps> owners_{};
  std::array<std::uint32_t, kMostWarps> waiting_{};  ///< By resident: warps at a barrier.
  // What has been entered: holds until the next enter(), of any warp.
  Row entered_;
  const exec::Decoded* decoded_ = nullptr;
};

struct StackParameters {
  /// The simulated ones grow as they need to.
  static void storage(config::StorageList& list) {
    list.add({.name = "reconvergence_stacks",
              .bits = "sm.warps * 8 * (32 + 2 * 32)",
              .meaning = "8 entries a warp: a mask and two program counters",
              .source = "Kim et al., section 5.3: 96 bits an entry, 768 a warp"});
  }
};

const DivergenceRegistry::Entry stack_entry{
    "stack", "a warp's own 32, with a stack that brings them together again",
    [](const StackParameters&, const PipelineParts& parts) {
      return std::make_unique<PipelineOf<StackTravellers>>(parts);
    }};

}  // namespace
}  // namespace heddle::sm
