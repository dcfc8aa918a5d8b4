#include "lab/report/labels.h"

#include <fmt/format.h>

#include "lab/claim_text.h"
#include "lab/report/markup.h"

namespace heddle::lab::report {

std::string mean_label(const StudyRow& mean) {
  return mean.group.empty() ? "mean" : fmt::format("mean, {}", mean.group);
}

std::string cell_text(const std::string& where, const std::string& what,
                      std::optional<double> value, bool relative,
                      const std::optional<Spread>& spread) {
  const std::string over_seeds = spread_text(spread, relative);
  return fmt::format("{}, {}: {}{}", where, what,
                     value ? figure_text(value, relative) : "not measured",
                     over_seeds.empty() ? "" : fmt::format(" ({})", over_seeds));
}

std::string tooltip(const std::string& content) { return element("title", {}, text(content)); }

}  // namespace heddle::lab::report
