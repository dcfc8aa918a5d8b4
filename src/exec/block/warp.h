#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "exec/block/warp_context.h"
#include "exec/divergence/reconvergence_stack.h"

namespace heddle::exec {

class ThreadControl;

/// One warp of a running block.
struct Warp {
  enum class State : std::uint8_t { running, at_barrier, finished };

  State state = State::finished;
  std::uint32_t barrier = 0;  ///< If the state is at_barrier: the barrier at which the warp waits.
  ReconvergenceStack stack;
  ThreadControl* thread_control = nullptr;  ///< If set, controls the threads instead of `stack`.
  std::uint32_t control_index = 0;          ///< The warp's index in `thread_control`.
  std::uint64_t thread_instructions = 0;
  WarpContext context;
  WarpIdentity identity;
  /// Pads the size to an odd number of cache lines, which spreads a block's warps over all sets of
  /// the host's caches.
  std::array<std::byte, 64> spacing{};

  /// The warp instructions executed without a timing model; %clock returns this number then.
  std::uint64_t untimed_instructions() const { return context.clock; }
};

static_assert(sizeof(Warp) / 64 % 2 == 1);

}  // namespace heddle::exec
