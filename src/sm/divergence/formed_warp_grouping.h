#pragma once

// Dynamic warp formation (DWF; Fung et al.), as described in Narasiman et al., Improving GPU
// Performance via Large Warps and Two-Level Warp Scheduling, section 4. There is no reconvergence
// stack. A formed warp is any threads, in different lanes, that are at the same instruction.
//
// A formed warp occupies its slot until its instruction has left the pipeline. Then its threads are
// divided by the instruction at which they continue. Each such group joins the youngest warp in the
// pool (sm/divergence/warp_pool.h) that waits at that instruction. Threads whose lanes are not free
// in that warp become a new warp. Threads that wait for others of their block, or for a free slot,
// are in no slot.

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "base/ring_queue.h"
#include "sm/divergence/formed_warp.h"
#include "sm/pipeline/pipeline.h"
#include "sm/pipeline/thread_grouping.h"
#include "sm/pipeline/warp_sequencer.h"

namespace heddle::sm {

class FormedWarpGrouping {
 public:
  static constexpr bool kRegroupsEachInstruction = true;

  FormedWarpGrouping(const PipelineParts& parts, WarpSequencer& sequencer)
      : now_(parts.now),
        warps_(parts.warps),
        residents_(parts.residents),
        schedulers_(parts.schedulers),
        sequencer_(sequencer),
        threads_(parts.description.residency.warps) {
    residents_.keep_addresses_per_warp();
    for_each_warp(warps_.all(), [this](WarpSlot) {
      formed_warps_.push_back(std::make_unique<FormedWarp>(threads_));
    });
  }

  void start_warps();
  void start(WarpSlot warp) {
    for (const exec::FormedThreads::Part& part : group(warp).threads.parts) {
      residents_.start_static_warp(part.static_warp, now_);
    }
  }
  /// No thread is left in the slot.
  void end(WarpSlot warp, Cycle at) {
    note_divergence(warp);
    sequencer_.leave(warp, at);
    place_unplaced();
  }

  void note_fetch(WarpSlot warp) {
    const Slot& slot = warps_[warp];
    pool_.add(warp, slot.grid->number, slot.pc);
    report_formation(warp);
  }
  void prefetch(WarpSlot, std::uint32_t) {}
  void note_pick(WarpSlot warp) { pool_.remove(warp); }
  void enter(WarpSlot warp) { formed_warps_[warp]->enter(); }
  std::span<const StaticWarp> static_warps(WarpSlot warp) const {
    return formed_warps_[warp]->static_warps();
  }
  std::span<const Pass> passes(WarpSlot warp, const IssueInfo& instruction);
  void execute(WarpSlot warp, Cycle others_resume_at) {
    formed_warps_[warp]->execute();
    move_released(warp, others_resume_at);
  }
  void skip(WarpSlot warp) { formed_warps_[warp]->skip(); }
  NextStep next(WarpSlot warp) const {
    return {.kind = formed_warps_[warp]->sides().empty() ? NextStep::Kind::dissolved
                                                         : NextStep::Kind::regroups};
  }
  void release_others(WarpSlot, std::uint32_t, const IssueInfo&, Cycle) {}
  /// Ends the static warps whose threads have all exited.
  void end_finished_static_warps(Cycle at) {
    for (const HardwareWarpId hardware_warp : threads_.finished_static_warps())
      residents_.end_static_warp(hardware_warp, at);
    threads_.finished_static_warps().clear();
  }
  void regroup(WarpSlot warp);

  void add_statuses(std::vector<exec::WarpStatus>& statuses) const;
  bool add_if_idle(exec::LivelockProbe& probe, std::vector<exec::WarpStatus>& statuses) const;
  /// True for any block: even if a warp can run, other threads may wait for each other for ever.
  bool may_be_stuck(const ResidentBlock&) const { return true; }

 private:
  /// Threads that wait for a free slot.
  struct UnplacedThreads {
    ThreadGroup group;
    const Grid* grid = nullptr;
    Cycle at;                                   ///< When the threads can continue.
    WaitReason reason = WaitReason::free_slot;  ///< What they wait for until `at`.
    bool is_starting = false;  ///< Whether they have not executed any instruction yet.
  };

  /// Records that from now on the threads of the warp may continue at different instructions, or
  /// wait for each other.
  void note_divergence(WarpSlot warp) {
    for (const exec::FormedThreads::Part& part : group(warp).threads.parts) {
      diverged_at_[part.static_warp] = now_;
    }
  }
  ThreadGroup& group(WarpSlot warp) { return formed_warps_[warp]->group(); }
  void return_to_pool(WarpSlot warp);
  void merge_into_pool(ThreadGroup& group, const Grid& grid, WarpSlot previous_slot);
  void resume(const UnplacedThreads& threads);
  void place_unplaced();
  WarpSlot take_slot(const ThreadGroup& group, const Grid& grid, WarpSlot preferred);
  void move_released(WarpSlot warp, Cycle at);
  template <class Each>
  void for_each_part(Each each) const;
  void add_waiting_threads(std::vector<exec::WarpStatus>& statuses) const;
  /// Reports to the scheduler which threads the warp now has.
  void report_formation(WarpSlot warp) {
    const ThreadGroup& formed = group(warp);
    schedulers_.scheduler_of(warp).formed(
        warp, {.pc = formed.threads.pc, .passed_count = formed.passed_count});
    warps_.trace().form(now_, warp, formed.threads.pc, formed.threads.lanes, formed.passed_count);
  }
  /// Moves a group to `pc`, and counts a post-dominator there. A group that has waited for a slot
  /// is already at `pc`; the post-dominator was counted when it arrived.
  static void go_to(ThreadGroup& group, std::uint32_t pc, const Grid& grid) {
    if (group.threads.pc == pc) return;
    group.threads.pc = pc;
    count_post_dominator(group, grid);
  }
  static void count_post_dominator(ThreadGroup& group, const Grid& grid) {
    if (grid.table[group.threads.pc].post_dominates) ++group.passed_count;
  }

  const Cycle& now_;
  WarpTable& warps_;
  ResidentBlocks& residents_;
  WarpSchedulers& schedulers_;
  WarpSequencer& sequencer_;
  exec::StacklessThreads threads_;                         ///< All threads of the multiprocessor.
  std::vector<std::unique_ptr<FormedWarp>> formed_warps_;  ///< By slot.
  WarpPool pool_;
  RingQueue<UnplacedThreads> unplaced_;
  std::vector<Pass> passes_;  ///< The passes of the instruction that issues.
  /// By hardware warp: ThreadGroup::passed_count of the group that last executed threads of its
  /// static warp.
  std::array<std::uint32_t, kMaxWarps> passed_counts_{};
  /// By hardware warp: when threads of its static warp last diverged.
  std::array<Cycle, kMaxWarps> diverged_at_{};
};

}  // namespace heddle::sm
