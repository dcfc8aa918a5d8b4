#pragma once

#include <cstdint>

#include "base/lane_mask.h"
#include "memory/coalescer.h"
#include "memory/lane_addresses.h"

namespace heddle::sm {

/// The aligned pieces of `piece_bytes` bytes, a power of two, that the lanes' addresses are in,
/// each once, in the order of the lowest lane in it: the words of an access to constant memory, the
/// lines of a texture. What was in `out` is lost.
void find_touched_pieces(const memory::LaneAddresses& addresses, LaneMask lanes,
                         std::uint32_t piece_bytes, memory::Segments& out);

/// The greatest number of lanes that have the same address.
std::uint8_t most_lanes_of_an_address(const memory::LaneAddresses& addresses, LaneMask lanes);

}  // namespace heddle::sm
