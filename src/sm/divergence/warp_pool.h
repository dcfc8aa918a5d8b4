#pragma once

#include <array>
#include <cstdint>

#include "exec/divergence/formed_threads.h"
#include "sm/ids.h"

namespace heddle::sm {

/// Threads that currently form a warp, or wait to form one.
struct ThreadGroup {
  exec::FormedThreads threads;
  /// How many post-dominators of branches the threads have passed. When groups are merged, the
  /// smallest count is kept.
  std::uint32_t passed = 0;
};

/// Moves the threads of `from` to `into` whose lanes are free there: a thread never changes its
/// lane, where its registers are. Returns whether any thread moved.
bool join(ThreadGroup& from, ThreadGroup& into);

/// The formed warps of a multiprocessor that wait to be scheduled. Other threads can be merged with
/// them.
class WarpPool {
 public:
  /// Adds a warp of a launch, as the youngest.
  void add(WarpSlot warp, std::uint32_t grid, std::uint32_t pc);
  /// Removes a warp that has been scheduled.
  void remove(WarpSlot warp);
  /// The youngest warp of the launch at `pc`, or kNoWarp. Threads may join only this warp, even if
  /// an older one has more free lanes for them. `grid`: Grid::number of the launch.
  WarpSlot youngest(std::uint32_t grid, std::uint32_t pc) const;

 private:
  /// Warps whose program counters have the same hash, so that a search examines only a few warps.
  struct Bucket {
    WarpSet waiting = 0;
    WarpSlot youngest = 0;  ///< The warp that was added last. It may have been scheduled since.
  };
  struct Entry {
    std::uint32_t grid = 0;
    std::uint32_t pc = 0;
    std::uint64_t number = 0;  ///< The youngest warp has the greatest.
  };
  static constexpr std::size_t kBuckets = 256;
  static std::size_t bucket_of(std::uint32_t pc) { return pc % kBuckets; }

  std::uint64_t added_ = 0;                  ///< How many warps have been added so far.
  std::array<Entry, kMostWarps> entries_{};  ///< By slot.
  std::array<Bucket, kBuckets> buckets_{};
};

}  // namespace heddle::sm
