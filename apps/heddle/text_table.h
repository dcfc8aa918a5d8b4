#pragma once

#include <string>
#include <vector>

namespace heddle {

/// Prints rows of as many cells as the first has, each column as wide as its widest cell.
void print_table(std::vector<std::vector<std::string>> rows);

}  // namespace heddle
