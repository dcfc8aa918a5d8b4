#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/cycle.h"

namespace heddle::trace {

/// Which events are recorded.
struct Selection {
  /// Selects these multiprocessors and, in partitions, the events of their requests. Empty selects
  /// all.
  std::vector<std::uint32_t> sms{};
  Cycle from{};                  ///< The first selected cycle.
  Cycle until = Cycle::never();  ///< The first cycle after the selected range.

  bool has_sm(std::uint32_t sm) const {
    return sms.empty() || std::find(sms.begin(), sms.end(), sm) != sms.end();
  }
  bool has_cycle(Cycle at) const { return from <= at && at < until; }
};

}  // namespace heddle::trace
