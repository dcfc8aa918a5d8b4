#pragma once

#include <string>

#include "machine_options.h"

namespace heddle {

/// Power over time of a run that has been sampled and has a technology, as SVG: leakage, and what
/// the largest components take for what they do. Launches that ran beside one another share the
/// chip's power, which is drawn once.
std::string power_picture(const TimedChip& timed);

}  // namespace heddle
