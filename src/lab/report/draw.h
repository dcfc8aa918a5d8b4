#pragma once

// Draws an experiment's chart. Each function returns SVG, or an empty text if nothing was measured.

#include <string>

#include "lab/report/study.h"

namespace heddle::lab::report {

std::string draw_bars(const Study& study);
std::string draw_stacks(const Study& study);
std::string draw_lines(const Study& study);

/// Draws the kind of chart that the experiment's file chooses.
std::string draw(const Study& study);

/// The chart's legend, as an HTML list so that it wraps on a narrow screen.
std::string draw_legend(const Study& study);

}  // namespace heddle::lab::report
