#pragma once

// An issue slot is one cycle of one scheduler. These functions count the slots in which an
// instruction was issued, and the empty slots by cause.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "timing.h"

namespace heddle {

/// Numbers of issue slots with the name of their use or cause. Their sum is the number of cycles of
/// all schedulers together.
using IssueSlots = std::vector<std::pair<std::string, std::uint64_t>>;

/// The slots by Nsight Compute's warp states: selected, each stall cause, no_warps.
IssueSlots issue_slots(const Figures& figures, const Timing& timing);
/// The slots by the classes of Kim et al., Warped-Preexecution, Section 3.
IssueSlots preexec_issue_slots(const Figures& figures, const Timing& timing);
/// The sum of all slots.
std::uint64_t total_of(const IssueSlots& slots);

}  // namespace heddle
