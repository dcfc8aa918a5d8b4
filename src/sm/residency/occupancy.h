#pragma once

// What a block takes of a multiprocessor, and how many of a kind fit.

#include <cstdint>
#include <string_view>

#include "sm/residency/residency_description.h"

namespace heddle::sm {

/// What one block of a kernel takes.
struct BlockNeeds {
  std::uint32_t warps = 0;
  std::uint32_t registers_per_thread = 0;
  std::uint32_t shared_bytes = 0;
  /// How many warps travel as one, where they do: a block takes places for whole ones, or shares
  /// one evenly with others.
  std::uint32_t warps_together = 1;
  /// Its warps all have to be there at once, as blocks that wait for each other need it.
  bool as_a_whole = false;

  std::uint32_t places() const {
    if (warps >= warps_together) {
      return (warps + warps_together - 1) / warps_together * warps_together;
    }
    return warps_together / (warps_together / warps);
  }
};

enum class ResidencyLimit : std::uint8_t { registers, shared_memory, warps, blocks };
std::string_view name_of(ResidencyLimit limit);

/// How many blocks of a kernel an empty multiprocessor takes.
struct Occupancy {
  std::uint32_t blocks = 0;
  ResidencyLimit limit = ResidencyLimit::blocks;  ///< What keeps the next block out.
};
Occupancy occupancy_of(const ResidencyDescription& multiprocessor, const BlockNeeds& needs);

}  // namespace heddle::sm
