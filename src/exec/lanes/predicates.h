#pragma once

// Operations on predicates, which are lane masks.

#include <cstdint>

#include "code/operation.h"
#include "exec/lanes/lanes.h"

namespace heddle::exec::HEDDLE_LANES {

/// Combines two lane masks with a Boolean operation, lane by lane. For `none`, returns `hits`.
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
