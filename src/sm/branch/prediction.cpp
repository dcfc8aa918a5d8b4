#include "sm/branch/prediction.h"

#include <fmt/format.h>

#include <algorithm>

#include "sm/sm_description.h"

namespace heddle::sm {

void PredictionCounters::declare(CounterList& counters) {
  all.declare(counters);
  counters.add("diverged", diverged, "warp instructions",
               "branches that diverged; none of them is mispredicted");
  counters.add("unpredicted", unpredicted, "warp instructions",
               "indirect branches, such as returns and branch tables");
  counters.add("backward_correct", backward_correct, "warp instructions",
               "backward branches that were predicted correctly");
  counters.add("backward_mispredicted", backward_mispredicted, "warp instructions",
               "backward branches that were mispredicted");
  counters.add("forward_correct", forward_correct, "warp instructions",
               "forward branches that were predicted correctly");
  counters.add("forward_mispredicted", forward_mispredicted, "warp instructions",
               "forward branches that were mispredicted");
}

void PredictionParameters::check(const SmDescription& sm) {
  check_fetches_ahead(sm, fmt::format("branch.policy '{}'", sm.branch.policy));
}

NextFetch Prediction::next_fetch(WarpSlot warp, const IssueInfo& instruction,
                                 const BranchOutcome& outcome, Cycle now) {
  const NextFetch target = targets_.fetch_after(now);
  const Cycle resolved = std::max(target.from, now + resolve_cycles_ + outcome.delay);
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
    update(warp, taken, resolved);
    return target;
  }
  update(warp, outcome.taken, resolved);
  const bool is_correct = taken == outcome.taken;
  if (instruction.jumps_back) {
    ++(is_correct ? counters_.backward_correct : counters_.backward_mispredicted);
  } else {
    ++(is_correct ? counters_.forward_correct : counters_.forward_mispredicted);
  }
  const Cycle fall_through = now + Cycles(1);
  if (is_correct) return taken ? target : NextFetch{.from = fall_through};
  return {.from = resolved,
          .mispredicted = true,
          .wrong_from = taken ? target.from : fall_through,
          .wrong_with_branch = taken && target.with_branch};
}

}  // namespace heddle::sm
