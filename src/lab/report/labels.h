#pragma once

#include <optional>
#include <string>

#include "lab/report/study.h"

namespace heddle::lab::report {

/// "mean", "mean, high".
std::string mean_label(const StudyRow& mean);
/// Text of a tooltip: "bfs, large warps: 1.050 (1.040 to 1.060)".
std::string cell_text(const std::string& where, const std::string& what,
                      std::optional<double> value, bool relative,
                      const std::optional<Spread>& spread = {});
/// The SVG title element, which browsers show as a tooltip.
std::string tooltip(const std::string& content);

}  // namespace heddle::lab::report
