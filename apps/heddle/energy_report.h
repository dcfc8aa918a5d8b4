#pragma once

// What a run in time took in energy, for people and as JSON (docs/energy.md).

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "energy/account.h"
#include "machine_options.h"
#include "timing.h"
#include "timing_report.h"

namespace heddle {

/// With the technology that was asked for.
energy::Account account_of(const TimedChip& timed, const Timing& timing);
/// Of the multiprocessors of each kind, where there are several.
std::vector<energy::Account> accounts_of_kinds(const TimedChip& timed, const Timing& timing);
/// Whole lines: the total, then each component.
std::string energy_text(const energy::Account& account, Margin margin);
nlohmann::ordered_json energy_to_json(const energy::Account& account);

}  // namespace heddle
