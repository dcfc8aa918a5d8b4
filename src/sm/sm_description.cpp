#include "sm/sm_description.h"

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

}  // namespace heddle::sm
