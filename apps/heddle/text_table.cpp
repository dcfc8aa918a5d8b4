#include "text_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle {

void print_table(const std::vector<std::vector<std::string>>& rows) {
  if (rows.empty()) return;
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto& row : rows) {
    // Nothing is padded at a line's end.
    for (std::size_t i = 0; i + 1 < row.size(); ++i) fmt::print("{:{}}  ", row[i], widths[i]);
    fmt::print("{}\n", row.back());
  }
}

}  // namespace heddle
