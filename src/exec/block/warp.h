#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "exec/block/lane_context.h"
#include "exec/divergence/reconvergence_stack.h"

namespace heddle::exec {

class Mover;

/// One warp of a running block.
struct Warp {
  enum class State : std::uint8_t { running, at_barrier, finished };

  State state = State::finished;
  std::uint32_t barrier = 0;  ///< Where it waits, when at_barrier.
  ReconvergenceStack stack;
  Mover* mover = nullptr;  ///< Who moves its threads, if not its stack.
  std::uint32_t row = 0;   ///< What the mover calls it.
  std::uint64_t thread_instructions = 0;
  LaneContext context;
  WarpIdentity identity;
  /// Of an odd number of lines, the warps of a block do not contend for a part of a cache's sets.
  std::array<std::byte, 64> spacing{};

  /// Warp instructions executed; it is also what %clock counts without a timing model.
  std::uint64_t instructions() const { return context.clock; }
};

static_assert(sizeof(Warp) / 64 % 2 == 1);

}  // namespace heddle::exec
