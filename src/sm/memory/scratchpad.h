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

/// The scratchpad (shared memory). The completion time of an access is known at issue, because it
/// depends only on when the banks are free. The queue limits the number of accesses that have been
/// accepted and not started.
class Scratchpad {
 public:
  /// Throws InputError.
  explicit Scratchpad(const ScratchpadDescription& description);

  /// Whether the queue has room for an instruction at `now`.
  bool accepts(Cycle now) const { return room_from() <= now; }
  /// The cycle from which the queue has room.
  Cycle room_from() const { return starts_[oldest_]; }

  /// Returns the passes that the instruction's access takes, one a cycle. Counts the access.
  std::uint32_t passes_of(const MemoryInstruction& instruction);
  /// Books an access of `passes` as soon as the banks are free, but not before `at`. Returns when
  /// its data are usable.
  Cycle access(std::uint32_t passes, Cycle at);
  /// When the data of an access that starts at `start` are usable.
  Cycle usable(Cycle start, std::uint32_t passes) const {
    return start + Cycles(passes - 1) + latency_;
  }

  void declare(CounterList& counters);

 private:
  std::uint32_t passes_without_conflicts(LaneMask lanes, std::uint32_t bytes_per_lane) const;

  memory::ScratchpadConflicts conflicts_;
  std::uint32_t pass_bytes_;
  Cycles latency_;
  memory::IssueSlot banks_;
  /// The start cycles of the last instructions, as many as the queue has entries.
  std::vector<Cycle> starts_;
  std::size_t oldest_ = 0;  ///< The index of the oldest. Once it has started, the queue has room.
  std::uint64_t accesses_ = 0;
  std::uint64_t passes_ = 0;
  std::uint64_t conflict_cycles_ = 0;
  std::uint64_t atomics_ = 0;
};

}  // namespace heddle::sm
