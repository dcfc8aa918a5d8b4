#pragma once

#include <cstdint>

#include "base/inline_vector.h"
#include "base/lane_mask.h"

namespace heddle::exec {

/// Threads of one or several rows that are at the same instruction, each in the lane that its
/// registers are in.
struct FormedThreads {
  struct Part {
    std::uint32_t row = 0;
    LaneMask lanes;
  };

  std::uint32_t pc = 0;
  LaneMask lanes;                ///< Of all parts together, which share none.
  InlineVector<Part, 32> parts;  ///< A row has one at most.

  /// Threads of a single row.
  static FormedThreads of_row(std::uint32_t row, LaneMask lanes, std::uint32_t pc) {
    FormedThreads threads{.pc = pc, .lanes = lanes, .parts = {}};
    threads.parts.push_back({row, lanes});
    return threads;
  }
  /// Takes the others away.
  void keep(LaneMask kept) {
    lanes = lanes & kept;
    std::size_t count = 0;
    for (const Part& part : parts) {
      const LaneMask left = part.lanes & kept;
      if (!left.empty()) parts[count++] = {part.row, left};
    }
    parts.resize(count);
  }
  /// Adds threads of a row, in lanes that are free.
  void add(const Part& added) {
    lanes = lanes | added.lanes;
    for (Part& part : parts) {
      if (part.row != added.row) continue;
      part.lanes = part.lanes | added.lanes;
      return;
    }
    parts.push_back(added);
  }
};

}  // namespace heddle::exec
