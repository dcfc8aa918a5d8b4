#include "locality/grain.h"

namespace heddle::locality {

Grain grain_of(const ReuseCounts& counts, const EqualCapacities& capacities) {
  const auto served = [&](const EqualCapacities::Shape& shape) {
    return counts.reused(shape.block, shape.blocks);
  };
  const std::uint64_t large = served(capacities.large);
  const std::uint64_t small = served(capacities.small);
  return large > small ? Grain::coarse : large < small ? Grain::fine : Grain::neither;
}

}  // namespace heddle::locality
