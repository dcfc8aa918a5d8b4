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
  divergence.check(residency.warps);
  const Travel travel = DivergenceRegistry::get(divergence.policy)();
  const bool forms = travel == Travel::formed_warps;
  switch (travel) {
    case Travel::warps:
      schedule.check(residency.warps, "sm.warps");
      break;
    case Travel::large_warps:
      schedule.check(residency.warps / divergence.rows(),
                     "sm.warps, in large ones of divergence.large_warp threads");
      break;
    case Travel::formed_warps:
      schedule.check(divergence.formed_warps, "divergence.formed_warps");
      break;
  }
  const bool holds_fetch = DependenceRegistry::get(dependence.policy)()->holds_fetch();
  if (fetch.ports < schedule.schedulers && holds_fetch) {
    throw InputError(fmt::format(
        "with dependence.policy '{}' an instruction is fetched when a scheduler has chosen its "
        "warp: {} schedulers need as many ports of the instruction cache; fetch.ports is {}",
        dependence.policy, schedule.schedulers, fetch.ports));
  }
  if (forms && !holds_fetch) {
    throw InputError(fmt::format(
        "divergence.policy '{}' needs dependence.policy 'barrel', not '{}': threads are formed to "
        "warps anew behind each instruction, and can have nothing under way then",
        divergence.policy, dependence.policy));
  }
  if (forms && schedule.schedulers > 1) {
    throw InputError(fmt::format(
        "divergence.policy '{}' has one pool of warps, for one scheduler: schedule.schedulers is "
        "{}",
        divergence.policy, schedule.schedulers));
  }
  if (!forms && schedule.goes_by_formation()) {
    throw InputError(fmt::format(
        "schedule.policy '{}' chooses among warps that are formed anew all the time, which "
        "divergence.policy '{}' does not do: it needs 'dynamic-formation'",
        schedule.policy, divergence.policy));
  }
}

}  // namespace heddle::sm
