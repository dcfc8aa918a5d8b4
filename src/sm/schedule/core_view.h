#pragma once

// What a scheduler may look at of the core around it, besides what it is called with.

#include <cstdint>

#include "sm/ids.h"
#include "sm/stall_cause.h"

namespace heddle::sm {

/// Accesses of loads to a cache, one for each segment, since the chip was made: they only grow,
/// and those of a stretch of time are differences.
struct CacheCounts {
  std::uint64_t accesses = 0;  ///< Hits, misses, and those whose data were on their way already.
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;

  friend bool operator==(const CacheCounts&, const CacheCounts&) = default;
};

/// All of it is as it stands at the moment of the call: what a scheduler before this one has issued
/// in the same cycle shows. The sets are of the whole multiprocessor's warps, those of other
/// schedulers included.
class CoreView {
 public:
  CoreView() = default;
  CoreView(const CoreView&) = delete;
  CoreView& operator=(const CoreView&) = delete;
  virtual ~CoreView() = default;

  /// Those that wait for nothing but room for their next instruction, and their turn.
  virtual WarpSet ready() const = 0;
  /// Those that wait for it. What keeps a warp that is ready is found out only when its cycles are
  /// counted: of throttles, dispatch and withheld the sets are empty.
  virtual WarpSet waiting_for(StallCause cause) const = 0;
  /// Of the ready ones, those whose next instruction goes to local or global memory: loads, stores
  /// and atomics, and those with generic addresses.
  virtual WarpSet about_to_access_memory() const = 0;
  /// Of these, the loads, which look into the L1 (but for those that pass by it).
  virtual WarpSet about_to_load() const = 0;
  /// What the L1 has seen in all cycles before this one. A load that has nothing before it and
  /// finds all of its data is counted when it issues, a few cycles before its accesses.
  virtual CacheCounts l1() const = 0;
};

}  // namespace heddle::sm
