#pragma once

// The workloads that there are, for people.

#include <string>
#include <vector>

#include "lab/suite.h"

namespace heddle {

/// A heading, and a row for each.
std::vector<std::vector<std::string>> rows_of_workloads();
/// Of a suite's programs, those that are none here included.
std::vector<std::vector<std::string>> rows_of_workloads(const lab::Suite& suite);

}  // namespace heddle
