#pragma once

// Where the cycles of the schedulers went.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "timing.h"

namespace heddle {

/// Cycles under a name; together as many as the schedulers had.
using IssueSlots = std::vector<std::pair<std::string, std::uint64_t>>;

/// By the names that Nsight Compute gives to a warp's states: selected, each cause that kept warps
/// from issuing, no_warps.
IssueSlots issue_slots(const Figures& figures, const Timing& timing);
/// By the classes of Kim et al., Warped-Preexecution, Section 3.
IssueSlots preexec_issue_slots(const Figures& figures, const Timing& timing);
/// All of them.
std::uint64_t total_of(const IssueSlots& slots);

}  // namespace heddle
