#pragma once

// Counts how the schedulers' issue slots were used: for instructions, or empty for which cause.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "timing.h"

namespace heddle {

/// Cycles by use or cause. Their sum is the number of cycles of all schedulers together.
using IssueSlots = std::vector<std::pair<std::string, std::uint64_t>>;

/// By the names that Nsight Compute gives to warp states: selected, each stall cause, no_warps.
IssueSlots issue_slots(const Figures& figures, const Timing& timing);
/// By the classes of Kim et al., Warped-Preexecution, Section 3.
IssueSlots preexec_issue_slots(const Figures& figures, const Timing& timing);
/// The sum of all slots.
std::uint64_t total_of(const IssueSlots& slots);

}  // namespace heddle
