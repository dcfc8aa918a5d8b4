#pragma once

#include <cstdint>

#include "base/lane_mask.h"
#include "memory/coalescer.h"
#include "memory/lane_addresses.h"

namespace heddle::sm {

/// Finds the aligned pieces of memory that contain the lanes' addresses: words of constant memory,
/// or lines of a texture. `piece_bytes` is their size, a power of two. Overwrites `out` with the
/// pieces, in order of the lowest lane in each.
void find_touched_pieces(const memory::LaneAddresses& addresses, LaneMask lanes,
                         std::uint32_t piece_bytes, memory::Segments& out);

/// The greatest number of lanes that share one address.
std::uint8_t max_lanes_per_address(const memory::LaneAddresses& addresses, LaneMask lanes);

}  // namespace heddle::sm
