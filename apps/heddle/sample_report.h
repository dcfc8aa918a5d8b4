#pragma once

// What was noted of launches by interval, as JSON and as a table, and power over time
// (docs/results.md, docs/energy.md).

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "energy/power.h"
#include "machine_options.h"
#include "timing.h"
#include "timing_report.h"

namespace heddle {

/// By sample of the kernel; `account` is of all of it.
std::vector<energy::Interval> power_of(const TimedChip& timed, const Timing& timing,
                                       const energy::Account& account);

/// A kernel's samples; with their energy where the chip has a technology.
nlohmann::ordered_json samples_to_json(const TimedChip& timed, const Timing& timing,
                                       const std::vector<energy::Interval>& intervals);
/// Adds to a kernel's energy what it took at most.
void add_peaks(nlohmann::ordered_json& energy, const TimedChip& timed,
               const std::vector<energy::Interval>& intervals);
/// A line: what it took on average and at most. Empty where there is no interval.
std::string power_text(const TimedChip& timed, const Timing& timing, const energy::Account& account,
                       Margin margin);
/// All samples, launch after launch.
std::string samples_csv(const TimedChip& timed);

}  // namespace heddle
