#pragma once

// Which warp issues next: one scheduler, of the one or several of a multiprocessor.

#include <memory>

#include "base/cycle.h"
#include "base/registry.h"
#include "sm/ids.h"

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
  /// One of `eligible`, which is not empty; it is issued then.
  virtual WarpSlot pick(WarpSet eligible, Cycle now) = 0;
};

using MakeScheduler = std::unique_ptr<Scheduler> (*)();
using SchedulerRegistry = Registry<MakeScheduler>;

}  // namespace heddle::sm
