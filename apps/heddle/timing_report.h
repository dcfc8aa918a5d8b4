#pragma once

// What a run in time tells people.

#include <cstddef>
#include <cstdio>

#include "machine_options.h"
#include "timing.h"

namespace heddle {

/// Where the lines of a report begin, the column in which what they tell does, and where they go.
struct Margin {
  std::size_t indent = 0;
  std::size_t column = 24;
  std::FILE* to = stdout;
};

/// Which machine it was.
void print_machine(const TimedChip& timed, Margin margin);
/// How long a kernel, or all of them, took, and why not less.
void print_timing(const TimedChip& timed, const Timing& timing, Margin margin);

}  // namespace heddle
