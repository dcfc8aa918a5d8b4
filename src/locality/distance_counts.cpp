#include "locality/distance_counts.h"

#include <bit>

namespace heddle::locality {

void DistanceCounts::add_reuse(std::uint32_t distance) {
  ++reuses_[static_cast<std::size_t>(std::bit_width(distance))];
}

void DistanceCounts::add(const DistanceCounts& other) {
  first_accesses_ += other.first_accesses_;
  for (std::size_t c = 0; c < kClasses; ++c) reuses_[c] += other.reuses_[c];
}

std::size_t DistanceCounts::used_classes() const {
  std::size_t classes = kClasses;
  while (classes > 0 && reuses_[classes - 1] == 0) --classes;
  return classes;
}

}  // namespace heddle::locality
