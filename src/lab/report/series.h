#pragma once

#include <string>

#include "lab/report/groups.h"
#include "lab/report/study.h"

namespace heddle::lab::report {

/// The fill of a variant's bars.
std::string series_fill(const Study& study, std::size_t column);

/// The CSS class of a row's or a mean's line.
std::string line_style(const Group& group, std::size_t series);

/// A chart's text alternative: what it shows and where its numbers are.
std::string description(const Study& study, const std::string& kind);

}  // namespace heddle::lab::report
