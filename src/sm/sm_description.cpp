#include "sm/sm_description.h"

#include "sm/dependence/dependence.h"
#include "sm/schedule/scheduler.h"

namespace heddle::sm {

void ScheduleDescription::declare(config::Declarations& parameters) {
  parameters.choice("policy", policy, SchedulerRegistry::names(), "which warp issues next");
  parameters.number("schedulers", schedulers, {.least = 1, .most = 8},
                    "each with its share of the warps");
  parameters.number("interval", interval, {.unit = "cycles", .least = 1, .most = 64},
                    "from one instruction of a scheduler to its next");
}

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
