#include "locality/reuse_counts.h"

#include <bit>
#include <cassert>

namespace heddle::locality {

void ReuseCounts::add_reuse(NeighbourhoodBits neighbourhood, std::uint64_t later) {
  assert(later >= 1 && later <= kLargestWindow);
  const auto window = static_cast<std::size_t>(std::bit_width(later - 1));
  ++first_reuses_[neighbourhood.index()][window];
}

void ReuseCounts::add(const ReuseCounts& other) {
  accesses_ += other.accesses_;
  for (std::size_t n = 0; n < kSizes; ++n) {
    for (std::size_t m = 0; m < kSizes; ++m) first_reuses_[n][m] += other.first_reuses_[n][m];
  }
}

std::uint64_t ReuseCounts::reused(NeighbourhoodBits neighbourhood, WindowBits window) const {
  std::uint64_t sum = 0;
  for (std::size_t m = 0; m <= window.index(); ++m) sum += first_reuses_[neighbourhood.index()][m];
  return sum;
}

double ReuseCounts::probability(NeighbourhoodBits neighbourhood, WindowBits window) const {
  if (accesses_ == 0) return 0;
  return static_cast<double>(reused(neighbourhood, window)) / static_cast<double>(accesses_);
}

}  // namespace heddle::locality
