#pragma once

#include <cstdint>

#include "sm/memory/memory_pass.h"

namespace heddle::sm {

/// Maps threads' local memories to addresses far above those that a program can allocate.
/// The local memories of a static warp are interleaved by words, so that threads that access the
/// same variable access adjacent words.
class LocalMemoryMap {
 public:
  explicit LocalMemoryMap(std::uint16_t sm) : sm_(sm) {}

  /// Translates a pass's addresses, which are offsets within each thread's local memory of
  /// `local_bytes`, to device memory. The result is valid until the next call.
  const memory::LaneAddresses& translate(const MemoryPass& pass, LaneMask lanes,
                                         std::uint32_t bytes_per_lane, std::uint32_t local_bytes);

 private:
  std::uint64_t sm_;
  memory::LaneAddresses translated_{};
};

}  // namespace heddle::sm
