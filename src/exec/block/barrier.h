#pragma once

#include <array>
#include <cstdint>

namespace heddle::exec {

/// One of a block's 16 named barriers. Threads are counted by whole warps, as in hardware and in
/// PTX (bar.sync: the count is a multiple of the warp size).
struct Barrier {
  std::uint32_t arrived = 0;   ///< The number of arrived threads, including those that wait.
  std::uint32_t expected = 0;  ///< The thread count in the instruction; 0: all unfinished threads.
  std::uint32_t waiting_warps = 0;  ///< A bit for each warp that waits.
  // The partial results of bar.red.
  std::uint32_t true_count = 0;
  bool all_true = true;
  bool any_true = false;

  bool in_use() const { return arrived != 0 || waiting_warps != 0; }
  /// Whether all expected threads have arrived.
  bool complete(std::uint32_t unfinished_threads) const {
    return in_use() && arrived >= (expected != 0 ? expected : unfinished_threads);
  }
};

inline constexpr std::uint32_t kBarriers = 16;

/// The operands of a barrier instruction: the barrier's number and its thread count.
struct BarrierCall {
  std::uint32_t id = 0;
  std::uint32_t expected = 0;  ///< 0: all unfinished threads of the block.
};

}  // namespace heddle::exec
