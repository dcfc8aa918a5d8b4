#pragma once

// How many blocks of a kernel fit on a multiprocessor.

#include <cstdint>
#include <string_view>

#include "sm/block_needs.h"
#include "sm/residency/residency_description.h"

namespace heddle::sm {

/// A resource that limits the number of resident blocks.
enum class ResidencyLimit : std::uint8_t { registers, shared_memory, warps, blocks };
std::string_view name_of(ResidencyLimit limit);

/// How many blocks of a kernel fit on an empty multiprocessor.
struct Occupancy {
  std::uint32_t blocks = 0;
  /// The resource that does not suffice for one more block.
  ResidencyLimit limit = ResidencyLimit::blocks;
};
/// The occupancy of a multiprocessor by blocks with these needs, under its residency policy.
Occupancy occupancy_of(const ResidencyDescription& multiprocessor, const BlockNeeds& needs);

}  // namespace heddle::sm
