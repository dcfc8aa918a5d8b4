#pragma once

#include "base/cycle.h"
#include "sm/ids.h"
#include "sm/instructions/issue_table.h"

namespace heddle::sm {

struct StaticWarp;

/// A check, for tests, of a dependence policy that models the values of registers: every value that
/// an instruction reads must be the one with which it is executed.
class ReadCheck {
 public:
  ReadCheck() = default;
  ReadCheck(const ReadCheck&) = delete;
  ReadCheck& operator=(const ReadCheck&) = delete;
  virtual ~ReadCheck() = default;

  /// Checks the instruction that the warp issues now. Called before it is executed. The warp
  /// consists of `static_warp`.
  virtual void check_reads(WarpSlot warp, const IssueTable& table, const IssueInfo& instruction,
                           const StaticWarp& static_warp, Cycle now) = 0;
};

}  // namespace heddle::sm
