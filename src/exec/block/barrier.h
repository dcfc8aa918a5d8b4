#pragma once

#include <array>
#include <cstdint>

namespace heddle::exec {

/// One of a block's 16 named barriers. It counts 32 threads for each warp that arrives, as in
/// hardware and in PTX (bar.sync: the thread count is a multiple of the warp size).
struct Barrier {
  std::uint32_t arrived = 0;        ///< Threads that have arrived, whether they wait or not.
  std::uint32_t expected = 0;       ///< The instruction's thread count; 0: all unfinished threads.
  std::uint32_t waiting_warps = 0;  ///< A bit for each warp, as in Block::waiting_warps().
  // The results of bar.red (popc, and, or) for the predicates of the threads that have arrived.
  std::uint32_t true_count = 0;
  bool all_true = true;
  bool any_true = false;

  /// Whether any warp has arrived since the barrier was last released.
  bool is_in_use() const { return arrived != 0 || waiting_warps != 0; }
  /// Whether all expected threads have arrived, so that the barrier must be released.
  bool is_complete(std::uint32_t unfinished_threads) const {
    return is_in_use() && arrived >= (expected != 0 ? expected : unfinished_threads);
  }
};

inline constexpr std::uint32_t kBarriers = 16;

/// The operands of a barrier instruction: the barrier's number and its thread count.
struct BarrierCall {
  std::uint32_t id = 0;
  std::uint32_t expected = 0;  ///< 0: all unfinished threads of the block.
};

}  // namespace heddle::exec
