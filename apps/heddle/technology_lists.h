#pragma once

// Technologies and their figures, as 'heddle list' shows them: rows of cells, a heading first.

#include <string>
#include <vector>

#include "energy/technology.h"

namespace heddle {

std::vector<std::vector<std::string>> rows_of_technologies();
/// What each event takes and each component leaks, and who says so.
std::vector<std::vector<std::string>> rows_of_energies(const energy::Technology& technology);

}  // namespace heddle
