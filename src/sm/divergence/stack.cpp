// The default divergence policy. A warp is always one static warp (32 threads of a block with
// consecutive numbers) with a reconvergence stack. The sides of a divergent branch execute one
// after the other (exec/divergence/reconvergence_stack.h).

#include <array>
#include <cassert>

#include "exec/livelock/livelock.h"
#include "sm/divergence/divergence.h"
#include "sm/pipeline/pipeline_of.h"
#include "sm/warps/slot_status.h"

namespace heddle::sm {
namespace {

/// The warp slot of a static warp has the same number as its hardware warp. The static warp
/// occupies both from its start until the residency policy frees the hardware warp.
class StackGrouping {
 public:
  static constexpr bool kRegroupsEachInstruction = false;

  StackGrouping(const PipelineParts& parts, WarpSequencer& sequencer)
      : now_(parts.now),
        warps_(parts.warps),
        residents_(parts.residents),
        schedulers_(parts.schedulers),
        sequencer_(sequencer) {}

  void start_warps() {
    for (const StartingWarps& start : residents_.starting()) {
      const ResidentBlock& resident = residents_[start.block_slot];
      if (start.first_warp == 0) waiting_warps_[start.block_slot] = 0;
      for (std::uint32_t w = start.first_warp; w < start.first_warp + start.count; ++w) {
        const WarpSlot warp = resident.hardware_warps[w];
        owners_[warp] = {.block = resident.block.get(), .static_warp = &resident.block->warp(w)};
        sequencer_.take(warp, *resident.grid, start.block_slot,
                        resident.grid->launch->info().entry);
        sequencer_.start(warp, start.at);
      }
    }
  }
  void start(WarpSlot warp) { residents_.start_static_warp(warp, now_); }
  /// The static warp keeps its slot until its hardware warp is freed. Some residency policies free
  /// it only at the end of the block.
  void end(WarpSlot warp, Cycle at) {
    schedulers_.end(warp);
    warps_.end(warp);
    for_each_warp(residents_.end_static_warp(warp, at),
                  [this](WarpSlot freed) { warps_.leave(freed); });
  }

  void note_fetch(WarpSlot) {}
  // Always inlined: g++ would drop the call of a function that only prefetches, because it has no
  // effect.
  [[gnu::always_inline]] void prefetch(WarpSlot warp, std::uint32_t pc) {
    owners_[warp].block->prefetch_step(*owners_[warp].static_warp, pc);
  }
  void note_pick(WarpSlot) {}
  void enter(WarpSlot warp) {
    const auto [block, static_warp] = owners_[warp];
    decoded_ = &block->enter(*static_warp, warps_[warp].pc);
    entered_ = {.block = block,
                .warp = static_warp,
                .hardware_warp = warp,
                .path = LaneMask(static_warp->context.path_active)};
  }
  std::span<const StaticWarp, 1> static_warps([[maybe_unused]] WarpSlot warp) const {
    assert(warp == entered_.hardware_warp);
    return std::span<const StaticWarp, 1>(&entered_, 1);
  }
  std::array<Pass, 1> passes([[maybe_unused]] WarpSlot warp, const IssueInfo&) const {
    assert(warp == entered_.hardware_warp);
    return {Pass{.lanes = entered_.path, .static_warp = &entered_}};
  }
  void execute([[maybe_unused]] WarpSlot warp, Cycle) {
    assert(warp == entered_.hardware_warp);
    entered_.block->execute(*entered_.warp, *decoded_);
  }
  void skip([[maybe_unused]] WarpSlot warp) {
    assert(warp == entered_.hardware_warp);
    exec::Block::skip(*entered_.warp, *decoded_);
  }
  NextStep next(WarpSlot warp) const {
    const exec::Warp& static_warp = *owners_[warp].static_warp;
    if (static_warp.stack.finished()) return {.kind = NextStep::Kind::finished};
    if (static_warp.state == exec::Warp::State::at_barrier)
      return {.kind = NextStep::Kind::waits_at_barrier};
    return {.kind = NextStep::Kind::continues, .pc = static_warp.stack.top().pc};
  }
  /// If the warp has arrived at a barrier or has ended, resumes the warps of its block that this
  /// has released.
  void release_others(WarpSlot warp, std::uint32_t block_slot, const IssueInfo& instruction,
                      Cycle at) {
    const bool has_ended = owners_[warp].static_warp->stack.finished();
    if (instruction.kind != InstructionKind::barrier && !has_ended) return;
    const ResidentBlock& resident = residents_[block_slot];
    const std::uint32_t waiting = resident.block->waiting_warps();
    std::uint32_t released = waiting_warps_[block_slot] & ~waiting;
    waiting_warps_[block_slot] = waiting;
    for (; released != 0; released &= released - 1) {
      const auto static_warp = static_cast<std::size_t>(std::countr_zero(released));
      sequencer_.resume_at(resident.hardware_warps[static_warp], at, WaitReason::barrier);
    }
  }
  void end_finished_static_warps(Cycle) {}
  void regroup(WarpSlot) {}

  void add_statuses(std::vector<exec::WarpStatus>& statuses) const {
    for_each_unended(warps_, [&](WarpSlot warp) { add_statuses(warp, statuses); });
  }
  bool add_if_idle(exec::LivelockProbe& probe, std::vector<exec::WarpStatus>& statuses) const {
    bool all_idle = true;
    for_each_unended(warps_, [&](WarpSlot warp) {
      const auto [block, static_warp] = owners_[warp];
      if (!all_idle) return;
      if (warps_[warp].state == WarpState::at_barrier) return add_statuses(warp, statuses);
      all_idle = exec::add_if_idle(*block, *static_warp, probe, statuses);
    });
    return all_idle;
  }
  /// Whether none of the block's started warps can run. (Block::running_warps() includes unstarted
  /// warps.)
  bool may_be_stuck(const ResidentBlock& resident) const {
    return (resident.block->running_warps() & ~resident.unstarted_warps()) == 0;
  }

 private:
  struct Owner {
    exec::Block* block = nullptr;
    exec::Warp* static_warp = nullptr;
  };

  void add_statuses(WarpSlot warp, std::vector<exec::WarpStatus>& statuses) const {
    const SlotStatus top = status_of(warps_, warp);
    exec::add_statuses(*owners_[warp].block, *owners_[warp].static_warp, top.what, top.since,
                       statuses);
  }

  const Cycle& now_;
  WarpTable& warps_;
  ResidentBlocks& residents_;
  WarpSchedulers& schedulers_;
  WarpSequencer& sequencer_;
  std::array<Owner, kMaxWarps> owners_{};
  /// By block slot: the static warps that wait at a barrier, as a mask.
  std::array<std::uint32_t, kMaxWarps> waiting_warps_{};
  // The arguments of the last enter(): the static warp and its instruction.
  StaticWarp entered_;
  const exec::Decoded* decoded_ = nullptr;
};

struct StackParameters {
  /// The simulated stacks grow as needed; hardware has 8 entries.
  static void storage(config::StorageList& list) {
    list.add({.name = "reconvergence_stacks",
              .bits = "sm.warps * 8 * (32 + 2 * 32)",
              .meaning = "8 entries a warp: a mask and two program counters",
              .source = "Kim et al., section 5.3: 96 bits an entry, 768 a warp"});
  }
};

const DivergenceRegistry::Entry stack_entry{
    "stack", "the 32 threads of a static warp, with a reconvergence stack",
    [](const StackParameters&, const PipelineParts& parts) {
      return std::make_unique<PipelineOf<StackGrouping>>(parts);
    }};

}  // namespace
}  // namespace heddle::sm
