#pragma once

// Which warp issues next: one scheduler, of the one or several of a multiprocessor.
//
// A cycle of the multiprocessor:
//   1. memory reports what has come, and warps whose waits are over become ready;
//   2. schedulers that wanted to look in this cycle look();
//   3. the schedulers pick(), one after another; what each picks issues before the next one picks.
// Cycles in which no warp can issue that could not before are skipped. Memory may be late by such
// cycles: what it has done shows in no warp yet. It is brought up to date where a policy asks for
// it (CoreView::l1), so that no policy sees it late.

#include <memory>
#include <string_view>

#include "base/counters.h"
#include "base/cycle.h"
#include "config/answer_registry.h"
#include "sm/ids.h"
#include "sm/schedule/activity_listener.h"
#include "sm/schedule/core_view.h"
#include "sm/schedule/schedule_description.h"
#include "sm/stall_cause.h"

namespace heddle::sm {

/// All pure, so that a scheduler that asks another one (wrapping_scheduler.h) forgets nothing. What
/// most of them need not know of, SelectiveScheduler does not look at, nor does BasicScheduler, for
/// those that choose from all of their warps.
class Scheduler {
 public:
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;
  virtual ~Scheduler() = default;

  /// A warp of this scheduler starts, younger than all others.
  virtual void started(WarpSlot warp) = 0;
  virtual void ended(WarpSlot warp) = 0;
  /// The warp's threads have come together, at the start or later (dynamic warp formation only).
  struct Formation {
    std::uint32_t pc = 0;
    std::uint32_t passed = 0;  ///< Post-dominators, by the thread that has passed fewest.
  };
  virtual void formed(WarpSlot warp, const Formation& formation) = 0;
  /// The warp is about to wait for what takes long (is_long): a value from memory, a barrier.
  virtual void begins_long_wait(WarpSlot warp, StallCause cause) = 0;

  /// One of `eligible`, which issues then; or kNoWarp, where it wants none of them.
  ///
  /// `eligible` are those of its warps that are ready and find room for their next instruction, or
  /// are on the wrong path after a branch and find room for what they issue in vain there. It
  /// is not asked where there are none, nor while the instruction that it picked last holds it up
  /// (schedule.interval, passes of a large warp).
  ///
  /// kNoWarp stands until something changes. Unless another scheduler issues, the multiprocessor
  /// then skips to the next cycle in which a warp becomes ready, may find room, or a scheduler
  /// looks. It may also skip less, and ask again though nothing has changed; no answer must go by
  /// how often it was asked. For a policy that goes by time, or by what it sees of the core,
  /// something may change without any of that: it has to say when it looks_again(). A launch whose
  /// warps are withheld for ever does not end.
  virtual WarpSlot pick(WarpSet eligible, Cycle now) = 0;
  /// The warps that it does not choose from at present, however ready they are. Those that could
  /// have issued are counted as withheld, as are all of `eligible` where it picked none of them. A
  /// cycle in which it does not issue is put down to its other warps, if any of them waits. Asked
  /// after pick(), and in cycles in which there was nothing to pick.
  virtual WarpSet passed_over() const = 0;
  /// Whether it ever passes any over. If not, it is not asked in every cycle.
  bool passes_over() const { return passes_over_; }

  /// The cycle, later than `now`, in which it wants to look although nothing else may happen then,
  /// on the multiprocessor or on the chip; never(), if in none. Asked when the scheduler is made
  /// (as of cycle 0), after each look(), and after each pick() of kNoWarp, and at no other time;
  /// the last answer counts.
  virtual Cycle looks_again(Cycle now) const = 0;
  /// The cycle that looks_again() named has come, whether or not a warp can issue; pick() follows
  /// if one can. While no block is resident nobody looks: what was missed is one look, with the
  /// next block.
  virtual void look(Cycle now) = 0;

  /// Its counters, in the part "schedule"; those of a multiprocessor's schedulers are added up.
  virtual void declare(CounterList& counters) = 0;

 protected:
  explicit Scheduler(bool passes_over) : passes_over_(passes_over) {}

 private:
  bool passes_over_;
};

/// A scheduler that asks no other one, and does not always choose from all of its warps.
class SelectiveScheduler : public Scheduler {
 public:
  SelectiveScheduler() : SelectiveScheduler(true) {}
  void started(WarpSlot) override {}
  void ended(WarpSlot) override {}
  void formed(WarpSlot, const Formation&) override {}
  void begins_long_wait(WarpSlot, StallCause) override {}
  Cycle looks_again(Cycle) const override { return Cycle::never(); }
  void look(Cycle) override {}
  void declare(CounterList&) override {}

 protected:
  using Scheduler::Scheduler;
};

/// One that chooses from all of them.
class BasicScheduler : public SelectiveScheduler {
 public:
  BasicScheduler() : SelectiveScheduler(false) {}

  WarpSet passed_over() const final { return 0; }
};

/// What a scheduler is made for.
struct SchedulerPlace {
  const ScheduleDescription& description;
  WarpSet warps = 0;     ///< All that it will ever see.
  const CoreView& core;  ///< For as long as the scheduler lives.
  /// Notified by a policy with an active set of the warps that it chooses from; or null.
  ActivityListener* listener = nullptr;
};

/// What the check of an answer's parameters can look at.
struct SchedulerShare {
  const ScheduleDescription& description;
  std::uint32_t of_all = 0;  ///< Warps on the multiprocessor, for all schedulers.
  std::string_view which{};  ///< Where their number is from.

  /// Of the scheduler that has most.
  std::uint32_t warps() const {
    return (of_all + description.schedulers - 1) / description.schedulers;
  }
  /// Throws InputError where the parameter "schedule.key" is a number of warps that no scheduler
  /// has.
  void check_fits(std::string_view key, std::uint32_t value) const;
};

struct SchedulerProperties {
  /// Whether it goes by formed(), and has nothing to choose by without it.
  bool goes_by_formation = false;
  /// Whether it chooses from few warps, and tells a listener which (ActivityListener).
  bool has_active_set = false;
  /// Whether a warp leaves that set where the compiler says so (IssueInfo::suspends), and not where
  /// it really waits for memory.
  bool suspends_by_marks = false;
};

struct SchedulerSeam {
  using Answer = Scheduler;
  using Description = ScheduleDescription;
  using Place = SchedulerPlace;
  using Context = SchedulerShare;
  using Properties = SchedulerProperties;
};
using SchedulerRegistry = config::AnswerRegistry<SchedulerSeam>;

/// The answer that the description names.
std::unique_ptr<Scheduler> make_scheduler(const ScheduleDescription& description, WarpSet warps,
                                          const CoreView& core,
                                          ActivityListener* listener = nullptr);

}  // namespace heddle::sm
