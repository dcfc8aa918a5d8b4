#pragma once

#include <cstdint>

#include "sm/memory/memory_pass.h"

namespace heddle::sm {

/// Maps the local memories of threads to device addresses far above those that a program can
/// allocate. The local memories of the 32 threads of a static warp are interleaved by 32-bit words:
/// threads that access the same variable access adjacent words.
class LocalMemoryMap {
 public:
  /// `sm`: the number of the multiprocessor.
  explicit LocalMemoryMap(std::uint16_t sm) : sm_(sm) {}

  /// Translates the addresses of `lanes` of a pass from the local window to device memory.
  /// `local_bytes`: the size of a thread's local memory. The result is valid until the next call.
  const memory::LaneAddresses& translate(const MemoryPass& pass, LaneMask lanes,
                                         std::uint32_t bytes_per_lane, std::uint32_t local_bytes);

 private:
  std::uint64_t sm_;
  memory::LaneAddresses translated_{};
};

}  // namespace heddle::sm
