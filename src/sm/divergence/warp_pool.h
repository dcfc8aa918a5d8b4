#pragma once

#include <array>
#include <cstdint>

#include "exec/divergence/formed_threads.h"
#include "sm/ids.h"

namespace heddle::sm {

/// Threads at one instruction that are a formed warp, or wait to become one.
struct ThreadGroup {
  exec::FormedThreads threads;
  /// How many post-dominators of branches a thread of the group has passed: the minimum over the
  /// threads.
  std::uint32_t passed_count = 0;
};

/// Moves threads of `from` into `into`, if their lanes are free there. A thread cannot change its
/// lane, because its registers are there. Returns whether any thread has moved.
bool join(ThreadGroup& from, ThreadGroup& into);

/// The formed warps of a multiprocessor that wait to be scheduled. Other threads may still join
/// them.
class WarpPool {
 public:
  /// Adds a warp whose threads are at `pc`, as the youngest. `grid`: Grid::number of its launch.
  void add(WarpSlot warp, std::uint32_t grid, std::uint32_t pc);
  /// Removes a warp that has been scheduled.
  void remove(WarpSlot warp);
  /// The youngest warp of a launch at `pc`; kNoWarp if there is none. Threads may join only this
  /// warp, even if an older one has more free lanes for them. `grid`: Grid::number of the launch.
  WarpSlot youngest(std::uint32_t grid, std::uint32_t pc) const;

 private:
  /// The warps in the pool whose program counters have the same hash. A search examines one bucket.
  struct Bucket {
    WarpSet warps = 0;
    WarpSlot youngest = 0;  ///< The warp that was added last, even if it has left the pool.
  };
  struct Entry {
    std::uint32_t grid = 0;
    std::uint32_t pc = 0;
    std::uint64_t number = 0;  ///< Counts additions: a younger warp has a larger number.
  };
  static constexpr std::size_t kBuckets = 256;
  static std::size_t bucket_of(std::uint32_t pc) { return pc % kBuckets; }

  std::uint64_t added_count_ = 0;           ///< How many warps have been added so far.
  std::array<Entry, kMaxWarps> entries_{};  ///< By slot.
  std::array<Bucket, kBuckets> buckets_{};
};

}  // namespace heddle::sm
