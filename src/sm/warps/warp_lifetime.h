#pragma once

#include <cstdint>

#include "base/cycle.h"

namespace heddle::sm {

/// When a static warp started and ended. A warp ends when it has nothing in flight.
struct WarpLifetime {
  std::uint64_t block = 0;  ///< Number of the block in the launch.
  std::uint32_t warp = 0;   ///< Number of the warp in the block.
  std::uint32_t sm = 0;
  Cycle begin;
  Cycle end;
};

}  // namespace heddle::sm
