#pragma once

#include <array>
#include <cstdint>

#include "base/counters.h"

namespace heddle::sm {

struct IssueCounters {
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
  /// Instructions by the lanes that their path had.
  std::array<std::uint64_t, 33> lanes{};

  void declare(CounterList& counters);
};

}  // namespace heddle::sm
