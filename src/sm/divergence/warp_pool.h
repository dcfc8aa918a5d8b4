#pragma once

#include <array>
#include <cstdint>

#include "exec/divergence/formed_threads.h"
#include "sm/ids.h"

namespace heddle::sm {

/// Threads that travel together for now, and how far they have come: the post-dominators of
/// branches that they have passed. Of those that come together, the fewest.
struct Company {
  exec::FormedThreads threads;
  std::uint32_t passed = 0;
};

/// Moves those of `from` to `into` whose lanes are free there: a thread stays in its lane, where
/// its registers are. Returns whether there were any.
bool join(Company& from, Company& into);

/// The warps of a multiprocessor that wait to be scheduled, among which threads look for company.
class WarpPool {
 public:
  /// A warp of a launch joins, the youngest of all.
  void add(WarpSlot warp, std::uint32_t grid, std::uint32_t pc);
  /// It has been scheduled.
  void remove(WarpSlot warp);
  /// The youngest warp of the launch at `pc`, or kNoWarp: the only one that threads may join, even
  /// if an older one has more room for them.
  WarpSlot youngest(std::uint32_t grid, std::uint32_t pc) const;

 private:
  /// Those at some program counters, so that few are looked at.
  struct Group {
    WarpSet waiting = 0;
    WarpSlot youngest = 0;  ///< Unless it has been scheduled.
  };
  struct Standing {
    std::uint32_t grid = 0;
    std::uint32_t pc = 0;
    std::uint64_t since = 0;
  };
  static constexpr std::size_t kGroups = 256;
  static std::size_t group_of(std::uint32_t pc) { return pc % kGroups; }

  std::uint64_t clock_ = 0;
  std::array<Standing, kMostWarps> standings_{};
  std::array<Group, kGroups> groups_{};
};

}  // namespace heddle::sm
