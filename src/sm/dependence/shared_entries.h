#pragma once

#include <cstdint>

#include "base/cycle.h"
#include "sm/ids.h"
#include "sm/instructions/issue_table.h"

namespace heddle::sm {

/// Entries for results in flight that all warps of a sub-core share. A dependence policy that has
/// them implements this interface, because a warp that may issue may find too few free entries.
class SharedEntries {
 public:
  SharedEntries() = default;
  SharedEntries(const SharedEntries&) = delete;
  SharedEntries& operator=(const SharedEntries&) = delete;
  virtual ~SharedEntries() = default;

  /// The members of `ready` whose next instruction finds too few free entries at `now`.
  virtual WarpSet stuck_warps(WarpSet ready, Cycle now) = 0;
  /// The first cycle after `now` in which one of the stuck warps may find enough. A completion may
  /// free entries earlier.
  virtual Cycle next_space(WarpSet stuck, Cycle now) = 0;
  /// Whether an instruction of the warp's wrong path finds enough free entries at `now`.
  virtual bool has_space(WarpSlot warp, const IssueTable& table, const IssueInfo& instruction,
                         Cycle now) = 0;
  /// Counts cycles in which warps found too few, summed over warps.
  virtual void count_stuck(std::uint64_t warp_cycles) = 0;
};

}  // namespace heddle::sm
