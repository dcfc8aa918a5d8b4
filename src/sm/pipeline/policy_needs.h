#pragma once

#include "sm/branch/branch_unit.h"
#include "sm/sm_description.h"

namespace heddle::sm {

/// What the selected policies need of the pipeline, apart from the calls that every policy gets. It
/// is found out once, because a virtual call for each instruction would be slow.
///
/// Parts that only some machines have are not listed here. They are pointers that may be null:
/// PipelineParts::wrong_paths, PipelineParts::lookahead, PipelineParts::redundancy,
/// Dependence::shared_entries() and Dependence::read_check().
struct PolicyNeeds {
  bool active_lanes = false;     ///< Issued::lanes (dependence policy).
  bool held_fetch = false;       ///< Fetch only when the instruction may issue (dependence policy).
  bool reused_results = false;   ///< Calls of the LookaheadUnit before each fetch and issue.
  bool branch_outcomes = false;  ///< BranchOutcome::taken and ::diverged (branch policy).
  /// Warps leave the active set at marks of the compiler, IssueInfo::suspends (operand or
  /// scheduling policy).
  bool suspension_at_marks = false;
};

PolicyNeeds needs_of(const SmDescription& description, const BranchUnit& branch);

}  // namespace heddle::sm
