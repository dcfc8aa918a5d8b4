#pragma once

#include <cstdint>

namespace heddle::exec {

/// What a livelock probe (livelock_probe.h) finds out about threads.
enum class Activity : std::uint8_t {
  works,    ///< The threads may make progress: change memory, synchronise with others, or end.
  quiet,    ///< While probed, the threads neither make progress nor repeat a state.
  repeats,  ///< The threads repeat the same states for ever unless others change memory.
};

}  // namespace heddle::exec
