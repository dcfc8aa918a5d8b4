#pragma once

// The interface of scheduling policies, which decide which warp issues next. A multiprocessor has
// one or several schedulers.
//
// In a cycle of the multiprocessor:
//
//   1. memory reports completed accesses, and warps whose waits are over become ready;
//   2. update() is called for schedulers that asked for it in this cycle;
//   3. pick() is called for one scheduler after another; each picked warp issues before the next
//      call.
//
// After a cycle without issue, the multiprocessor skips cycles until another warp can issue. The
// simulation of memory may lag behind in skipped cycles, as long as this affects no warp. It is
// brought up to date when a policy inspects it (CoreView::l1), so no policy sees an old state.

#include <memory>
#include <string_view>

#include "base/counters.h"
#include "base/cycle.h"
#include "config/policy_registry.h"
#include "sm/ids.h"
#include "sm/schedule/activity_listener.h"
#include "sm/schedule/core_view.h"
#include "sm/schedule/schedule_description.h"
#include "sm/stalls/wait_reason.h"

namespace heddle::sm {

/// A scheduling policy. All functions are pure virtual, so that a scheduler that wraps another one
/// (wrapping_scheduler.h) cannot forget to forward one. SelectiveScheduler has empty defaults for
/// the functions that most policies do not need. BasicScheduler is the base of policies that always
/// choose from all their warps.
class Scheduler {
 public:
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;
  virtual ~Scheduler() = default;

  /// A warp of this scheduler starts, younger than all others.
  virtual void started(WarpSlot warp) = 0;
  /// A warp of this scheduler has ended, or its threads have been formed into other warps.
  virtual void ended(WarpSlot warp) = 0;
  struct Formation {
    std::uint32_t pc = 0;  ///< The instruction at which the warp's threads are.
    /// How many post-dominators of branches a thread of the warp has passed: the minimum over its
    /// threads.
    std::uint32_t passed_count = 0;
  };
  /// Threads have been formed into the warp, or have joined it. Only with dynamic warp formation.
  virtual void formed(WarpSlot warp, const Formation& formation) = 0;
  /// The warp begins a long wait (is_long()), for example for a value from memory or at a barrier.
  virtual void begins_long_wait(WarpSlot warp, WaitReason reason) = 0;

  /// Returns one of `eligible`, which then issues, or kNoWarp if the policy wants none of them.
  ///
  /// `eligible` contains the warps of this scheduler that can issue in this cycle: warps that are
  /// ready, and warps on a wrong path after a mispredicted branch, if their next instruction finds
  /// space. pick() is not called if the set is empty. It is also not called while the last picked
  /// instruction occupies the scheduler (schedule.interval, or the passes of a large warp).
  ///
  /// After kNoWarp, and if no other scheduler issues, the multiprocessor skips to the next cycle in
  /// which a warp becomes ready or may find space, or in which a scheduler updates. It may also
  /// skip fewer cycles and call pick() again although nothing has changed, so the result must not
  /// depend on the number of calls. If the policy may choose differently in a cycle without any
  /// such event, it must name that cycle by next_update(). If warps are withheld for ever, the
  /// launch does not end.
  virtual WarpSlot pick(WarpSet eligible, Cycle now) = 0;
  /// The warps that the policy currently excludes from its choice, even if they are ready. The
  /// stall accounting counts those that could have issued as withheld; if the policy picked no
  /// warp, it counts all eligible warps as withheld. It attributes a cycle without issue to a warp
  /// that is not excluded, if any of these waits. Called after pick(), and in cycles in which no
  /// warp was eligible.
  virtual WarpSet excluded_warps() const = 0;
  /// Whether excluded_warps() may return a set that is not empty. If not, the core never calls it.
  bool may_exclude_warps() const { return may_exclude_warps_; }

  /// The cycle, later than `now`, in which the policy needs an update(), even if nothing else
  /// happens then; never() if it needs none. Called when the scheduler is made (with `now` 0),
  /// after each update(), and after each pick() that returns kNoWarp. Each result replaces the
  /// previous one.
  virtual Cycle next_update(Cycle now) const = 0;
  /// Called in the cycle that next_update() has returned, whether or not a warp can issue, and
  /// before any pick() of this cycle. It is not called while no block is resident: all updates that
  /// are missed in that time are replaced by one when the next block starts.
  virtual void update(Cycle now) = 0;

  /// Declares the policy's counters, with the prefix "schedule". The counters of all schedulers of
  /// a multiprocessor are added up.
  virtual void declare(CounterList& counters) = 0;

 protected:
  explicit Scheduler(bool may_exclude_warps) : may_exclude_warps_(may_exclude_warps) {}

 private:
  bool may_exclude_warps_;
};

/// Base class of schedulers that wrap no other one, and may exclude warps from their choice.
class SelectiveScheduler : public Scheduler {
 public:
  SelectiveScheduler() : SelectiveScheduler(true) {}
  void started(WarpSlot) override {}
  void ended(WarpSlot) override {}
  void formed(WarpSlot, const Formation&) override {}
  void begins_long_wait(WarpSlot, WaitReason) override {}
  Cycle next_update(Cycle) const override { return Cycle::never(); }
  void update(Cycle) override {}
  void declare(CounterList&) override {}

 protected:
  using Scheduler::Scheduler;
};

/// Base class of schedulers that always choose from all their warps.
class BasicScheduler : public SelectiveScheduler {
 public:
  BasicScheduler() : SelectiveScheduler(false) {}

  WarpSet excluded_warps() const final { return 0; }
};

/// What a policy is made from.
struct SchedulerPlace {
  const ScheduleDescription& description;
  WarpSet warps = 0;     ///< All slots whose warps the scheduler issues.
  const CoreView& core;  ///< Must outlive the scheduler.
  /// If the policy has an active set, it reports changes of the set here. May be null.
  ActivityListener* listener = nullptr;
};

/// The number of warps of a scheduler, for the check of a policy's parameters.
struct SchedulerShare {
  const ScheduleDescription& description;
  std::uint32_t total_warps = 0;  ///< The warps of a sub-core, divided among its schedulers.
  std::string_view source{};      ///< The parameters that set total_warps, for messages.

  /// The number of warps of a scheduler; if they differ, of the one with the most.
  std::uint32_t warps() const {
    return (total_warps + description.schedulers - 1) / description.schedulers;
  }
  /// Throws InputError if `value`, the value of the parameter schedule.`key`, exceeds warps().
  void check_fits(std::string_view key, std::uint32_t value) const;
};

struct SchedulerProperties {
  /// Whether the policy chooses by Scheduler::Formation, and so works with formed warps only.
  bool needs_formation = false;
  /// Whether it chooses from an active set of warps, and reports changes to an ActivityListener.
  bool has_active_set = false;
  /// Whether a warp leaves the active set at marks of the compiler (IssueInfo::suspends). If not,
  /// it leaves the set when it begins to wait for memory.
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
