#pragma once

#include <cstdint>

#include "base/counters.h"
#include "sm/memory/memory_instruction.h"

namespace heddle::sm {

/// Counters of memory instructions, and of the segments (memory transactions) into which they are
/// coalesced.
struct MemoryCounters {
  std::uint64_t global_loads = 0;
  std::uint64_t global_stores = 0;
  std::uint64_t local_loads = 0;
  std::uint64_t local_stores = 0;
  std::uint64_t atomics = 0;
  std::uint64_t load_segments = 0;
  std::uint64_t uncached_segments = 0;
  std::uint64_t store_segments = 0;
  std::uint64_t atomic_segments = 0;
  std::uint64_t constant_loads = 0;
  std::uint64_t texture_loads = 0;
  std::uint64_t texture_lanes = 0;
  /// Of second contexts: accesses of loads that missed the L1. LookaheadUnit declares it.
  std::uint64_t ahead_misses = 0;

  void declare(CounterList& counters) {
    counters.add("global_loads", global_loads, "instructions", "that loaded from global memory");
    counters.add("global_stores", global_stores, "instructions", "that stored to global memory");
    counters.add("local_loads", local_loads, "instructions", "that loaded from local memory");
    counters.add("local_stores", local_stores, "instructions", "that stored to local memory");
    counters.add("atomics", atomics, "instructions", "that performed atomics on global memory");
    counters.add("load_segments", load_segments, "segments",
                 "that loads from global and local memory accessed");
    counters.add("uncached_segments", uncached_segments, "segments",
                 "of these, those that bypassed the L1");
    counters.add("store_segments", store_segments, "segments",
                 "that stores to global and local memory accessed");
    counters.add("atomic_segments", atomic_segments, "segments", "that atomics accessed");
    counters.add("constant_loads", constant_loads, "instructions",
                 "that loaded through the constant cache");
    counters.add("texture_loads", texture_loads, "instructions", "that the texture unit executed");
    counters.add("texture_lanes", texture_lanes, "lanes", "for which it executed them");
  }
};

}  // namespace heddle::sm
