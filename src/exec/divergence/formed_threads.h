#pragma once

#include <cstdint>

#include "base/inline_vector.h"
#include "base/lane_mask.h"

namespace heddle::exec {

/// A formed warp: threads of one or several static warps that are at the same instruction. A static
/// warp is a warp as the program sees it, of 32 consecutive threads. Each thread keeps the lane
/// that holds its registers.
struct FormedThreads {
  struct Part {
    std::uint32_t static_warp = 0;
    LaneMask lanes;
  };

  std::uint32_t pc = 0;
  LaneMask lanes;                  ///< The union of the parts' lanes, which do not overlap.
  InlineVector<Part, 32> parts;    ///< At most one for each static warp.
  std::uint64_t static_warps = 0;  ///< A bit for each static warp with a part; an SM has up to 64.

  /// Threads of a single static warp.
  static FormedThreads of_static_warp(std::uint32_t static_warp, LaneMask lanes, std::uint32_t pc) {
    FormedThreads threads;
    threads.pc = pc;
    threads.add({static_warp, lanes});
    return threads;
  }
  /// Removes the threads in all lanes but `kept`.
  void keep(LaneMask kept) {
    lanes = lanes & kept;
    static_warps = 0;
    std::size_t count = 0;
    for (const Part& part : parts) {
      const LaneMask left = part.lanes & kept;
      if (left.empty()) continue;
      parts[count++] = {part.static_warp, left};
      static_warps |= std::uint64_t{1} << part.static_warp;
    }
    parts.resize(count);
  }
  /// Adds threads of a static warp, whose lanes must be free.
  void add(const Part& added) {
    lanes = lanes | added.lanes;
    const std::uint64_t static_warp = std::uint64_t{1} << added.static_warp;
    if ((static_warps & static_warp) == 0) {
      static_warps |= static_warp;
      return parts.push_back(added);
    }
    for (Part& part : parts) {
      if (part.static_warp == added.static_warp) part.lanes = part.lanes | added.lanes;
    }
  }
};

}  // namespace heddle::exec
