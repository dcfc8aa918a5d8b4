// Dynamic warp formation (DWF; Fung et al.), as described in Narasiman et al., Improving GPU
// Performance via Large Warps and Two-Level Warp Scheduling, section 4. There is no reconvergence
// stack. A formed warp is any threads, in different lanes, that are at the same instruction.
//
// A formed warp occupies its slot until its instruction has left the pipeline. Then its threads are
// divided by the instruction at which they continue. Each such group joins the youngest warp in the
// pool (sm/divergence/warp_pool.h) that waits at that instruction. Threads whose lanes are not free
// in that warp become a new warp. Threads that wait for others of their block, or for a free slot,
// are in no slot.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/ring_queue.h"
#include "sm/divergence/divergence.h"
#include "sm/divergence/formed_warp.h"
#include "sm/pipeline/pipeline_of.h"
#include "sm/warps/slot_status.h"

namespace heddle::sm {
namespace {

struct FormationParameters {
  std::uint32_t formed_warps = 64;

  void declare(config::Declarations& parameters) {
    parameters.number(
        "formed_warps", formed_warps, {.least = 1, .most = kMaxWarps},
        "formed warps at once, at most; further threads wait for a slot ('dynamic-formation')");
  }
  static void storage(config::StorageList& list) {
    list.add({.name = "warp_pool",
              .bits = "",
              .meaning = "the formed warps, and the lookup of those at the same instruction",
              .source = "Narasiman et al., section 4, do not give its size"});
  }
  void check(const SmDescription& description) const {
    const std::string& policy = description.divergence.policy;
    if (formed_warps < description.residency.warps) {
      throw InputError(fmt::format(
          "divergence.formed_warps is {}, but the {} resident warps (sm.warps) need a slot each "
          "even before any branch diverges",
          formed_warps, description.residency.warps));
    }
    if (!description.dependence.holds_fetch()) {
      throw InputError(fmt::format(
          "divergence.policy '{}' needs dependence.policy 'barrel', not '{}': warps are "
          "formed after every instruction, and their threads can have nothing in flight then",
          policy, description.dependence.policy));
    }
    if (description.schedule.schedulers > 1) {
      throw InputError(
          fmt::format("divergence.policy '{}' has one pool of warps, for one scheduler, but "
                      "schedule.schedulers is {}",
                      policy, description.schedule.schedulers));
    }
  }
  DivergenceProperties properties(const DivergenceDescription&) const {
    return {.slots = formed_warps,
            .warp_count_source = "divergence.formed_warps",
            .reports_formation = true};
  }
};

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

void FormedWarpGrouping::start_warps() {
  for (const StartingWarps& start : residents_.starting()) {
    const ResidentBlock& resident = residents_[start.block_slot];
    for (std::uint32_t w = start.first_warp; w < start.first_warp + start.count; ++w) {
      const HardwareWarpId hardware_warp = resident.hardware_warps[w];
      passed_counts_[hardware_warp] = 0;
      resume({.group = {threads_.start(hardware_warp, *resident.block, resident.block->warp(w)), 0},
              .grid = resident.grid,
              .at = start.at,
              .is_starting = true});
    }
  }
}

std::span<const Pass> FormedWarpGrouping::passes(WarpSlot warp, const IssueInfo& instruction) {
  const std::span<const StaticWarp> static_warps = formed_warps_[warp]->static_warps();
  passes_.clear();
  if (instruction.kind == InstructionKind::atomic) {
    // Each static warp sends its own atomic, one after the other.
    for (const StaticWarp& static_warp : static_warps)
      passes_.push_back({.lanes = static_warp.path, .static_warp = &static_warp});
    return passes_;
  }
  passes_.push_back({.lanes = group(warp).threads.lanes,
                     .static_warp = static_warps.size() == 1 ? static_warps.data() : nullptr});
  return passes_;
}

void FormedWarpGrouping::regroup(WarpSlot warp) {
  const Grid& grid = *warps_[warp].grid;
  FormedWarp& formed = *formed_warps_[warp];
  if (formed.stays_together()) {
    go_to(formed.group(), formed.sides()[0].target, grid);
    const exec::FormedThreads& threads = formed.group().threads;
    const WarpSlot other = pool_.youngest(grid.number, threads.pc);
    if (other == kNoWarp || threads.lanes.without(group(other).threads.lanes).empty()) {
      return return_to_pool(warp);
    }
    sequencer_.leave(warp, now_);
    merge_into_pool(formed.group(), grid, warp);
    return place_unplaced();
  }
  const exec::StacklessThreads::Sides sides = formed.sides();
  note_divergence(warp);
  const ThreadGroup before = formed.group();
  sequencer_.leave(warp, now_);
  for (const exec::StacklessThreads::Side& side : sides) {
    ThreadGroup group = before;
    group.threads.keep(side.threads);
    go_to(group, side.target, grid);
    merge_into_pool(group, grid, warp);
  }
  place_unplaced();
}

/// Returns the warp to the pool with the same threads, as the youngest warp.
void FormedWarpGrouping::return_to_pool(WarpSlot warp) {
  schedulers_.end(warp);
  schedulers_.scheduler_of(warp).started(warp);
  warps_[warp].go_to(group(warp).threads.pc);
  sequencer_.fetch(warp);
}

/// Merges threads into the youngest warp of the pool at their instruction, if their lanes are free
/// there. The other threads become a new warp, which is then the youngest. Its slot is
/// `previous_slot`, in which the threads were before, if that is free.
void FormedWarpGrouping::merge_into_pool(ThreadGroup& threads, const Grid& grid,
                                         WarpSlot previous_slot) {
  const WarpSlot other = pool_.youngest(grid.number, threads.threads.pc);
  if (other != kNoWarp && join(threads, group(other))) report_formation(other);
  if (threads.threads.lanes.empty()) return;
  const WarpSlot warp = take_slot(threads, grid, previous_slot);
  if (warp == kNoWarp) return unplaced_.push({.group = threads, .grid = &grid, .at = now_});
  sequencer_.fetch(warp);
}

/// Puts threads that start, or that have waited for other threads or for a slot, into a free slot.
/// If none is free, they wait for one.
void FormedWarpGrouping::resume(const UnplacedThreads& waiting) {
  const WarpSlot warp = take_slot(waiting.group, *waiting.grid, kNoWarp);
  if (warp == kNoWarp) return unplaced_.push(waiting);
  // The threads continue in the next cycle at the earliest: slots may still be freed and filled in
  // this one.
  const Cycle at = std::max(waiting.at, now_ + Cycles(1));
  if (waiting.is_starting) return sequencer_.start(warp, at);
  sequencer_.wait(warp, WarpState::regrouping, at, waiting.reason);
}

void FormedWarpGrouping::place_unplaced() {
  while (!unplaced_.empty() && warps_.free() != 0) {
    const UnplacedThreads waiting = unplaced_.front();
    unplaced_.pop();
    resume(waiting);
  }
}

/// Puts the group into a free slot, `preferred` if that is free. Returns the slot; kNoWarp if no
/// slot is free.
WarpSlot FormedWarpGrouping::take_slot(const ThreadGroup& group, const Grid& grid,
                                       WarpSlot preferred) {
  if (warps_.free() == 0) return kNoWarp;
  const bool has_preferred = preferred != kNoWarp && (warps_.free() & set_of(preferred)) != 0;
  const WarpSlot warp = has_preferred ? preferred : first_of(warps_.free());
  formed_warps_[warp]->put(group);
  sequencer_.take(warp, grid,
                  residents_.hardware_warp(group.threads.parts[0].static_warp).block_slot,
                  group.threads.pc);
  return warp;
}

/// Resumes, at `at`, the threads that the executed instruction of `warp` has released.
void FormedWarpGrouping::move_released(WarpSlot warp, Cycle at) {
  for (const StaticWarp& static_warp : static_warps(warp))
    passed_counts_[static_warp.hardware_warp] = group(warp).passed_count;
  for (const exec::StacklessThreads::ThreadsAtPc& resumed : threads_.resumed()) {
    const Grid& grid = *residents_[residents_.hardware_warp(resumed.static_warp).block_slot].grid;
    ThreadGroup group{
        exec::FormedThreads::of_static_warp(resumed.static_warp, resumed.lanes, resumed.pc),
        passed_counts_[resumed.static_warp]};
    count_post_dominator(group, grid);
    resume({.group = group, .grid = &grid, .at = at, .reason = WaitReason::barrier});
  }
  threads_.resumed().clear();
}

/// Calls each(part, pc, slot) for all threads, except those that wait for others of their static
/// warp. A part is a set of threads of one static warp at the instruction `pc`. `slot` is kNoWarp
/// for threads that are in no slot.
template <class Each>
void FormedWarpGrouping::for_each_part(Each each) const {
  for_each_unended(warps_, [&](WarpSlot warp) {
    const FormedWarp& formed = *formed_warps_[warp];
    for (const exec::StacklessThreads::Side& side : formed.sides()) {
      exec::FormedThreads threads = formed.group().threads;
      threads.keep(side.threads);
      for (const exec::FormedThreads::Part& part : threads.parts) each(part, side.target, warp);
    }
  });
  for (std::size_t i = 0; i < unplaced_.size(); ++i) {
    const exec::FormedThreads& threads = unplaced_[i].group.threads;
    for (const exec::FormedThreads::Part& part : threads.parts) each(part, threads.pc, kNoWarp);
  }
}

/// Adds the status of threads that wait for others of their static warp; they are in no slot.
void FormedWarpGrouping::add_waiting_threads(std::vector<exec::WarpStatus>& statuses) const {
  residents_.for_each([&](const ResidentBlock& resident) {
    for (std::uint32_t w = 0; w < resident.started_count; ++w) {
      const HardwareWarpId hardware_warp = resident.hardware_warps[w];
      if (hardware_warp == kNoWarp) continue;
      for (const exec::StacklessThreads::ThreadsAtPc& waiting :
           threads_.waiting_threads(hardware_warp)) {
        statuses.push_back({.block = resident.block.get(),
                            .warp = w,
                            .lanes = waiting.lanes,
                            .pc = waiting.pc,
                            .what = exec::waiting_at(resident.block->launch(), waiting.pc,
                                                     threads_.barrier_of(hardware_warp)),
                            .since = diverged_at_[hardware_warp].number});
      }
    }
  });
}

void FormedWarpGrouping::add_statuses(std::vector<exec::WarpStatus>& statuses) const {
  for_each_part([&](const exec::FormedThreads::Part& part, std::uint32_t pc, WarpSlot warp) {
    const SlotStatus slot = warp == kNoWarp
                                ? SlotStatus{"waiting for a free slot of a formed warp", {}}
                                : status_of(warps_, warp);
    exec::WarpStatus& status = statuses.emplace_back();
    status.block = &threads_.block(part.static_warp);
    status.warp = threads_.warp(part.static_warp).identity.warp;
    status.lanes = part.lanes;
    status.pc = pc;
    status.what = slot.what;
    status.since = slot.since;
  });
  add_waiting_threads(statuses);
}

/// Probes each thread alone, because each has a program counter of its own.
bool FormedWarpGrouping::add_if_idle(exec::LivelockProbe& probe,
                                     std::vector<exec::WarpStatus>& statuses) const {
  bool all_idle = true;
  for_each_part([&](const exec::FormedThreads::Part& part, std::uint32_t pc, WarpSlot) {
    exec::Block& block = threads_.block(part.static_warp);
    const exec::Warp& static_warp = threads_.warp(part.static_warp);
    for (LaneMask rest = part.lanes; all_idle && !rest.empty(); rest = rest.without_lowest()) {
      const int lane = rest.lowest();
      const std::optional<exec::ProbedPath> path = probe.probe_thread(
          block, static_warp, lane, pc, threads_.frame_of(part.static_warp, lane));
      all_idle = path.has_value();
      if (!all_idle) return;
      exec::WarpStatus status = exec::status_of(block, static_warp, LaneMask::of_lane(lane), *path);
      const auto alike = std::find_if(statuses.begin(), statuses.end(), [&](const auto& other) {
        return other.block == &block && other.warp == status.warp && other.pc == status.pc &&
               other.what == status.what;
      });
      if (alike == statuses.end()) {
        statuses.push_back(std::move(status));
      } else {
        alike->lanes = alike->lanes | status.lanes;
      }
    }
  });
  if (all_idle) add_waiting_threads(statuses);
  return all_idle;
}

const DivergenceRegistry::Entry dynamic_formation_entry{
    "dynamic-formation",
    "dynamic warp formation: any threads at the same instruction, in different lanes",
    [](const FormationParameters&, const PipelineParts& parts) {
      return std::make_unique<PipelineOf<FormedWarpGrouping>>(parts);
    }};

}  // namespace
}  // namespace heddle::sm
