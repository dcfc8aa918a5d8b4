#pragma once

// What warps have done ahead, in the summary of a timed run.

#include <string>

#include "timing.h"

namespace heddle {

/// Empty if no warp has run ahead.
std::string lookahead_text(const Figures& figures, const Timing& timing);

}  // namespace heddle
