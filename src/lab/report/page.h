#pragma once

#include <string>
#include <vector>

#include "lab/report/study.h"

namespace heddle::lab::report {

/// One self-contained HTML page: it needs neither network nor scripts.
std::string page(const std::vector<Study>& studies);

}  // namespace heddle::lab::report
