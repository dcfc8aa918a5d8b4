#pragma once

#include <cstdint>
#include <string_view>

#include "base/counters.h"
#include "base/cycle.h"
#include "memory/coalescer.h"
#include "sm/memory/access_queue.h"
#include "sm/memory/cache_path.h"
#include "sm/memory/l1_write_counters.h"
#include "sm/memory/load_store_description.h"
#include "sm/memory/memory_instruction.h"
#include "sm/memory/shared_parts.h"
#include "sm/memory/write_policy.h"

namespace heddle::sm {

/// Stores to global and local memory, and write-backs from the L1. A WritePolicy defines the effect
/// of a store on the L1: one for global, one for local memory. A store is complete when its access
/// has been made, even if the rest of a sector is still being fetched.
class GlobalStores {
 public:
  /// The reason for a write-back, for traces.
  struct Reason {
    trace::Origin origin{};
    std::string_view cause;
  };

  /// `l1`: the path in whose queue the stores are.
  GlobalStores(const LoadStoreDescription& description, CachePath& l1, SharedParts& shared);

  /// Completes a store whose addresses have been coalesced.
  void build(const MemoryInstruction& instruction, QueuedInstruction& built);
  /// Makes the store's next access. Returns why it stalls, if it does.
  AccessQueue::Stall access(const QueuedInstruction& instruction, Cycle at);

  /// Writes back the dirty sectors of the segment's line, before an access that bypasses the L1.
  /// Such an access then finds earlier stores in memory.
  void clean_line(const memory::Segment& segment, const Reason& reason, Cycle at);
  /// Writes back the dirty sectors of a line that an access has evicted.
  void write_back_evicted(const L1Cache::Eviction& evicted, trace::Origin origin, Cycle at) {
    write_back(evicted, {.origin = origin, .cause = "evicted"}, at);
  }
  /// As for LoadStoreUnit.
  bool write_back_all(Cycle at);
  void declare(CounterList& counters) { counters_.declare(counters); }

 private:
  AccessQueue::Stall store_in_l1(const QueuedInstruction& instruction, bool has_line, Cycle at);
  void send(const QueuedInstruction& instruction, bool has_line, Cycle at);
  void write_back(const L1Cache::Eviction& written, const Reason& reason, Cycle at);
  void note_in_l1(const QueuedInstruction& instruction, bool has_line, Cycle at);

  CachePath& path_;
  SharedParts& shared_;
  bool l1_present_;
  WritePolicy global_writes_;
  WritePolicy local_writes_;
  bool l1_writes_back_;         ///< Whether either write policy is a write-back policy.
  std::uint32_t sector_bytes_;  ///< The size of the coalescer's sectors.
  L1WriteCounters counters_;
};

}  // namespace heddle::sm
