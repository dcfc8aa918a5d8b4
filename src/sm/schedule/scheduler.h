#pragma once

// Which warp issues next: one scheduler, of the one or several of a multiprocessor.

#include <memory>
#include <string_view>

#include "base/cycle.h"
#include "config/answer_registry.h"
#include "sm/ids.h"
#include "sm/schedule/activity_listener.h"
#include "sm/schedule/schedule_description.h"

namespace heddle::sm {

/// All pure, so that a scheduler that asks another one (wrapping_scheduler.h) forgets nothing. What
/// most of them need not know of, BasicScheduler does not look at.
class Scheduler {
 public:
  Scheduler() = default;
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;
  virtual ~Scheduler() = default;

  /// A warp of this scheduler's begins, younger than all others.
  virtual void started(WarpSlot warp) = 0;
  virtual void ended(WarpSlot warp) = 0;
  /// The warp's threads have come together, at the begin or later (dynamic warp formation only).
  struct Formation {
    std::uint32_t pc = 0;
    std::uint32_t passed = 0;  ///< Post-dominators, by the thread that has passed fewest.
  };
  virtual void formed(WarpSlot warp, const Formation& formation) = 0;
  /// The warp is about to wait for what takes long: a value from memory, a barrier.
  virtual void begins_long_wait(WarpSlot warp) = 0;
  /// One of `eligible`, which is not empty; it is issued then. kNoWarp where it wants none of them.
  virtual WarpSlot pick(WarpSet eligible, Cycle now) = 0;
  /// The warps that it does not choose from at present, however ready they are.
  virtual WarpSet passed_over() const = 0;
};

/// A scheduler that asks no other one.
class BasicScheduler : public Scheduler {
 public:
  void started(WarpSlot) override {}
  void ended(WarpSlot) override {}
  void formed(WarpSlot, const Formation&) override {}
  void begins_long_wait(WarpSlot) override {}
  WarpSet passed_over() const override { return 0; }
};

/// What a scheduler is made for.
struct SchedulerPlace {
  const ScheduleDescription& description;
  WarpSet warps = 0;  ///< All that it will ever see.
  /// Hears from a policy with an active set whom it chooses from; null where nobody listens.
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
                                          ActivityListener* listener = nullptr);

}  // namespace heddle::sm
