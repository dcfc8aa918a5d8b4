#include "sm/branch/branch_unit.h"

namespace heddle::sm {

void BranchDescription::declare(config::Declarations& parameters) {
  parameters.choice("policy", policy, BranchRegistry::names(), "what a warp does after a branch");
  parameters.number("resolve_cycles", resolve_cycles,
                    {.unit = "core cycles", .least = 1, .most = 1000},
                    "from the issue of a branch until it is known which lanes take it");
  parameters.number("jump_cycles", jump_cycles, {.unit = "core cycles", .least = 1, .most = 1000},
                    "from the issue of a branch without a guard until its target is fetched");
  BranchRegistry::declare(*this, parameters);
}

void BranchDescription::check(const SmDescription& sm) const {
  BranchRegistry::check(policy, *this, sm);
}

void BranchDescription::storage(config::StorageList& list) const {
  BranchRegistry::storage(policy, list);
}

void BranchCounters::declare(CounterList& counters) {
  counters.add("branches", branches, "warp instructions", "that lanes may take or not");
  counters.add("jumps", jumps, "warp instructions", "that all lanes take");
}

std::unique_ptr<BranchUnit> make_branch_unit(const BranchDescription& description) {
  return BranchRegistry::make(description.policy, description, description);
}

}  // namespace heddle::sm
