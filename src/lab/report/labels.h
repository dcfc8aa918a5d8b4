#pragma once

#include <optional>
#include <string>

#include "lab/report/study.h"

namespace heddle::lab::report {

/// "mean", "mean, high".
std::string mean_label(const StudyRow& mean);
/// For a tooltip: "bfs, large warps: 1.050 (1.040 to 1.060)".
std::string cell_text(const std::string& where, const std::string& what,
                      std::optional<double> value, bool relative,
                      const std::optional<Spread>& spread = {});
/// The title of an SVG's element, which browsers show where the pointer is.
std::string tooltip(const std::string& said);

}  // namespace heddle::lab::report
