#pragma once

#include <cstdint>

#include "base/cycle.h"
#include "memory/coalescer.h"
#include "sm/memory/access_queue.h"
#include "sm/memory/cache_path.h"
#include "sm/memory/global_stores.h"
#include "sm/memory/load_store_description.h"
#include "sm/memory/memory_instruction.h"
#include "sm/memory/shared_parts.h"

namespace heddle::sm {

/// Atomics on global memory. They are performed in the memory partitions: the L1 writes the dirty
/// sectors of their line back and invalidates the line.
class GlobalAtomics {
 public:
  /// `l1`: the path in whose queue the atomics are.
  GlobalAtomics(const LoadStoreDescription& description, CachePath& l1, GlobalStores& stores,
                SharedParts& shared);

  /// Coalesces and completes an atomic.
  void build(const MemoryInstruction& instruction, QueuedInstruction& built);
  /// Makes the atomic's next access. Returns why it stalls, if it does.
  AccessQueue::Stall access(const QueuedInstruction& instruction, Cycle at);

 private:
  void send(const QueuedInstruction& instruction, Cycle at);

  CachePath& path_;
  GlobalStores& stores_;
  SharedParts& shared_;
  bool l1_present_;
  std::uint32_t sector_bytes_;   ///< The size of the coalescer's sectors.
  memory::Coalescer coalescer_;  ///< Each of its segments fits into one request.
};

}  // namespace heddle::sm
