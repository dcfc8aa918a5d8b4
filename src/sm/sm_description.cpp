#include "sm/sm_description.h"

namespace heddle::sm {

void BarrierDescription::declare(config::Declarations& parameters) {
  parameters.number("latency", latency, {.unit = "cycles", .least = 1, .most = 10000},
                    "from the last warp's arrival to the first instruction after the barrier");
}

void SmDescription::declare(config::Declarations& parameters) {
  parameters.part("sm", residency);
  parameters.part("sm", sub_cores);
  ResidencyPolicyParameters residency_policy{residency};
  parameters.part("residency", residency_policy);
  parameters.part("divergence", divergence);
  parameters.part("schedule", schedule);
  parameters.part("fetch", fetch);
  parameters.part("icache", icache);
  parameters.part("dependence", dependence);
  parameters.part("branch", branch);
  parameters.part("operands", operands);
  parameters.part("redundancy", redundancy);
  parameters.part("lookahead", lookahead);
  parameters.part("units", units);
  parameters.part("barrier", barrier);
  memory.declare(parameters);
  parameters.part("storage", launch_storage);
}

void SmDescription::storage(config::StorageList& list) const {
  residency.storage(list);
  InstructionCacheDescription::storage(list);
  memory.storage(list);
  divergence.storage(list);
  schedule.storage(list);
  dependence.storage(list);
  branch.storage(list);
  operands.storage(list);
  redundancy.storage(list);
  lookahead.storage(list);
}

void SmDescription::check() const {
  sub_cores.check(*this);
  divergence.check(*this);
  dependence.check({.fetch_ports = fetch.ports,
                    .schedulers = schedule.schedulers,
                    .keeps_static_warps = divergence.keeps_static_warps(),
                    .divergence = divergence.policy});
  branch.check(*this);
  operands.check(*this);
  redundancy.check(*this);
  lookahead.check(*this);
  units.check(*this);
  residency.check(*this);
  launch_storage.check(*this);
}

}  // namespace heddle::sm
