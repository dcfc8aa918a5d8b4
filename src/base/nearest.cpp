#include "base/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heddle {

int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int substitution = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, substitution});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::string suggestion(std::string_view name, const std::vector<std::string>& known) {
  constexpr std::size_t kShortList = 8;
  const std::string* nearest = nullptr;
  int distance = 0;
  for (const std::string& candidate : known) {
    const int d = edit_distance(name, candidate);
    if (nearest == nullptr || d < distance) {
      nearest = &candidate;
      distance = d;
    }
  }
  if (nearest == nullptr) return {};
  const auto longest = static_cast<int>(std::max(name.size(), nearest->size()));
  if (distance <= std::max(1, longest / 3)) return fmt::format("; did you mean '{}'?", *nearest);
  if (known.size() <= kShortList) return fmt::format("; there are: {}", fmt::join(known, ", "));
  return {};
}

}  // namespace heddle
