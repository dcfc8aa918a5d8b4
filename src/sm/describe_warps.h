#pragma once

#include <string>

#include "sm/residents.h"
#include "sm/warp_table.h"

namespace heddle::sm {

/// What a resident block's warp is about, for messages, where it has the slot that is its home.
std::string describe_warp(const WarpTable& warps, const Resident& resident, std::uint32_t number,
                          Cycle now);
/// All slots that are taken, a line each, where what travels in them is of several rows.
void describe_slots(const WarpTable& warps, const Residents& residents, Cycle now,
                    std::string& text);

}  // namespace heddle::sm
