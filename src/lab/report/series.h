#pragma once

#include <string>

#include "lab/report/groups.h"
#include "lab/report/study.h"

namespace heddle::lab::report {

/// What a variant's bars are filled with.
std::string series_fill(const Study& study, std::size_t column);

/// The class of a row's or a mean's line.
std::string line_style(const Group& group, std::size_t series);

/// For those who do not see a chart: what it shows, and where its numbers are.
std::string description(const Study& study, const std::string& kind);

}  // namespace heddle::lab::report
