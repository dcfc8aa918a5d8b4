#pragma once

#include <cstdint>

#include "base/counters.h"

namespace heddle::sm {

/// What stores find in the L1, and what they leave there.
struct L1WriteCounters {
  std::uint64_t store_hits = 0;
  std::uint64_t store_misses = 0;
  std::uint64_t writebacks = 0;
  std::uint64_t writeback_bytes = 0;

  void declare(CounterList& counters) {
    counters.add("store_hits", store_hits, "accesses",
                 "by stores, one for each segment, that found their line");
    counters.add("store_misses", store_misses, "accesses", "by stores that did not");
    counters.add("writebacks", writebacks, "lines",
                 "whose dirty sectors went to memory: when it was evicted, before an atomic or a "
                 "load past the L1, or at the end of a kernel");
    counters.add("writeback_bytes", writeback_bytes, "B", "of these sectors");
  }
};

}  // namespace heddle::sm
