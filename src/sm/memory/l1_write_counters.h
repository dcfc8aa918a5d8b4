#pragma once

#include <cstdint>

#include "base/counters.h"

namespace heddle::sm {

/// Counters of stores to the L1, and of write-backs from it.
struct L1WriteCounters {
  std::uint64_t store_hits = 0;
  std::uint64_t store_misses = 0;
  std::uint64_t writebacks = 0;
  std::uint64_t writeback_bytes = 0;

  void declare(CounterList& counters) {
    counters.add("store_hits", store_hits, "accesses",
                 "by stores, one per segment, that found their line");
    counters.add("store_misses", store_misses, "accesses",
                 "by stores, one per segment, that did not find their line");
    counters.add("writebacks", writebacks, "lines",
                 "whose dirty sectors were written back: on eviction, before an atomic or a load "
                 "that bypasses the L1, or at the end of a kernel");
    counters.add("writeback_bytes", writeback_bytes, "B", "of the dirty sectors written back");
  }
};

}  // namespace heddle::sm
