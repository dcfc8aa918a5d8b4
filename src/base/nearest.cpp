#include "base/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heddle {

int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> row_before_last(b.size() + 1), last_row(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last_row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int substitution = last_row[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last_row[j] + 1, row[j - 1] + 1, substitution});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], row_before_last[j - 2] + 1);
      }
    }
    std::swap(row_before_last, last_row);
    std::swap(last_row, row);
  }
  return last_row[b.size()];
}

namespace {

/// The largest edit distance at which a name is suggested.
int max_edits(std::string_view name, std::string_view candidate) {
  return std::max(1, static_cast<int>(std::max(name.size(), candidate.size())) / 3);
}

/// A cheap test that rejects most candidates: the edit distance is at least the difference of the
/// lengths. It matters because a name from the user's input may be as long as a file.
bool may_be_near(std::string_view name, std::string_view candidate) {
  const std::size_t longer = std::max(name.size(), candidate.size());
  const std::size_t shorter = std::min(name.size(), candidate.size());
  return longer - shorter <= static_cast<std::size_t>(max_edits(name, candidate));
}

}  // namespace

std::string suggestion(std::string_view name, const std::vector<std::string>& known) {
  constexpr std::size_t kShortList = 8;
  const std::string* nearest = nullptr;
  int distance = 0;
  for (const std::string& candidate : known) {
    if (!may_be_near(name, candidate)) continue;
    const int d = edit_distance(name, candidate);
    if (nearest == nullptr || d < distance) {
      nearest = &candidate;
      distance = d;
    }
  }
  if (nearest != nullptr && distance <= max_edits(name, *nearest)) {
    return fmt::format("; did you mean '{}'?", *nearest);
  }
  if (!known.empty() && known.size() <= kShortList) {
    return fmt::format("; choose one of: {}", fmt::join(known, ", "));
  }
  return {};
}

}  // namespace heddle
