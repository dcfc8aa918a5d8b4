#pragma once

#include <string>
#include <vector>

namespace heddle {

/// Prints rows, all of which must have the same number of cells. A column is as wide as its widest
/// cell.
void print_table(std::vector<std::vector<std::string>> rows);

}  // namespace heddle
