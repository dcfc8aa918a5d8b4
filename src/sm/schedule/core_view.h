#pragma once

// The state of the multiprocessor (the core) that a scheduling policy may inspect, in addition to
// the arguments of its functions.

#include <cstdint>

#include "sm/ids.h"
#include "sm/stalls/wait_reason.h"

namespace heddle::sm {

/// Numbers of load accesses to a cache since the chip was made. Each memory segment that an
/// instruction touches is one access. The numbers only grow: a policy computes the accesses of an
/// interval as a difference.
struct CacheCounts {
  std::uint64_t accesses = 0;  ///< Hits, misses, and accesses that join a miss in flight.
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;

  friend bool operator==(const CacheCounts&, const CacheCounts&) = default;
};

/// All values are those at the time of the call. They already include the effects of instructions
/// that other schedulers have issued earlier in the same cycle. Sets contain warps of all
/// schedulers of the multiprocessor.
class CoreView {
 public:
  CoreView() = default;
  CoreView(const CoreView&) = delete;
  CoreView& operator=(const CoreView&) = delete;
  virtual ~CoreView() = default;

  /// Warps that can issue as soon as there is space for their next instruction and a scheduler
  /// picks them.
  virtual WarpSet ready() const = 0;
  /// Warps that wait for `reason`.
  virtual WarpSet waiting_for(WaitReason reason) const = 0;
  /// Ready warps whose next instruction is a load, store or atomic that goes to local or global
  /// memory, or has generic addresses.
  virtual WarpSet ready_to_access_memory() const = 0;
  /// The warps of ready_to_access_memory() whose next instruction is a load. A load accesses the
  /// L1, unless it bypasses the L1.
  virtual WarpSet ready_to_load() const = 0;
  /// The accesses of the L1 in all cycles before this one. One kind of load is counted earlier: if
  /// no access is queued before it and all its segments hit, it is counted when it issues, a few
  /// cycles before its accesses.
  virtual CacheCounts l1() const = 0;
};

}  // namespace heddle::sm
