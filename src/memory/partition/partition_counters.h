#pragma once

#include <cstdint>

#include "base/counters.h"
#include "memory/dram/dram_channel.h"

namespace heddle::memory {

/// The counters of an L2 slice. Each access is counted once, at the attempt that does not stall.
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
    counters.add("hits", hits, "accesses", "that found all their sectors valid");
    counters.add("misses", misses, "accesses", "that found a sector neither valid nor in flight");
    counters.add("merged", merged, "accesses",
                 "that found all their sectors valid or in flight, some in flight");
    counters.add("evictions", evictions, "lines", "evicted to make room for others");
    counters.add("writebacks", writebacks, "lines", "evicted dirty");
  }
};

/// Traffic and stalls at a partition's end of the crossbar.
struct CrossbarCounters {
  std::uint64_t requests = 0;
  std::uint64_t responses = 0;
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
  std::uint64_t blocked_cycles = 0;

  void declare(CounterList& counters) {
    counters.add("requests", requests, "messages", "to memory");
    counters.add("responses", responses, "messages", "from memory");
    counters.add("bytes_in", bytes_in, "B", "of messages to memory, with headers");
    counters.add("bytes_out", bytes_out, "B", "of messages from memory, with headers");
    counters.add("blocked_cycles", blocked_cycles, "core cycles",
                 "in which a partition's next request stalled: no free MSHR, no evictable line, or "
                 "no space in the memory queue");
  }
};

struct AtomicCounters {
  std::uint64_t performed = 0;
  std::uint64_t lane_operations = 0;
  std::uint64_t unit_cycles = 0;

  void declare(CounterList& counters) {
    counters.add("performed", performed, "accesses", "for which atomics were performed");
    counters.add("lane_operations", lane_operations, "operations",
                 "of single lanes in these accesses");
    counters.add("unit_cycles", unit_cycles, "core cycles", "for which the atomic units were busy");
  }
};

/// A copy of the DRAM channel's counters, which is updated at the end of Partition::advance().
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
    counters.add("data_bytes", copy.data_bytes, "B", "of data that passed the data bus");
    counters.add("busy_cycles", copy.busy_data_cycles, "DRAM cycles",
                 "in which the data bus was busy");
  }
};

}  // namespace heddle::memory
