#pragma once

#include <cstdint>

#include "base/counters.h"
#include "memory/dram/dram_channel.h"

namespace heddle::memory {

/// Accesses are counted once, when they have been let in.
struct L2Counters {
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::uint64_t atomics = 0;
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t merged = 0;
  std::uint64_t evictions = 0;
  std::uint64_t writebacks = 0;

  void declare(CounterList& counters) {
    counters.add("reads", reads, "accesses", "that read");
    counters.add("writes", writes, "accesses", "that write");
    counters.add("atomics", atomics, "accesses", "that do atomics");
    counters.add("hits", hits, "accesses", "that found all their sectors");
    counters.add("misses", misses, "accesses", "that found a sector neither there nor on its way");
    counters.add("merged", merged, "accesses", "that found all their sectors, some on their way");
    counters.add("evictions", evictions, "lines", "that made room for others");
    counters.add("writebacks", writebacks, "lines", "evicted that had been written");
  }
};

/// What passes a partition's end of the crossbar, and waits there.
struct CrossbarCounters {
  std::uint64_t requests = 0;
  std::uint64_t answers = 0;
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
  std::uint64_t blocked_cycles = 0;

  void declare(CounterList& counters) {
    counters.add("requests", requests, "messages", "to memory");
    counters.add("answers", answers, "messages", "from memory");
    counters.add("bytes_in", bytes_in, "B", "to memory, with headers");
    counters.add("bytes_out", bytes_out, "B", "from memory, with headers");
    counters.add("blocked_cycles", blocked_cycles, "core cycles",
                 "in which the next request of a partition found no register for misses, no line "
                 "that can be evicted, or no place in memory's queue");
  }
};

struct AtomicCounters {
  std::uint64_t performed = 0;
  std::uint64_t unit_cycles = 0;

  void declare(CounterList& counters) {
    counters.add("performed", performed, "accesses", "whose atomics were performed");
    counters.add("unit_cycles", unit_cycles, "core cycles", "that they took of the atomic units");
  }
};

/// A copy of the channel's, made when the partition has been advanced.
struct DramCounterCopy {
  DramCounters copy;

  void declare(CounterList& counters) {
    counters.add("reads", copy.reads, "requests", "that read");
    counters.add("writes", copy.writes, "requests", "that write");
    counters.add("row_hits", copy.row_hits, "requests", "that found their row open");
    counters.add("row_misses", copy.row_misses, "requests", "that found their bank closed");
    counters.add("row_conflicts", copy.row_conflicts, "requests",
                 "for which another row had to be closed");
    counters.add("activations", copy.activations, "rows", "that were opened");
    counters.add("data_bytes", copy.data_bytes, "B", "that passed the pins");
    counters.add("busy_cycles", copy.busy_data_cycles, "DRAM cycles",
                 "in which the pins were busy");
  }
};

}  // namespace heddle::memory
