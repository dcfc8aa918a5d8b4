#pragma once

#include <string>
#include <vector>

#include "cuda/runtime/simulation.h"

namespace heddle::cuda {

/// From now on, a crash of the process in this code, or in a function that it calls, prints the
/// message as the last line and ends the process with the exit code for programs that cannot be
/// run. Does nothing about signals that the process ignores or handles. Can be called several
/// times.
void explain_crashes(std::vector<CodeRange> code, const std::string& message);

}  // namespace heddle::cuda
