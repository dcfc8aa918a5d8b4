#pragma once

#include <array>
#include <cstdint>

#include "locality/sizes.h"

namespace heddle::locality {

/// Counts accesses, and how soon another access to their neighbourhood follows.
class ReuseCounts {
 public:
  void add_accesses(std::uint64_t count) { accesses_ += count; }
  /// One of the accesses is followed by another one in its neighbourhood, and the first such access
  /// is the `later`-th after it. `later` is at least 1, and at most kLargestWindow.
  void add_reuse(NeighbourhoodBits neighbourhood, std::uint64_t later);
  void add(const ReuseCounts& other);

  std::uint64_t accesses() const { return accesses_; }
  /// The accesses that another access to their neighbourhood follows within the window.
  std::uint64_t reused(NeighbourhoodBits neighbourhood, WindowBits window) const;
  /// reused() as a share of accesses(); 0 if there are none.
  double probability(NeighbourhoodBits neighbourhood, WindowBits window) const;

 private:
  std::uint64_t accesses_ = 0;
  /// By neighbourhood: the accesses whose first reuse is within this window, but not within the
  /// next smaller one.
  std::array<std::array<std::uint64_t, kSizes>, kSizes> first_reuses_{};
};

}  // namespace heddle::locality
