#pragma once

// The tables of workloads that 'heddle list workloads' shows.

#include <string>
#include <vector>

#include "lab/suite.h"

namespace heddle {

/// The table has a heading and a row for each workload.
std::vector<std::vector<std::string>> rows_of_workloads();
/// The table has a heading and a row for each program of a suite, including programs that are not
/// workloads.
std::vector<std::vector<std::string>> rows_of_workloads(const lab::Suite& suite);

}  // namespace heddle
