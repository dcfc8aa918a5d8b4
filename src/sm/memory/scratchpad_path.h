#pragma once

#include <optional>

#include "base/counters.h"
#include "base/cycle.h"
#include "sm/memory/cache_path.h"
#include "sm/memory/load_store_description.h"
#include "sm/memory/memory_instruction.h"
#include "sm/memory/scratchpad.h"
#include "sm/memory/shared_parts.h"

namespace heddle::sm {

/// The path of shared memory, and of the part of local memory that lies in the scratchpad. The
/// scratchpad has a queue of its own, or is one memory with the L1 (parameter lsu.shared_pipe). In
/// that case its instructions are in the L1's queue, and take turns with accesses to the L1. They
/// may also share banks with registers.
class ScratchpadPath {
 public:
  /// Throws InputError if the description is not possible. `l1_queue`: the path in whose queue the
  /// instructions are; null if the scratchpad has a queue of its own. `banks`: those that it shares
  /// with registers; null if it has banks of its own.
  ScratchpadPath(const ScratchpadDescription& description, CachePath* l1_queue,
                 const BankArbiter* banks, SharedParts& shared);

  bool accepts(Cycle now) const {
    return l1_queue_ != nullptr ? !l1_queue_->is_full() : scratchpad_.accepts(now);
  }
  /// The cycle in which the scratchpad's own queue gets space; never() if it has space at `now`.
  Cycle gets_space_at(Cycle now) const {
    return scratchpad_.accepts(now) ? Cycle::never() : scratchpad_.space_from();
  }
  /// As for LoadStoreUnit::add().
  std::optional<Cycle> add(const MemoryInstruction& instruction, Cycle at);
  void declare(CounterList& counters) { scratchpad_.declare(counters); }

 private:
  void append_to_l1_queue(const MemoryInstruction& instruction, std::uint32_t passes, Cycle at);
  void append_passes_to_l1_queue(const MemoryInstruction& instruction, Cycle at);

  Scratchpad scratchpad_;
  CachePath* l1_queue_;
  const BankArbiter* banks_;
  SharedParts& shared_;
};

}  // namespace heddle::sm
