#pragma once

#include <cstdint>

#include "base/cycle.h"

namespace heddle::sm {

/// When a static warp (32 threads of a block with consecutive numbers) started and ended. It ends
/// when its threads have exited and none of its accesses is in flight.
struct WarpLifetime {
  std::uint64_t block = 0;  ///< Number of the block in the launch.
  std::uint32_t warp = 0;   ///< Number of the warp in the block.
  std::uint32_t sm = 0;     ///< Number of the multiprocessor.
  Cycle begin;
  Cycle end;
};

}  // namespace heddle::sm
