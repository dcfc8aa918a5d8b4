#pragma once

#include <string>

#include "sm/residents.h"
#include "sm/warp_table.h"

namespace heddle::sm {

/// What a slot's warp is about, for messages.
std::string describe_warp(const Slot& slot, Cycle now);
/// All slots that are taken, a line each, where what travels in them is of several rows.
void describe_slots(const WarpTable& warps, const Residents& residents, Cycle now,
                    std::string& text);

}  // namespace heddle::sm
