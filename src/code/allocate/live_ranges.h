#pragma once

// Where in a function each value lives, as stretches of a line through all its instructions.

#include <cstdint>
#include <vector>

#include "code/function.h"
#include "code/liveness.h"

namespace heddle::code {

/// From `start` up to `end`. Instruction i (counted through the blocks in order) reads at 2i and
/// writes at 2i + 1, so what it reads for the last time does not meet what it writes.
struct Segment {
  std::uint32_t start = 0;
  std::uint32_t end = 0;
  friend bool operator==(const Segment&, const Segment&) = default;
};

/// Ascending; segments do not touch one another.
using Segments = std::vector<Segment>;

bool overlap(const Segments& a, const Segments& b);
/// Adds `b`, which does not overlap, to `a`.
void merge_into(Segments& a, const Segments& b);

struct LiveRanges {
  LiveRanges(const Function& function, const ValueNumbering& values);

  std::vector<Segments> of;  ///< By value.
  std::uint32_t end = 0;     ///< Of the line.
};

/// How deep in loops each block lies.
std::vector<std::uint32_t> loop_depths(const Graph& control_flow);

}  // namespace heddle::code
