#include "sm/schedule/warp_schedulers.h"

namespace heddle::sm {

WarpSchedulers::WarpSchedulers(const ScheduleDescription& description, std::uint32_t sub_cores,
                               WarpSet warps, const CoreView& core, ActivityListener* listener)
    : listener_(listener),
      interval_(description.interval),
      description_(description),
      count_(sub_cores * description.schedulers),
      schedulers_(count_) {
  for_each_warp(warps, [&](WarpSlot warp) {
    scheduler_numbers_[warp] = static_cast<std::uint8_t>(warp % count());
    schedulers_[scheduler_number_of(warp)].warps |= set_of(warp);
  });
  for (std::uint32_t i = 0; i < count_; ++i) {
    SchedulerState& scheduler = schedulers_[i];
    scheduler.sub_core = i % sub_cores;
    scheduler.policy = make_scheduler(description_, scheduler.warps, core, listener_);
    find_next_update(scheduler, Cycle(0));
  }
}

Cycle WarpSchedulers::next_free(Cycle now) const {
  Cycle next = Cycle::never();
  for (const SchedulerState& scheduler : schedulers_) {
    if (scheduler.free_from > now) next = std::min(next, scheduler.free_from);
  }
  return next;
}

Cycle WarpSchedulers::next_pass(Cycle now) const {
  Cycle next = Cycle::never();
  for (const SchedulerState& scheduler : schedulers_) {
    if (scheduler.passes_until <= now + Cycles(1)) continue;
    const std::uint64_t until_last = (scheduler.passes_until - now).count - 1;
    next = std::min(next, now + Cycles((until_last - 1) % interval_.count + 1));
  }
  return next;
}

void WarpSchedulers::update(Cycle now) {
  for (SchedulerState& scheduler : schedulers_) {
    if (scheduler.update_at > now) continue;
    scheduler.policy->update(now);
    find_next_update(scheduler, now);
  }
}

void WarpSchedulers::find_next_update(SchedulerState& scheduler, Cycle now) {
  const Cycle at = std::max(scheduler.policy->next_update(now), now + Cycles(1));
  if (at == scheduler.update_at) return;
  scheduler.update_at = at;
  next_update_ = Cycle::never();
  for (const SchedulerState& other : schedulers_)
    next_update_ = std::min(next_update_, other.update_at);
}

void WarpSchedulers::declare(CounterList& counters) {
  for (SchedulerState& scheduler : schedulers_) counters.part("schedule", *scheduler.policy);
}

}  // namespace heddle::sm
