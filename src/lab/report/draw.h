#pragma once

// An experiment's picture, as its chart asks for. Each returns SVG, and nothing where there is
// nothing to draw.

#include <string>

#include "lab/report/study.h"

namespace heddle::lab::report {

std::string draw_bars(const Study& study);
std::string draw_stacks(const Study& study);
std::string draw_lines(const Study& study);

/// The one that is asked for.
std::string draw(const Study& study);

/// What stands for which series: a list in HTML, so that it wraps on a narrow screen.
std::string draw_legend(const Study& study);

}  // namespace heddle::lab::report
