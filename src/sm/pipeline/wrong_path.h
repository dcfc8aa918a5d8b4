#pragma once

// After a mispredicted branch, a warp issues instructions of the wrong path until the branch is
// resolved. take_wrong_path() finds out which ones.

#include "sm/branch/wrong_paths.h"
#include "sm/dependence/dependence.h"
#include "sm/pipeline/issue_table.h"

namespace heddle::sm {

struct Misprediction {
  WarpSlot warp = 0;
  std::uint32_t pc = 0;  ///< First instruction of the wrong path.
  Cycle fetched;         ///< When that instruction has been fetched.
  Cycle until;           ///< When the branch is resolved.
  Cycle now;             ///< When the branch issued.
};

/// Finds the instructions of the wrong path that issue before the branch is resolved, and adds them
/// to `paths`. They end before the first instruction that is not arithmetic. They also end before
/// one that reads or writes a register which an earlier instruction of the wrong path writes: that
/// result would not be available before the branch is resolved. The instructions wait for results
/// that the warp has in flight. They are not executed, so they read and write nothing.
[[gnu::cold]] void take_wrong_path(const Misprediction& branch, const IssueTable& table,
                                   Dependence& dependence, WrongPaths& paths);

}  // namespace heddle::sm
