#pragma once

#include <string>

#include "machine_options.h"

namespace heddle {

/// Power over time as SVG: leakage, and the dynamic power of the largest components. The run must
/// have samples and a technology. If launches overlapped, the power of the whole chip is drawn
/// once.
std::string power_picture(const TimedChip& timed);

}  // namespace heddle
