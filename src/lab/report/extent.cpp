#include "lab/report/extent.h"

#include <algorithm>
#include <cmath>

namespace heddle::lab::report {
namespace {

void include(std::optional<Extent>& extent, double value) {
  if (!std::isfinite(value)) return;
  if (!extent) extent = {value, value};
  extent->low = std::min(extent->low, value);
  extent->high = std::max(extent->high, value);
}

template <class Visit>
void for_each_row(const Study& study, const Visit& visit) {
  for (const StudyRow& row : study.rows) visit(row);
  for (const StudyRow& mean : study.means) visit(mean);
}

}  // namespace

std::optional<Extent> extent_of_values(const Study& study) {
  std::optional<Extent> extent;
  for_each_row(study, [&](const StudyRow& row) {
    for (const auto& value : row.values) {
      if (value) include(extent, *value);
    }
    for (const auto& spread : row.spreads) {
      if (!spread) continue;
      include(extent, spread->least);
      include(extent, spread->most);
    }
  });
  return extent;
}

std::optional<Extent> extent_of_stacks(const Study& study) {
  std::optional<Extent> extent;
  for_each_row(study, [&](const StudyRow& row) {
    for (const Values& parts : row.parts) {
      double height = 0;
      for (const auto& part : parts) {
        // A negative part has no height.
        height += std::max(0.0, part.value_or(0));
        if (part) include(extent, height);
      }
    }
  });
  return extent;
}

}  // namespace heddle::lab::report
