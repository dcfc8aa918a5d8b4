#include "sm/pipeline/policy_needs.h"

namespace heddle::sm {

PolicyNeeds needs_of(const SmDescription& description, const BranchUnit& branch) {
  return {.active_lanes = description.dependence.needs_active_lanes(),
          .held_fetch = description.dependence.holds_fetch(),
          .reused_results = description.lookahead.reuses_results(),
          .branch_outcomes = branch.predicts(),
          .suspension_at_marks =
              description.operands.suspends_by_marks() || description.schedule.suspends_by_marks()};
}

}  // namespace heddle::sm
