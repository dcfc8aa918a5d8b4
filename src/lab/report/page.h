#pragma once

#include <string>
#include <vector>

#include "lab/report/study.h"

namespace heddle::lab::report {

/// One page of HTML that needs nothing else: no network, no script.
std::string page(const std::vector<Study>& studies);

}  // namespace heddle::lab::report
