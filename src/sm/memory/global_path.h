#pragma once

#include <optional>
#include <vector>

#include "base/cycle.h"
#include "memory/coalescer.h"
#include "sm/memory/cache_path.h"
#include "sm/memory/global_atomics.h"
#include "sm/memory/global_stores.h"
#include "sm/memory/load_store_description.h"
#include "sm/memory/memory_instruction.h"

namespace heddle::sm {

/// The path of global and local memory, through the L1. The addresses of an instruction are
/// coalesced into segments, with one access each. The queue of this path may also contain
/// instructions of the scratchpad (ScratchpadPath).
///
/// A load that bypasses the L1 first writes the dirty sectors of its lines back, so that it finds
/// earlier stores in memory. The lines stay valid.
class GlobalPath : public CachePath {
 public:
  /// Throws InputError if the description is not possible.
  GlobalPath(const LoadStoreDescription& description, SharedParts& shared);

  /// As for LoadStoreUnit::add().
  std::optional<Cycle> add(const MemoryInstruction& instruction, Cycle at);
  /// Makes the next access in cycle next_access(). Appends completions that have become known to
  /// `done`.
  void access(Cycle at, std::vector<MemoryCompletion>& done);

  /// As for LoadStoreUnit.
  bool write_back_all(Cycle at) { return stores_.write_back_all(at); }
  void declare(CounterList& counters) {
    CachePath::declare(counters);
    stores_.declare(counters);
  }

 private:
  using Stall = AccessQueue::Stall;

  void build_load(const MemoryInstruction& instruction, QueuedInstruction& built);
  Stall load(const QueuedInstruction& instruction, Cycle at, std::vector<MemoryCompletion>& done);
  Stall load_uncached(const QueuedInstruction& instruction, Cycle at);
  Stall access_scratchpad(const QueuedInstruction& instruction, Cycle at,
                          std::vector<MemoryCompletion>& done);

  Cycles address_cycles_;
  bool l1_present_;
  std::uint32_t sector_bytes_;  ///< The size of the coalescer's sectors.
  memory::Coalescer coalescer_;
  GlobalStores stores_;
  GlobalAtomics atomics_;
};

}  // namespace heddle::sm
