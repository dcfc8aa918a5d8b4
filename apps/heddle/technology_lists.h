#pragma once

// The tables of technologies and of their energies that 'heddle list' shows. Each is a list of
// rows, the heading first.

#include <string>
#include <vector>

#include "energy/technology.h"

namespace heddle {

std::vector<std::vector<std::string>> rows_of_technologies();
/// The energy of each event and the leakage of each component, with their sources.
std::vector<std::vector<std::string>> rows_of_energies(const energy::Technology& technology);

}  // namespace heddle
