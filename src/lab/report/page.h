#pragma once

#include <string>
#include <vector>

#include "lab/report/study.h"

namespace heddle::lab::report {

/// The report as one self-contained HTML page, which needs neither network nor scripts.
std::string page(const std::vector<Study>& studies);

}  // namespace heddle::lab::report
