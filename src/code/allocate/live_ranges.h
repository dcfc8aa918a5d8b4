#pragma once

// Live ranges: the positions of a function, in linear order, at which each value is live.

#include <cstdint>
#include <vector>

#include "code/function.h"
#include "code/liveness.h"

namespace heddle::code {

/// The positions [start, end). Instruction i, counted through all blocks in order, reads at
/// position 2i and writes at 2i + 1. So a value whose last reader is an instruction does not
/// overlap a value that the instruction writes.
struct Segment {
  std::uint32_t start = 0;
  std::uint32_t end = 0;
  friend bool operator==(const Segment&, const Segment&) = default;
};

/// Segments in ascending order, which neither overlap nor touch.
using Segments = std::vector<Segment>;

/// Whether any position is in both.
bool overlap(const Segments& a, const Segments& b);
/// Merges `b`, which must not overlap `a`, into `a`.
void merge_into(Segments& a, const Segments& b);

struct LiveRanges {
  LiveRanges(const Function& function, const ValueNumbering& values);

  std::vector<Segments> by_value;  ///< The live range of each value, see ValueNumbering.
  std::uint32_t end = 0;           ///< One past the last position.
};

/// By block: the number of loops that contain it.
std::vector<std::uint32_t> loop_depths(const Graph& control_flow);

}  // namespace heddle::code
