#pragma once

#include <cstdint>
#include <vector>

#include "base/counters.h"
#include "base/cycle.h"
#include "memory/port.h"
#include "memory/scratchpad_conflicts.h"
#include "sm/memory/load_store_description.h"
#include "sm/memory/memory_instruction.h"

namespace heddle::sm {

/// The scratchpad: the hardware of shared memory. The completion time of an access is known at
/// issue, because it depends only on when the banks become free. The queue limits the number of
/// accesses that have been accepted but have not started. A pass is one access to all banks, which
/// takes a cycle.
class Scratchpad {
 public:
  /// Throws InputError if the description is not possible.
  explicit Scratchpad(const ScratchpadDescription& description);

  /// Whether the queue has space for an instruction at `now`.
  bool accepts(Cycle now) const { return space_from() <= now; }
  /// The cycle from which the queue has space.
  Cycle space_from() const { return starts_[oldest_]; }

  /// The number of passes that the instruction's access takes.
  std::uint32_t passes_of(const MemoryInstruction& instruction) const;
  /// Counts the instruction's access, which takes so many passes.
  void count(const MemoryInstruction& instruction, std::uint32_t passes);
  /// Books the banks for `passes` passes as soon as they are free, but not before `at`. Returns the
  /// cycle from which the data can be used.
  Cycle access(std::uint32_t passes, Cycle at);
  /// From the start of an access of `passes` passes until its data can be used.
  Cycles latency_of(std::uint32_t passes) const { return Cycles(passes - 1) + latency_; }

  void declare(CounterList& counters);

 private:
  std::uint32_t passes_without_conflicts(LaneMask lanes, std::uint32_t bytes_per_lane) const;

  memory::ScratchpadConflicts conflicts_;
  std::uint32_t pass_bytes_;
  Cycles latency_;
  memory::IssueSlot banks_;
  /// When the last accepted accesses start: as many of them as the queue has entries. A ring.
  std::vector<Cycle> starts_;
  /// The index in `starts_` of the oldest access. From its start on, the queue has space.
  std::size_t oldest_ = 0;
  std::uint64_t accesses_ = 0;
  std::uint64_t passes_ = 0;
  std::uint64_t conflicting_accesses_ = 0;
  std::uint64_t conflict_cycles_ = 0;
  std::uint64_t atomics_ = 0;
};

}  // namespace heddle::sm
