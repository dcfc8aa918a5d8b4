#pragma once

#include <array>
#include <cstdint>

namespace heddle::exec {

/// One of a block's 16 named barriers. Threads are counted by whole warps, as the hardware and PTX
/// (bar.sync: the count is a multiple of the warp size) do.
struct Barrier {
  std::uint32_t arrived = 0;   ///< Threads, waiting ones included.
  std::uint32_t expected = 0;  ///< The count given; 0: all unfinished threads of the block.
  std::uint32_t waiting = 0;   ///< A bit for each warp that waits.
  // What bar.red has gathered so far.
  std::uint32_t true_count = 0;
  bool all_true = true;
  bool any_true = false;

  bool in_use() const { return arrived != 0 || waiting != 0; }
  bool complete(std::uint32_t unfinished_threads) const {
    return in_use() && arrived >= (expected != 0 ? expected : unfinished_threads);
  }
};

inline constexpr std::uint32_t kBarriers = 16;

/// Which barrier a warp comes to, and how many threads it is to wait for.
struct BarrierCall {
  std::uint32_t id = 0;
  std::uint32_t expected = 0;  ///< 0: all unfinished threads of the block.
};

}  // namespace heddle::exec
