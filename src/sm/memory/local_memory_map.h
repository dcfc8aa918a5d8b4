#pragma once

#include <cstdint>

#include "sm/memory/memory_pass.h"

namespace heddle::sm {

/// Where the threads' local memories lie: far above what a program can allocate. Those of a row
/// are interleaved by words, so that threads that access the same variable access neighbours.
class LocalMemoryMap {
 public:
  explicit LocalMemoryMap(std::uint16_t sm) : sm_(sm) {}

  /// The addresses of a pass, which are offsets within each thread's local memory of `local_bytes`,
  /// as those of device memory. They stay until the next call.
  const memory::LaneAddresses& translate(const MemoryPass& pass, LaneMask lanes,
                                         std::uint32_t bytes_per_lane, std::uint32_t local_bytes);

 private:
  std::uint64_t sm_;
  memory::LaneAddresses translated_{};
};

}  // namespace heddle::sm
