#pragma once

#include <cstdint>

namespace heddle::exec {

/// What threads do, as far as can be told.
enum class Activity : std::uint8_t {
  works,     ///< They may change memory, meet others, or end.
  is_quiet,  ///< They change nothing for long, though they do not come back to where they were.
  repeats,   ///< The same for ever, if they run at all and nobody else changes memory.
};

}  // namespace heddle::exec
