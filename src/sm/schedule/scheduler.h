#pragma once

// The scheduling seam: which warp issues next. A multiprocessor has one or several schedulers.
//
// A cycle of the multiprocessor:
//
//   1. memory reports completed accesses, and warps whose waits are over become ready;
//   2. update() is called for schedulers that asked for it in this cycle;
//   3. pick() is called for one scheduler after another; each picked warp issues before the next
//      call.
//
// Cycles are skipped if no warp can issue that could not issue before. Memory may lag behind by
// such cycles, as long as that does not affect any warp. It is brought up to date when a policy
// inspects it (CoreView::l1), so no policy sees an old state.

#include <memory>
#include <string_view>

#include "base/counters.h"
#include "base/cycle.h"
#include "config/policy_registry.h"
#include "sm/ids.h"
#include "sm/schedule/activity_listener.h"
#include "sm/schedule/core_view.h"
#include "sm/schedule/schedule_description.h"
#include "sm/stalls/stall_cause.h"

namespace heddle::sm {

/// A scheduling policy. All functions are pure virtual, so that a scheduler that wraps another one
/// (wrapping_scheduler.h) must forward all of them. SelectiveScheduler has empty defaults for those
/// that most policies do not need. BasicScheduler is for policies that choose from all of their
/// warps.
class Scheduler {
 public:
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;
  virtual ~Scheduler() = default;

  /// A warp of this scheduler starts, younger than all others.
  virtual void started(WarpSlot warp) = 0;
  virtual void ended(WarpSlot warp) = 0;
  /// The threads of the warp have been grouped, at the start or later (dynamic warp formation
  /// only).
  struct Formation {
    std::uint32_t pc = 0;
    /// How many post-dominators of branches each thread of the warp has passed, at least.
    std::uint32_t passed = 0;
  };
  virtual void formed(WarpSlot warp, const Formation& formation) = 0;
  /// The warp begins a long wait (is_long): for a value from memory, or at a barrier.
  virtual void begins_long_wait(WarpSlot warp, StallCause cause) = 0;

  /// Picks one of `eligible`, which then issues; or kNoWarp, if the policy wants none of them.
  ///
  /// `eligible` are the warps of this scheduler that are ready, or that are on a wrong path after a
  /// branch, and for whose next instruction there is space. pick() is not called if there are none,
  /// nor while the last picked instruction occupies the scheduler (schedule.interval, passes of a
  /// large warp).
  ///
  /// kNoWarp holds until something changes. Unless another scheduler issues, the multiprocessor
  /// then skips to the next cycle in which a warp becomes ready, may find space, or a scheduler
  /// updates. It may also skip less and call pick() again although nothing has changed, so the
  /// result must not depend on the number of calls. A policy that depends on time, or on what it
  /// sees of the core, may have to decide anew without any such event: it names the cycle by
  /// next_update(). A launch whose warps are withheld for ever does not end.
  virtual WarpSlot pick(WarpSet eligible, Cycle now) = 0;
  /// The warps that the policy does not choose from at present, however ready they are. Those that
  /// could have issued are counted as withheld, as are all of `eligible` if the policy picked none
  /// of them. A cycle without issue is attributed to the scheduler's other warps, if any of them
  /// waits. Called after pick(), and in cycles in which there was nothing to pick.
  virtual WarpSet passed_over() const = 0;
  /// Whether passed_over() is ever not empty. If not, it is not called in every cycle.
  bool passes_over() const { return passes_over_; }

  /// The cycle, later than `now`, in which the policy needs an update() although nothing else may
  /// happen then, on the multiprocessor or on the chip; never() if in none. Called when the
  /// scheduler is made (as of cycle 0), after each update(), and after each pick() of kNoWarp, and
  /// at no other time. The last returned value counts.
  virtual Cycle next_update(Cycle now) const = 0;
  /// The cycle that next_update() returned has come, whether or not a warp can issue; pick()
  /// follows if one can. While no block is resident there are no updates: missed updates become one
  /// update when the next block starts.
  virtual void update(Cycle now) = 0;

  /// Declares the policy's counters, in the part "schedule". The counters of a multiprocessor's
  /// schedulers are added up.
  virtual void declare(CounterList& counters) = 0;

 protected:
  explicit Scheduler(bool passes_over) : passes_over_(passes_over) {}

 private:
  bool passes_over_;
};

/// A scheduler that wraps no other one, and does not always choose from all of its warps.
class SelectiveScheduler : public Scheduler {
 public:
  SelectiveScheduler() : SelectiveScheduler(true) {}
  void started(WarpSlot) override {}
  void ended(WarpSlot) override {}
  void formed(WarpSlot, const Formation&) override {}
  void begins_long_wait(WarpSlot, StallCause) override {}
  Cycle next_update(Cycle) const override { return Cycle::never(); }
  void update(Cycle) override {}
  void declare(CounterList&) override {}

 protected:
  using Scheduler::Scheduler;
};

/// A scheduler that always chooses from all of its warps.
class BasicScheduler : public SelectiveScheduler {
 public:
  BasicScheduler() : SelectiveScheduler(false) {}

  WarpSet passed_over() const final { return 0; }
};

/// The surroundings of a scheduler.
struct SchedulerPlace {
  const ScheduleDescription& description;
  WarpSet warps = 0;     ///< All warps that it will ever have.
  const CoreView& core;  ///< It outlives the scheduler.
  /// Is notified by a policy with an active set of changes to it; may be null.
  ActivityListener* listener = nullptr;
};

/// What the check of a policy's parameters may inspect.
struct SchedulerShare {
  const ScheduleDescription& description;
  std::uint32_t total_warps = 0;  ///< Warps of the multiprocessor, for all schedulers.
  std::string_view source{};      ///< The parameters that set total_warps, for messages.

  /// The number of warps of the scheduler with the most warps.
  std::uint32_t warps() const {
    return (total_warps + description.schedulers - 1) / description.schedulers;
  }
  /// Throws InputError if the parameter "schedule.key" is a number of warps that no scheduler has.
  void check_fits(std::string_view key, std::uint32_t value) const;
};

struct SchedulerProperties {
  /// Whether the policy chooses by formed(), and works with formed warps only.
  bool needs_formation = false;
  /// Whether it chooses from an active set of warps, and reports that to an ActivityListener.
  bool has_active_set = false;
  /// Whether a warp leaves the active set at marks of the compiler (IssueInfo::suspends), instead
  /// of when it really waits for memory.
  bool suspends_by_marks = false;
};

struct SchedulerSeam {
  using Policy = Scheduler;
  using Description = ScheduleDescription;
  using Place = SchedulerPlace;
  using Context = SchedulerShare;
  using Properties = SchedulerProperties;
};
using SchedulerRegistry = config::PolicyRegistry<SchedulerSeam>;

/// Makes the policy that the description names.
std::unique_ptr<Scheduler> make_scheduler(const ScheduleDescription& description, WarpSet warps,
                                          const CoreView& core,
                                          ActivityListener* listener = nullptr);

}  // namespace heddle::sm
