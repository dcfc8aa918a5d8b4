#pragma once

#include <array>
#include <cstdint>

#include "exec/formed_warp.h"
#include "sm/ids.h"

namespace heddle::sm {

/// The warps of a multiprocessor that wait to be scheduled, among which threads look for company.
class WarpPool {
 public:
  /// A warp joins, the youngest of all.
  void add(WarpSlot warp, std::uint32_t grid, const exec::FormedThreads& threads) {
    waiting_ |= set_of(warp);
    standings_[warp] = {.grid = grid, .pc = threads.pc, .since = ++clock_};
  }
  /// It has been scheduled.
  void remove(WarpSlot warp) { waiting_ &= ~set_of(warp); }
  /// The youngest warp of the launch at `pc`, or kNoWarp: the only one that threads may join, even
  /// if an older one has more room for them.
  WarpSlot youngest(std::uint32_t grid, std::uint32_t pc) const;

 private:
  struct Standing {
    std::uint32_t grid = 0;
    std::uint32_t pc = 0;
    std::uint64_t since = 0;
  };
  WarpSet waiting_ = 0;
  std::uint64_t clock_ = 0;
  std::array<Standing, kMostWarps> standings_{};
};

/// Moves those of `from` to `into` whose lanes are free there: a thread stays in its lane, where
/// its registers are. Returns those that were moved.
LaneMask join(exec::FormedThreads& from, exec::FormedThreads& into);

}  // namespace heddle::sm
