#pragma once

// The registers, shared memory, warp slots and block slots of a multiprocessor: how many of them
// are allocated, and since when the others have been free.

#include <cstdint>
#include <vector>

#include "base/cycle.h"
#include "sm/residency/occupancy.h"
#include "sm/residency/residency_description.h"

namespace heddle::sm {

/// Amounts of the resources.
struct Allocation {
  std::uint64_t blocks = 0;
  std::uint64_t warps = 0;
  std::uint64_t registers = 0;
  std::uint64_t shared_bytes = 0;

  Allocation& operator+=(const Allocation& other);
  Allocation& operator-=(const Allocation& other);
};

class ResourcePool {
 public:
  explicit ResourcePool(const ResidencyDescription& multiprocessor) : capacity_(multiprocessor) {}

  // -- what is needed, rounded to allocation units ------------------------------------------------
  /// A block with all its warps.
  Allocation block(const BlockNeeds& needs) const;
  /// The registers and warp slots of `count` of a block's warps. Not for large warps.
  Allocation warps(const BlockNeeds& needs, std::uint64_t count) const;
  /// What a block needs besides its warps: a block slot, and its shared memory.
  Allocation without_warps(const BlockNeeds& needs) const;

  // -- what is allocated --------------------------------------------------------------------------
  bool has_room(const Allocation& wanted) const;
  /// The number of warps of such a block for which there are registers and warp slots.
  std::uint32_t room_for_warps(const BlockNeeds& needs) const;
  void allocate(const Allocation& wanted);
  void release(const Allocation& held, Cycle at);
  const Allocation& allocated() const { return allocated_; }
  /// How many allocations of this size fit on an empty multiprocessor.
  Occupancy occupancy(const Allocation& each) const;

  // -- since when space has been free -------------------------------------------------------------
  /// The cycle of the latest release without which `wanted` would not fit; 0 if it would fit
  /// without any of the remembered releases.
  Cycle room_since(const Allocation& wanted) const;
  void forget_releases() { releases_.clear(); }

 private:
  struct Release {
    Allocation held;
    Cycle at;
  };

  bool fits_beside(const Allocation& allocated, const Allocation& wanted) const;
  std::uint64_t registers_of_warp(const BlockNeeds& needs) const;

  ResidencyDescription capacity_;
  Allocation allocated_;
  std::vector<Release> releases_;  ///< Those since forget_releases(), in order of time.
};

}  // namespace heddle::sm
