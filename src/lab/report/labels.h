#pragma once

#include <optional>
#include <string>

#include "lab/report/study.h"

namespace heddle::lab::report {

/// The label of a mean in a chart: "mean" for all rows, "mean, high" for the group "high".
std::string mean_label(const StudyRow& mean);
/// The text of a tooltip: "bfs, large warps: 1.050 (1.040 to 1.060)". `where` names the row, `what`
/// the variant or the part.
std::string cell_text(const std::string& where, const std::string& what,
                      std::optional<double> value, bool relative,
                      const std::optional<Spread>& spread = {});
/// An SVG title element, which browsers show as a tooltip.
std::string tooltip(const std::string& content);

}  // namespace heddle::lab::report
