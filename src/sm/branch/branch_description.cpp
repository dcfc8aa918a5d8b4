#include <fmt/format.h>

#include "base/error.h"
#include "sm/branch/branch_unit.h"
#include "sm/sm_description.h"

namespace heddle::sm {

void BranchDescription::declare(config::Declarations& parameters) {
  parameters.choice("policy", policy, BranchRegistry::names(),
                    "what a warp fetches after a branch");
  parameters.number("resolve_cycles", resolve_cycles,
                    {.unit = "core cycles", .least = 1, .most = 1000},
                    "from the issue of a branch until it is resolved");
  parameters.number("jump_cycles", jump_cycles, {.unit = "core cycles", .least = 1, .most = 1000},
                    "from the issue of an unguarded branch until its target is fetched");
  parameters.flag(
      "fetches_targets", fetches_targets,
      "whether the target of an unguarded branch, or of one predicted taken, is fetched "
      "with the branch, in time for the next issue slot, instead of after jump_cycles");
  BranchRegistry::declare(*this, parameters);
}

void BranchDescription::check(const SmDescription& sm) const {
  BranchRegistry::check(policy, *this, sm);
  if (fetches_targets) check_fetches_ahead(sm, "branch.fetches_targets");
}

void check_fetches_ahead(const SmDescription& sm, std::string_view parameter) {
  if (sm.dependence.holds_fetch()) {
    throw InputError(fmt::format(
        "{} needs instructions that are fetched ahead: with dependence.policy '{}' nothing is "
        "fetched before a scheduler picks the warp",
        parameter, sm.dependence.policy));
  }
  if (sm.divergence.regroups_threads()) {
    throw InputError(fmt::format(
        "{} needs warps that stay together: with divergence.policy '{}' threads continue in "
        "other warps after each branch",
        parameter, sm.divergence.policy));
  }
}

void BranchDescription::storage(config::StorageList& list) const {
  BranchRegistry::storage(policy, list);
}

void BranchCounters::declare(CounterList& counters) {
  counters.add("branches", branches, "warp instructions", "branches that have to be resolved");
  counters.add("jumps", jumps, "warp instructions", "unguarded branches and calls");
}

std::unique_ptr<BranchUnit> make_branch_unit(const BranchDescription& description) {
  return BranchRegistry::make(description.policy, description, description);
}

}  // namespace heddle::sm
