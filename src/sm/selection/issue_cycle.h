#pragma once

#include <cstdint>

#include "base/cycle.h"
#include "sm/ids.h"

namespace heddle::sm {

/// What a picked warp issues.
enum class IssueKind : std::uint8_t {
  normal,      ///< Its next instruction, which is executed.
  wrong_path,  ///< An instruction after a mispredicted branch, which is not executed.
  ahead,       ///< An instruction on its second context (sm/lookahead).
};

/// What the schedulers did in a cycle.
struct IssueCycle {
  Cycle now;
  std::uint32_t issued = 0;  ///< Number of schedulers that issued a normal instruction.
  /// Number of schedulers that issued one of a wrong path, or ahead.
  std::uint32_t speculative = 0;
  std::uint64_t idle = 0;  ///< Bit i: scheduler i issued nothing.
  WarpSet eligible = 0;    ///< Warps that could have issued, including those that did.
  /// The eligible warps that their scheduler's policy excluded from its choice.
  WarpSet withheld = 0;
  /// Warps whose scheduler is still busy with an earlier instruction.
  WarpSet busy_scheduler_warps = 0;
  /// Warps that need an entry of a shared scoreboard and find none free: the results in flight of
  /// other warps occupy all entries.
  WarpSet behind_results = 0;

  /// Whether any scheduler issued anything.
  bool has_issued() const { return (issued | speculative) != 0; }
};

}  // namespace heddle::sm
