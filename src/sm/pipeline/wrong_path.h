#pragma once

// After a mispredicted branch, a warp issues the instructions that follow on the predicted side,
// the wrong path, until the branch is resolved. take_wrong_path() finds out which ones.

#include "sm/branch/wrong_paths.h"
#include "sm/dependence/dependence.h"
#include "sm/instructions/issue_table.h"

namespace heddle::sm {

struct Misprediction {
  WarpSlot warp = 0;
  std::uint32_t pc = 0;  ///< First instruction of the wrong path.
  Cycle fetched;         ///< The cycle from which that instruction is in the instruction buffer.
  Cycle until;           ///< When the branch is resolved.
  Cycle now;             ///< When the branch issued.
};

/// Finds the instructions of the wrong path that issue before the branch is resolved, and adds them
/// to `paths`. The list ends before the first instruction that is not arithmetic. It also ends
/// before an instruction that reads or writes a register which an earlier instruction of the wrong
/// path writes: that result would not be available before the branch is resolved. The instructions
/// wait for results that the warp has in flight. They are not executed, so no register changes.
[[gnu::cold]] void take_wrong_path(const Misprediction& branch, const IssueTable& table,
                                   Dependence& dependence, WrongPaths& paths);

}  // namespace heddle::sm
