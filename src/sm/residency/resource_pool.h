#pragma once

// A multiprocessor's registers, scratchpad, warps and places for blocks: what of them is allocated,
// and since when the rest has been free.

#include <cstdint>
#include <vector>

#include "base/cycle.h"
#include "sm/residency/occupancy.h"
#include "sm/residency/residency_description.h"

namespace heddle::sm {

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
  explicit ResourcePool(const ResidencyDescription& has) : has_(has) {}

  // -- what is needed, rounded as it is given -----------------------------------------------------
  /// A block with all its warps.
  Allocation block(const BlockNeeds& needs) const;
  /// Some of its warps: registers and places. Only where warps travel alone.
  Allocation warps(const BlockNeeds& needs, std::uint64_t count) const;
  /// What a block has besides its warps: its place, and its shared memory.
  Allocation frame(const BlockNeeds& needs) const;

  // -- what is allocated --------------------------------------------------------------------------
  bool has_room(const Allocation& wanted) const;
  /// How many warps of the block there is room for.
  std::uint32_t room_for_warps(const BlockNeeds& needs) const;
  void allocate(const Allocation& wanted);
  void release(const Allocation& held, Cycle at);
  const Allocation& allocated() const { return allocated_; }
  /// How many of a kind an empty multiprocessor takes.
  Occupancy occupancy(const Allocation& each) const;

  // -- since when ---------------------------------------------------------------------------------
  /// When the last release came without which there would be no room; 0 if there would be without
  /// any of those that are remembered.
  Cycle room_since(const Allocation& wanted) const;
  void forget_releases() { releases_.clear(); }

 private:
  struct Release {
    Allocation held;
    Cycle at;
  };

  bool fits_beside(const Allocation& allocated, const Allocation& wanted) const;
  std::uint64_t registers_of_warp(const BlockNeeds& needs) const;

  ResidencyDescription has_;
  Allocation allocated_;
  std::vector<Release> releases_;  ///< In the order of their cycles.
};

}  // namespace heddle::sm
