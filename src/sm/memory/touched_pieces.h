#pragma once

#include <cstdint>

#include "base/lane_mask.h"
#include "memory/coalescer.h"
#include "memory/lane_addresses.h"

namespace heddle::sm {

/// Finds the aligned pieces of memory that contain the addresses of `lanes`: pieces of constant
/// memory of the size of an access, or lines of a texture. `piece_bytes`: the size of a piece, a
/// power of two. Replaces the contents of `out` by the pieces, in the order of the lowest lane in
/// each.
void find_touched_pieces(const memory::LaneAddresses& addresses, LaneMask lanes,
                         std::uint32_t piece_bytes, memory::Segments& out);

/// The largest number of lanes with the same address; 0 if `lanes` is empty.
std::uint8_t max_lanes_per_address(const memory::LaneAddresses& addresses, LaneMask lanes);

}  // namespace heddle::sm
