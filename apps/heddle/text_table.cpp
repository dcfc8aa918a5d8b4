#include "text_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "print.h"

namespace heddle {

void print_table(std::vector<std::vector<std::string>> rows) {
  if (rows.empty()) return;
  for (auto& row : rows) {
    for (std::string& cell : row) cell = printable_line(cell);
  }
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto& row : rows) {
    // The last cell is not padded.
    for (std::size_t i = 0; i + 1 < row.size(); ++i) print("{:{}}  ", row[i], widths[i]);
    print("{}\n", row.back());
  }
}

}  // namespace heddle
