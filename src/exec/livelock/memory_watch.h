#pragma once

// A memory watch detects and undoes the changes that an instruction makes to memory in a livelock
// probe.

#include <cstddef>
#include <optional>
#include <vector>

#include "exec/block/warp_context.h"
#include "exec/livelock/livelock_probe.h"

namespace heddle::exec {

/// Saved bytes of shared and global memory, to detect changes and to undo them.
class MemoryWatch {
 public:
  /// Drops all saved bytes.
  void forget() {
    ranges_.clear();
    saved_.clear();
  }
  /// Saves the bytes of a range, given by its address in the host's memory.
  void add(std::byte* host, std::size_t bytes);
  /// Restores the saved bytes. Returns whether all of them were unchanged.
  bool restore();

 private:
  struct Range {
    std::byte* host = nullptr;
    std::size_t bytes = 0;
  };
  std::vector<Range> ranges_;
  std::vector<std::byte> saved_;  ///< The bytes of all ranges, one after another.
};

/// Prepares for the execution of a load, store or atomic. For a store or atomic, saves the bytes of
/// shared and global memory that its active lanes access. Returns the location that the lowest such
/// lane accesses; std::nullopt if no lane accesses shared or global memory. Raises a LaneFault.
std::optional<WatchedLocation> watch_access(WarpContext& context, const Decoded& decoded,
                                            MemoryWatch& memory);

}  // namespace heddle::exec
