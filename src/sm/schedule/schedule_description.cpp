#include "sm/schedule/schedule_description.h"

#include <fmt/format.h>

#include "base/error.h"
#include "sm/schedule/scheduler.h"

namespace heddle::sm {

void ScheduleDescription::declare(config::Declarations& parameters) {
  parameters.choice("policy", policy, SchedulerRegistry::names(), "which warp issues next");
  parameters.number("schedulers", schedulers, {.least = 1, .most = 8},
                    "schedulers of a sub-core, each with its share of the warps");
  parameters.number("interval", interval, {.unit = "cycles", .least = 1, .most = 64},
                    "from one instruction of a scheduler to the next");
  SchedulerRegistry::declare(*this, parameters);
}

void ScheduleDescription::storage(config::StorageList& list) const {
  SchedulerRegistry::storage(policy, list);
}

bool ScheduleDescription::needs_formation() const {
  return SchedulerRegistry::properties(policy, *this).needs_formation;
}

bool ScheduleDescription::has_active_set() const {
  return SchedulerRegistry::properties(policy, *this).has_active_set;
}

bool ScheduleDescription::suspends_by_marks() const {
  return SchedulerRegistry::properties(policy, *this).suspends_by_marks;
}

void ScheduleDescription::check(std::uint32_t warps, std::string_view source) const {
  if (schedulers > warps) {
    throw InputError(
        fmt::format("{} schedulers have only {} warps ({})", schedulers, warps, source));
  }
  SchedulerRegistry::check(policy, *this,
                           {.description = *this, .total_warps = warps, .source = source});
}

void SchedulerShare::check_fits(std::string_view key, std::uint32_t value) const {
  if (value <= warps()) return;
  throw InputError(
      fmt::format("schedule.{} is {}, but a scheduler has only {} warps: {} ({}) for {} "
                  "(schedule.schedulers)",
                  key, value, warps(), total_warps, source, description.schedulers));
}

std::unique_ptr<Scheduler> make_scheduler(const ScheduleDescription& description, WarpSet warps,
                                          const CoreView& core, ActivityListener* listener) {
  return SchedulerRegistry::make(
      description.policy, description,
      {.description = description, .warps = warps, .core = core, .listener = listener});
}

}  // namespace heddle::sm
