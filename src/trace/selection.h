#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/cycle.h"

namespace heddle::trace {

/// Which events are wanted.
struct Selection {
  /// Multiprocessors, and in partitions what is done for their requests; all where it is empty.
  std::vector<std::uint32_t> sms{};
  Cycle from{};
  Cycle until = Cycle::never();  ///< The first cycle that is not wanted any more.

  bool has_sm(std::uint32_t sm) const {
    return sms.empty() || std::find(sms.begin(), sms.end(), sm) != sms.end();
  }
  bool has(Cycle at) const { return from <= at && at < until; }
};

}  // namespace heddle::trace
