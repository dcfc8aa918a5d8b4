#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/cycle.h"

namespace heddle::trace {

/// The events to record.
struct Selection {
  /// Selects these multiprocessors, and in partitions the events of their requests; empty selects
  /// all.
  std::vector<std::uint32_t> sms{};
  Cycle from{};
  Cycle until = Cycle::never();  ///< The first cycle after the selected range.

  bool has_sm(std::uint32_t sm) const {
    return sms.empty() || std::find(sms.begin(), sms.end(), sm) != sms.end();
  }
  bool has(Cycle at) const { return from <= at && at < until; }
};

}  // namespace heddle::trace
