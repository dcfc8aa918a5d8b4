#pragma once

// The resource pool contains the registers, shared memory, warp slots and block slots of a
// multiprocessor. It records how many of them are allocated, and since when the others are free.

#include <cstdint>
#include <vector>

#include "base/cycle.h"
#include "sm/residency/occupancy.h"
#include "sm/residency/residency_description.h"
#include "sm/storage_sizes.h"

namespace heddle::sm {

/// An amount of each resource.
struct Allocation {
  std::uint64_t blocks = 0;  ///< Block slots.
  std::uint64_t warps = 0;   ///< Warp slots.
  std::uint64_t registers = 0;
  std::uint64_t shared_bytes = 0;

  Allocation& operator+=(const Allocation& other);
  Allocation& operator-=(const Allocation& other);
};

class ResourcePool {
 public:
  explicit ResourcePool(const ResidencyDescription& multiprocessor) : capacity_(multiprocessor) {}

  /// Replaces the numbers of registers and of bytes of shared memory. If they change, nothing may
  /// be allocated.
  void resize(const StorageSizes& sizes);

  // -- the resources that something needs, rounded up to allocation units -------------------------
  /// The resources of a block with all its warps.
  Allocation block(const BlockNeeds& needs) const;
  /// The registers and warp slots of `count` warps of a block. Not valid for large warps.
  Allocation warps(const BlockNeeds& needs, std::uint64_t count) const;
  /// The resources of a block that do not belong to its warps: a block slot, and its shared memory.
  Allocation without_warps(const BlockNeeds& needs) const;

  // -- allocation ---------------------------------------------------------------------------------
  /// Whether so much of each resource is free.
  bool has_space(const Allocation& wanted) const;
  /// For how many warps of a block there are registers and warp slots.
  std::uint32_t count_fitting_warps(const BlockNeeds& needs) const;
  void allocate(const Allocation& wanted);
  void release(const Allocation& released, Cycle at);
  const Allocation& allocated() const { return allocated_; }
  std::uint64_t free_registers() const { return capacity_.registers - allocated_.registers; }
  /// How many allocations of this size fit on an empty multiprocessor.
  Occupancy occupancy(const Allocation& allocation) const;

  // -- since when space has been free -------------------------------------------------------------
  /// For an allocation that fits: the cycle of the release that made the space for it; 0 if it
  /// would fit without any release since the last forget_releases().
  Cycle space_since(const Allocation& wanted) const;
  void forget_releases() { releases_.clear(); }

 private:
  struct Release {
    Allocation released;
    Cycle at;
  };

  /// Whether `wanted` fits if `allocated` is in use.
  bool fits_beside(const Allocation& allocated, const Allocation& wanted) const;
  std::uint64_t registers_of_warp(const BlockNeeds& needs) const;

  ResidencyDescription capacity_;
  Allocation allocated_;
  std::vector<Release> releases_;  ///< Since the last forget_releases(), in order of time.
};

}  // namespace heddle::sm
