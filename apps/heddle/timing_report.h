#pragma once

// What people read of a run in time.

#include <cstddef>
#include <string>

#include "machine_options.h"
#include "timing.h"

namespace heddle {

/// Where the lines of a report begin, and the column in which what they say does.
struct Margin {
  std::size_t indent = 0;
  std::size_t column = 24;
};

// Whole lines:
/// Which machine it was.
std::string machine_text(const TimedChip& timed, Margin margin);
/// How long a kernel, or all of them, took, and why not less.
std::string timing_text(const TimedChip& timed, const Timing& timing, Margin margin);

}  // namespace heddle
