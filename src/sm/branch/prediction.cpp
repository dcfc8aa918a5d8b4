#include "sm/branch/prediction.h"

#include <fmt/format.h>

#include <algorithm>

#include "sm/sm_description.h"

namespace heddle::sm {

void PredictionCounters::declare(CounterList& counters) {
  all.declare(counters);
  counters.add("diverged", diverged, "warp instructions",
               "branches that parted their warp; none of them is mispredicted");
  counters.add("unpredicted", unpredicted, "warp instructions",
               "branches that do not say where to, as returns and branch tables");
  counters.add("backward_right", backward_right, "warp instructions",
               "branches back that were predicted rightly");
  counters.add("backward_wrong", backward_wrong, "warp instructions",
               "branches back that were predicted wrongly");
  counters.add("forward_right", forward_right, "warp instructions",
               "branches on that were predicted rightly");
  counters.add("forward_wrong", forward_wrong, "warp instructions",
               "branches on that were predicted wrongly");
}

void PredictionParameters::check(const SmDescription& sm) {
  check_fetches_ahead(sm, fmt::format("branch.policy '{}'", sm.branch.policy));
}

NextFetch Prediction::next_fetch(WarpSlot warp, const IssueInfo& instruction,
                                 const BranchOutcome& outcome, Cycle now) {
  const NextFetch target = targets_.after(now);
  const Cycle resolved = std::max(target.from, now + resolve_ + outcome.late);
  if (instruction.jumps_always) {
    ++counters_.all.jumps;
    return target;
  }
  ++counters_.all.branches;
  if (!instruction.is_conditional) {
    ++counters_.unpredicted;
    return {.from = resolved};
  }
  const bool taken = predict(warp, instruction, outcome, now);
  if (outcome.diverged) {
    ++counters_.diverged;
    learn(warp, taken, resolved);
    return target;
  }
  learn(warp, outcome.taken, resolved);
  const bool is_right = taken == outcome.taken;
  if (instruction.jumps_back) {
    ++(is_right ? counters_.backward_right : counters_.backward_wrong);
  } else {
    ++(is_right ? counters_.forward_right : counters_.forward_wrong);
  }
  const Cycle straight_on = now + Cycles(1);
  if (is_right) return taken ? target : NextFetch{.from = straight_on};
  return {.from = resolved,
          .mispredicted = true,
          .wrong_from = taken ? target.from : straight_on,
          .wrong_with_branch = taken && target.with_branch};
}

}  // namespace heddle::sm
