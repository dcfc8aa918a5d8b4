#pragma once

#include <cstdint>

namespace heddle::exec {

/// What a livelock probe finds out about threads.
enum class Activity : std::uint8_t {
  works,    ///< They may make progress: change memory, synchronise with others, or end.
  quiet,    ///< They do none of these for as long as they are probed, but repeat no state.
  repeats,  ///< They repeat the same states for ever unless other threads change memory.
};

}  // namespace heddle::exec
