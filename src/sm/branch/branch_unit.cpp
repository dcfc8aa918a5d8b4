#include "sm/branch/branch_unit.h"

#include <fmt/format.h>

#include "base/error.h"
#include "sm/divergence/divergence.h"
#include "sm/sm_description.h"

namespace heddle::sm {

void BranchDescription::declare(config::Declarations& parameters) {
  parameters.choice("policy", policy, BranchRegistry::names(), "what a warp does after a branch");
  parameters.number("resolve_cycles", resolve_cycles,
                    {.unit = "core cycles", .least = 1, .most = 1000},
                    "from the issue of a branch until it is known which lanes take it");
  parameters.number("jump_cycles", jump_cycles, {.unit = "core cycles", .least = 1, .most = 1000},
                    "from the issue of a branch without a guard until its target is fetched");
  parameters.flag("fetches_targets", fetches_targets,
                  "where such a branch goes, or one that is predicted to be taken, is fetched with "
                  "it, in time for the next issue slot, and not after jump_cycles");
  BranchRegistry::declare(*this, parameters);
}

void BranchDescription::check(const SmDescription& sm) const {
  BranchRegistry::check(policy, *this, sm);
  if (fetches_targets) check_fetches_ahead(sm, "branch.fetches_targets");
}

void check_fetches_ahead(const SmDescription& sm, std::string_view parameter) {
  if (sm.dependence.holds_fetch()) {
    throw InputError(fmt::format(
        "{} is about what is fetched after a branch: with dependence.policy '{}' nothing is "
        "fetched before a scheduler chooses the warp",
        parameter, sm.dependence.policy));
  }
  if (DivergenceRegistry::properties(sm.divergence.policy, sm.divergence).reports_formation) {
    throw InputError(fmt::format(
        "{} needs warps that stay together: with divergence.policy '{}' threads go on in other "
        "warps after each branch",
        parameter, sm.divergence.policy));
  }
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
