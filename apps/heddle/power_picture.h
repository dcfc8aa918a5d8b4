#pragma once

#include <string>

#include "machine_options.h"

namespace heddle {

/// Power over time as SVG: leakage, and dynamic power of the largest components. The run must have
/// samples and a technology. Launches that overlapped share the chip's power, which is drawn once.
std::string power_picture(const TimedChip& timed);

}  // namespace heddle
