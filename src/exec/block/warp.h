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
  std::uint32_t barrier = 0;  ///< The barrier at which the warp waits, if it is at_barrier.
  ReconvergenceStack stack;
  ThreadControl* thread_control = nullptr;  ///< If not null, replaces `stack`.
  std::uint32_t control_index = 0;          ///< The warp's number for `thread_control`.
  std::uint64_t thread_instructions = 0;    ///< Executed by Block::run().
  WarpContext context;
  WarpIdentity identity;
  /// Pads the size of a Warp to an odd number of cache lines of the host. The warps of a block are
  /// then spread over all sets of the host's caches.
  std::array<std::byte, 64> padding{};

  /// The warp instructions that Block::run() has executed. In a functional run, %clock returns this
  /// number.
  std::uint64_t untimed_instructions() const { return context.clock; }
};

static_assert(sizeof(Warp) / 64 % 2 == 1);

}  // namespace heddle::exec
