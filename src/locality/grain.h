#pragma once

#include "locality/reuse_counts.h"
#include "locality/sizes.h"

namespace heddle::locality {

/// Two memories of equal capacity: few large groups of addresses against many small ones. In the
/// measure, the size of a neighbourhood stands for that of a cache's blocks, and the size of the
/// window for their number.
struct EqualCapacities {
  struct Shape {
    NeighbourhoodBits block;
    WindowBits blocks;
  };
  Shape large;
  Shape small;
};

/// The capacities that Xiang's dissertation compares for a coarse-grained program (section 5.3,
/// kmeans): 2 groups of 2048 bytes against 32 groups of 128 bytes.
inline constexpr EqualCapacities kCoarseComparison{.large = {NeighbourhoodBits(11), WindowBits(1)},
                                                   .small = {NeighbourhoodBits(7), WindowBits(5)}};
/// The capacities that it compares for a fine-grained program (myocyte): 64 groups of 4 bytes
/// against 128 groups of 2 bytes.
inline constexpr EqualCapacities kFineComparison{.large = {NeighbourhoodBits(2), WindowBits(6)},
                                                 .small = {NeighbourhoodBits(1), WindowBits(7)}};

/// Whether an equal capacity serves more accesses with large or with small groups.
enum class Grain : std::uint8_t { coarse, fine, neither };

Grain grain_of(const ReuseCounts& counts, const EqualCapacities& capacities);

}  // namespace heddle::locality
