#pragma once

// Samples of launches as JSON and as CSV, and power over time (docs/samples.md, docs/energy.md).

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "energy/power.h"
#include "machine_options.h"
#include "timing.h"
#include "timing_report.h"

namespace heddle {

/// The energy of each sample of a kernel. `account` is the energy of the whole kernel.
std::vector<energy::Interval> power_of(const TimedChip& timed, const Timing& timing,
                                       const energy::Account& account);

/// The samples of a kernel. If the chip has a technology, `intervals` is their energy, as
/// power_of() returns it; else it is not used.
nlohmann::ordered_json samples_to_json(const TimedChip& timed, const Timing& timing,
                                       const std::vector<energy::Interval>& intervals);
/// Adds the peak power to a kernel's energy. Adds nothing if there is no interval.
void add_peaks(nlohmann::ordered_json& energy, const TimedChip& timed,
               const std::vector<energy::Interval>& intervals);
/// One line with average and peak power. Empty if there is no interval.
std::string power_text(const TimedChip& timed, const Timing& timing, const energy::Account& account,
                       Margin margin);
/// All samples, in the order of the launches.
std::string samples_csv(const TimedChip& timed);

}  // namespace heddle
