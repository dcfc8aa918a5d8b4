#pragma once

#include <string>

#include "gpu/machine.h"

namespace heddle {

/// A text drawing of the machine with its parameters, and below it the peak rates and latencies
/// that follow from them.
std::string draw_machine(const gpu::Machine& machine);

}  // namespace heddle
