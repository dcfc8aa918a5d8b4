#pragma once

// What is done with predicates as lane masks, and with comparisons of them.

#include <cstdint>

#include "code/operation.h"
#include "exec/lanes/lanes.h"

namespace heddle::exec::HEDDLE_LANES {

/// hits `boolean` other, lane by lane; `none` takes no notice of other.
[[gnu::always_inline]] inline std::uint32_t combined(code::Boolean boolean, std::uint32_t hits,
                                                     std::uint32_t other) {
  switch (boolean) {
    case code::Boolean::none:
      return hits;
    case code::Boolean::and_:
      return hits & other;
    case code::Boolean::or_:
      return hits | other;
    case code::Boolean::xor_:
      return hits ^ other;
  }
  return hits;
}

}  // namespace heddle::exec::HEDDLE_LANES
