#pragma once

#include <string>

#include "lab/report/bar_layout.h"
#include "lab/report/study.h"

namespace heddle::lab::report {

/// The fill of a variant's bars; `column` is the variant's index in Study::columns.
std::string series_fill(const Study& study, std::size_t column);

/// The CSS classes of the line of a row or a mean. `series` counts the lines of the chart from 0.
std::string line_style(const ChartRow& row, std::size_t series);

/// A chart's text alternative: what it shows, and that its numbers are in the table below. `kind`
/// says what is drawn: "Bars, grouped by workload".
std::string description(const Study& study, const std::string& kind);

}  // namespace heddle::lab::report
