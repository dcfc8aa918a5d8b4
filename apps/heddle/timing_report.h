#pragma once

// The results of a timed simulation as text.

#include <cstddef>
#include <string>

#include "machine_options.h"
#include "timing.h"

namespace heddle {

/// The column in which the lines of a report begin, and the column of their values.
struct Margin {
  std::size_t indent = 0;
  std::size_t column = 24;
};

// The following functions return whole lines.
/// The machine and its settings.
std::string machine_text(const TimedChip& timed, Margin margin);
/// The cycles of a kernel, or of all kernels, and how the issue slots and the memory were used.
std::string timing_text(const TimedChip& timed, const Timing& timing, Margin margin);

}  // namespace heddle
