#pragma once

#include <cstdint>

#include "base/cycle.h"

namespace heddle::sm {

/// When a warp came and went: at its end nothing of it is under way any more.
struct WarpLifetime {
  std::uint64_t block = 0;  ///< Its number in the launch.
  std::uint32_t warp = 0;   ///< In the block.
  std::uint32_t sm = 0;
  Cycle begin;
  Cycle end;
};

}  // namespace heddle::sm
