#pragma once

#include <cstdint>

#include "base/inline_vector.h"
#include "base/lane_mask.h"

namespace heddle::exec {

/// The threads of a formed warp and the instruction that they execute next. A formed warp consists
/// of threads of one or several static warps that execute the same instruction together. A static
/// warp is a warp as the program knows it: 32 threads with consecutive numbers. A formed warp has
/// at most one thread for each lane: a thread stays in the lane that holds its registers.
struct FormedThreads {
  /// The threads of one static warp.
  struct Part {
    std::uint32_t static_warp = 0;
    LaneMask lanes;
  };

  std::uint32_t pc = 0;
  LaneMask lanes;                  ///< The lanes of all parts, which do not overlap.
  InlineVector<Part, 32> parts;    ///< At most one for each static warp.
  std::uint64_t static_warps = 0;  ///< A bit for each static warp with a part, 0 to 63.

  /// A formed warp whose threads all belong to one static warp.
  static FormedThreads of_static_warp(std::uint32_t static_warp, LaneMask lanes, std::uint32_t pc) {
    FormedThreads threads;
    threads.pc = pc;
    threads.add({static_warp, lanes});
    return threads;
  }
  /// Removes the threads that are not in the lanes `kept`.
  void keep(LaneMask kept) {
    lanes = lanes & kept;
    static_warps = 0;
    std::size_t count = 0;
    for (const Part& part : parts) {
      const LaneMask kept_lanes = part.lanes & kept;
      if (kept_lanes.empty()) continue;
      parts[count++] = {part.static_warp, kept_lanes};
      static_warps |= std::uint64_t{1} << part.static_warp;
    }
    parts.resize(count);
  }
  /// Adds threads of a static warp. No other thread may be in their lanes.
  void add(const Part& added) {
    lanes = lanes | added.lanes;
    const std::uint64_t bit = std::uint64_t{1} << added.static_warp;
    if ((static_warps & bit) == 0) {
      static_warps |= bit;
      return parts.push_back(added);
    }
    for (Part& part : parts) {
      if (part.static_warp == added.static_warp) part.lanes = part.lanes | added.lanes;
    }
  }
};

}  // namespace heddle::exec
