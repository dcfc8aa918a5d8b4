#pragma once

// The state of the core that a scheduler may inspect, besides the arguments of its calls.

#include <cstdint>

#include "sm/ids.h"
#include "sm/stalls/stall_cause.h"

namespace heddle::sm {

/// Numbers of load accesses to a cache, one for each segment, since the chip was made. They only
/// grow; a policy computes the accesses of an interval as a difference.
struct CacheCounts {
  std::uint64_t accesses = 0;  ///< Hits, misses, and accesses to data that are being fetched.
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;

  friend bool operator==(const CacheCounts&, const CacheCounts&) = default;
};

/// All values are those at the time of the call: instructions that an earlier scheduler has issued
/// in the same cycle are visible. Sets hold warps of the whole multiprocessor, including those of
/// other schedulers.
class CoreView {
 public:
  CoreView() = default;
  CoreView(const CoreView&) = delete;
  CoreView& operator=(const CoreView&) = delete;
  virtual ~CoreView() = default;

  /// Warps that can issue as soon as there is space for their next instruction and a scheduler
  /// picks them.
  virtual WarpSet ready() const = 0;
  /// Warps that wait for `cause`. Why a ready warp does not issue is determined only when its
  /// cycles are counted. The sets of those causes are therefore empty: the throttles, dispatch,
  /// withheld.
  virtual WarpSet waiting_for(StallCause cause) const = 0;
  /// Ready warps whose next instruction goes to local or global memory: loads, stores and atomics,
  /// and instructions with generic addresses.
  virtual WarpSet ready_to_access_memory() const = 0;
  /// The warps of ready_to_access_memory() whose next instruction is a load. Loads access the L1
  /// unless they bypass it.
  virtual WarpSet ready_to_load() const = 0;
  /// The accesses of the L1 in all cycles before this one. A load that has nothing queued before it
  /// and hits in full is counted when it issues, a few cycles before its accesses.
  virtual CacheCounts l1() const = 0;
};

}  // namespace heddle::sm
