#pragma once

// The energy of a timed simulation, as text and as JSON (docs/energy.md).

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "energy/account.h"
#include "energy_option.h"
#include "machine_options.h"
#include "timing.h"
#include "timing_report.h"

namespace heddle {

/// The energy of `timing`, accounted with the chip's technology.
energy::Account account_of(const TimedChip& timed, const Timing& timing);
/// One account for each kind of multiprocessors (the members of one group, or of no group). Empty
/// if the machine has only one kind.
std::vector<energy::Account> accounts_of_kinds(const TimedChip& timed, const Timing& timing);
/// Whole lines: the total energy, the efficiency, and then the components, the largest first.
std::string energy_text(const energy::Account& account, ListedComponents listed, Margin margin);
nlohmann::ordered_json energy_to_json(const energy::Account& account);

}  // namespace heddle
