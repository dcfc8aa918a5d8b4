#pragma once

// A warp follows a branch that was predicted wrongly: which instructions it issues until that is
// known.

#include "sm/branch/wrong_paths.h"
#include "sm/dependence/dependence.h"
#include "sm/issue_table.h"

namespace heddle::sm {

struct WrongTurn {
  WarpSlot warp = 0;
  std::uint32_t pc = 0;  ///< Where it goes on.
  Cycle fetched;         ///< When what is there has been fetched.
  Cycle until;           ///< The branch is resolved.
  Cycle now;             ///< It has issued.
};

/// Of the wrong path those instructions issue that come before the first which is no arithmetic, or
/// has something to do with what one of them writes: that would not be there before the branch is
/// resolved. They wait for what the warp has under way, and read and write nothing themselves.
[[gnu::cold]] void take_wrong_path(const WrongTurn& turn, const IssueTable& table,
                                   Dependence& dependence, WrongPaths& paths);

}  // namespace heddle::sm
