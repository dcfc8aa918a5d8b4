#pragma once

// Detects and undoes the changes to memory that an instruction makes in a livelock probe.

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
  /// Restores the saved bytes. Returns whether all of them were still unchanged.
  bool restore();

 private:
  struct Range {
    std::byte* host = nullptr;
    std::size_t bytes = 0;
  };
  std::vector<Range> ranges_;
  std::vector<std::byte> saved_;  ///< The bytes of all ranges, one after another.
};

/// For a load, store or atomic that is executed next: saves the bytes of shared and global memory
/// that the active lanes of a store or atomic access. Returns the location that the lowest of the
/// lanes accesses that access these memories. Raises a LaneFault.
std::optional<WatchedLocation> watch_access(WarpContext& context, const Decoded& decoded,
                                            MemoryWatch& memory);

}  // namespace heddle::exec
