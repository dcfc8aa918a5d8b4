#include "sm/schedule/schedule_description.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "sm/ids.h"
#include "sm/schedule/scheduler.h"

namespace heddle::sm {
namespace {

/// An active set within an active set would be the smaller one.
std::vector<std::string> inner_policies() {
  std::vector<std::string> names = SchedulerRegistry::names();
  names.erase(std::remove(names.begin(), names.end(), "active-set"), names.end());
  return names;
}

}  // namespace

void ScheduleDescription::declare(config::Declarations& parameters) {
  parameters.choice("policy", policy, SchedulerRegistry::names(), "which warp issues next");
  parameters.number("schedulers", schedulers, {.least = 1, .most = 8},
                    "each with its share of the warps");
  parameters.number("interval", interval, {.unit = "cycles", .least = 1, .most = 64},
                    "from one instruction of a scheduler to its next");
  parameters.number("fetch_group", fetch_group, {.unit = "warps", .least = 1, .most = kMostWarps},
                    "that take turns until all of them are stalled ('fetch-groups')");
  parameters.number("active_warps", active_warps, {.unit = "warps", .least = 1, .most = kMostWarps},
                    "of a scheduler that may issue; the others are pending ('active-set')");
  parameters.choice("inner", inner, inner_policies(),
                    "which of the active warps issues next ('active-set')");
}

bool ScheduleDescription::goes_by_formation() const {
  return SchedulerRegistry::get(policy)({.description = *this})->goes_by_formation();
}

void ScheduleDescription::check(std::uint32_t warps, std::string_view which) const {
  if (schedulers > warps) {
    throw InputError(
        fmt::format("{} schedulers have only {} warps ({})", schedulers, warps, which));
  }
  const std::uint32_t each = (warps + schedulers - 1) / schedulers;
  const auto check_share = [&](const char* key, std::uint32_t value) {
    if (value <= each) return;
    throw InputError(
        fmt::format("schedule.{} is {}, but a scheduler has only {} warps: {} ({}) for {} "
                    "(schedule.schedulers)",
                    key, value, each, warps, which, schedulers));
  };
  const bool sets = policy == "active-set";
  if (policy == "fetch-groups" || (sets && inner == "fetch-groups")) {
    check_share("fetch_group", fetch_group);
  }
  if (sets) check_share("active_warps", active_warps);
}

}  // namespace heddle::sm
