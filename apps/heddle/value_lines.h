#pragma once

// Which values the lanes have computed, in the summary of a timed run (docs/observed-values.md).

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "timing.h"

namespace heddle {

/// Labels and texts of lines. Empty if the machine does not observe values.
std::vector<std::pair<std::string_view, std::string>> value_lines(const Figures& figures,
                                                                  const Timing& timing);

}  // namespace heddle
