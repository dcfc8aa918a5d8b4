#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/cycle.h"
#include "memory/coalescer.h"
#include "sm/memory/cache_path.h"
#include "sm/memory/global_atomics.h"
#include "sm/memory/global_stores.h"
#include "sm/memory/load_store_description.h"
#include "sm/memory/memory_instruction.h"
#include "sm/memory/prefetch/prefetch_unit.h"

namespace heddle::sm {

/// The path of global and local memory, through the L1. The addresses of an instruction are
/// coalesced into segments, with one access each. The queue of this path may also contain
/// instructions of the scratchpad (ScratchpadPath).
///
/// A load that bypasses the L1 first writes the dirty sectors of its lines back, so that it finds
/// earlier stores in memory. The lines stay valid.
class GlobalPath : public CachePath {
 public:
  /// Throws InputError if the description is not possible. `banks`: as for CachePath.
  GlobalPath(const LoadStoreDescription& description, SharedParts& shared, BankArbiter* banks);

  /// As for LoadStoreUnit::add().
  std::optional<Cycle> add(const MemoryInstruction& instruction, Cycle at);
  /// Makes the next access in cycle next_access(). Appends completions that have become known to
  /// `done`.
  void access(Cycle at, std::vector<MemoryCompletion>& done);

  // -- prefetches ---------------------------------------------------------------------------------
  /// The next cycle in which a prefetch is attempted; never() if none is.
  Cycle next_prefetch() const { return prefetch_ == nullptr ? Cycle::never() : prefetch_->next(); }
  /// Attempts a prefetch in cycle next_prefetch(), after the accesses of that cycle.
  void attempt_prefetch(Cycle at) { prefetch_->attempt(at); }
  /// Called after fill(), which may have freed an MSHR.
  void retry_prefetch(Cycle at) {
    if (prefetch_ != nullptr) prefetch_->retry(at);
  }

  /// Whether no instruction is queued and no prefetch waits.
  bool idle() const { return empty() && (prefetch_ == nullptr || prefetch_->empty()); }
  /// As for LoadStoreUnit.
  void invalidate() {
    cache().invalidate_all();
    if (prefetch_ != nullptr) prefetch_->invalidate();
  }
  bool write_back_all(Cycle at) { return stores_.write_back_all(at); }
  void declare(CounterList& counters) {
    CachePath::declare(counters);
    stores_.declare(counters);
    if (prefetch_ != nullptr) counters.part("prefetch", *prefetch_);
  }

 private:
  using Stall = AccessQueue::Stall;

  void build_load(const MemoryInstruction& instruction, QueuedInstruction& built);
  Stall load(const QueuedInstruction& instruction, Cycle at, std::vector<MemoryCompletion>& done);
  void observe_hits(const QueuedInstruction& built);
  void observe_look_up(const QueuedInstruction& instruction, const L1Cache::Access& result,
                       Cycle at);
  Stall store(const QueuedInstruction& instruction, Cycle at);
  Stall load_uncached(const QueuedInstruction& instruction, Cycle at);
  Stall access_scratchpad(const QueuedInstruction& instruction, Cycle at,
                          std::vector<MemoryCompletion>& done);

  Cycles address_cycles_;
  bool l1_present_;
  std::uint32_t sector_bytes_;  ///< The size of the coalescer's sectors.
  std::uint32_t line_bytes_;    ///< The size of the L1's lines.
  memory::Coalescer coalescer_;
  GlobalStores stores_;
  GlobalAtomics atomics_;
  std::unique_ptr<PrefetchUnit> prefetch_;  ///< Null if nothing is prefetched.
};

}  // namespace heddle::sm
