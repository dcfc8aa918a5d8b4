#pragma once

// Which warp issues next: one scheduler, of the one or several of a multiprocessor.

#include <memory>

#include "base/cycle.h"
#include "base/registry.h"
#include "sm/ids.h"
#include "sm/schedule/schedule_description.h"

namespace heddle::sm {

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
  virtual void formed(WarpSlot, const Formation&) {}
  /// Whether it goes by that, and has nothing to choose by without it. Always the same.
  virtual bool goes_by_formation() const { return false; }
  /// The warp is about to wait for what takes long: a value from memory, a barrier.
  virtual void begins_long_wait(WarpSlot) {}
  /// One of `eligible`, which is not empty; it is issued then. kNoWarp where it wants none of them.
  virtual WarpSlot pick(WarpSet eligible, Cycle now) = 0;
  /// The warps that it does not choose from at present, however ready they are.
  virtual WarpSet passed_over() const { return 0; }
};

/// What a scheduler is made for.
struct SchedulerPlace {
  const ScheduleDescription& description;
  WarpSet warps = 0;  ///< All that it will ever see.
};

using MakeScheduler = std::unique_ptr<Scheduler> (*)(const SchedulerPlace&);
using SchedulerRegistry = Registry<MakeScheduler>;

}  // namespace heddle::sm
