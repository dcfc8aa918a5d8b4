#pragma once

// What an instruction that is rehearsed does to memory.

#include <cstddef>
#include <optional>
#include <vector>

#include "exec/block/lane_context.h"
#include "exec/livelock/rehearsal.h"

namespace heddle::exec {

/// Bytes of shared and global memory, to find out whether they change, and to take that back.
class MemoryWatch {
 public:
  void forget() {
    places_.clear();
    before_.clear();
  }
  void add(std::byte* host, std::size_t bytes);
  /// Whether they are what they were when they were added. They are afterwards.
  bool restore();

 private:
  struct Place {
    std::byte* host = nullptr;
    std::size_t bytes = 0;
  };
  std::vector<Place> places_;
  std::vector<std::byte> before_;
};

/// Adds what the active lanes of a store or atomic, which is about to be executed, access in shared
/// and global memory. Returns what the lowest of them accesses there, also of a load. Raises a
/// LaneFault.
std::optional<Watched> watch_access(LaneContext& context, const Decoded& decoded,
                                    MemoryWatch& memory);

}  // namespace heddle::exec
