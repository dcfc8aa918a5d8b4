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
  std::uint64_t rows = 0;        ///< Those that have: a multiprocessor has no more than 64.

  /// Threads of a single row.
  static FormedThreads of_row(std::uint32_t row, LaneMask lanes, std::uint32_t pc) {
    FormedThreads threads;
    threads.pc = pc;
    threads.add({row, lanes});
    return threads;
  }
  /// Takes the others away.
  void keep(LaneMask kept) {
    lanes = lanes & kept;
    rows = 0;
    std::size_t count = 0;
    for (const Part& part : parts) {
      const LaneMask left = part.lanes & kept;
      if (left.empty()) continue;
      parts[count++] = {part.row, left};
      rows |= std::uint64_t{1} << part.row;
    }
    parts.resize(count);
  }
  /// Adds threads of a row, in lanes that are free.
  void add(const Part& added) {
    lanes = lanes | added.lanes;
    const std::uint64_t row = std::uint64_t{1} << added.row;
    if ((rows & row) == 0) {
      rows |= row;
      return parts.push_back(added);
    }
    for (Part& part : parts) {
      if (part.row == added.row) part.lanes = part.lanes | added.lanes;
    }
  }
};

}  // namespace heddle::exec
