#include "sm/sm_description.h"

#include <fmt/format.h>

#include "base/error.h"
#include "sm/dependence/dependence.h"

namespace heddle::sm {

void DependenceDescription::declare(config::Declarations& parameters) {
  parameters.choice("policy", policy, DependenceRegistry::names(),
                    "what a warp's next instruction waits for");
}

void BarrierDescription::declare(config::Declarations& parameters) {
  parameters.number("latency", latency, {.unit = "cycles", .least = 1, .most = 10000},
                    "from the last warp's arrival to the first instruction behind the barrier");
}

void SmDescription::declare(config::Declarations& parameters) {
  parameters.part("sm", residency);
  parameters.part("divergence", divergence);
  parameters.part("schedule", schedule);
  parameters.part("fetch", fetch);
  parameters.part("icache", icache);
  parameters.part("dependence", dependence);
  parameters.part("branch", branch);
  parameters.part("operands", operands);
  parameters.part("units", units);
  parameters.part("barrier", barrier);
  memory.declare(parameters);
}

void SmDescription::check() const {
  const Divergence& travel = *DivergenceRegistry::get(divergence.policy);
  travel.check(*this);
  const ScheduledWarps scheduled = travel.scheduled(*this);
  schedule.check(scheduled.count, scheduled.source);
  const bool holds_fetch = DependenceRegistry::get(dependence.policy)()->holds_fetch();
  if (fetch.ports < schedule.schedulers && holds_fetch) {
    throw InputError(fmt::format(
        "with dependence.policy '{}' an instruction is fetched when a scheduler has chosen its "
        "warp: {} schedulers need as many ports of the instruction cache; fetch.ports is {}",
        dependence.policy, schedule.schedulers, fetch.ports));
  }
  if (!travel.reports_formation && schedule.goes_by_formation()) {
    throw InputError(fmt::format(
        "schedule.policy '{}' chooses among warps that are formed anew all the time, which "
        "divergence.policy '{}' does not do: it needs 'dynamic-formation'",
        schedule.policy, divergence.policy));
  }
}

}  // namespace heddle::sm
