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

/// The scratchpad. When an access is done follows from when the banks are free, so it is known at
/// once; instructions that have yet to start are no more than its queue has room for.
class Scratchpad {
 public:
  /// Throws InputError.
  explicit Scratchpad(const ScratchpadDescription& description);

  /// Whether at `now` there is room for an instruction.
  bool accepts(Cycle now) const { return room_from() <= now; }
  /// From when on there is.
  Cycle room_from() const { return starts_[oldest_]; }

  /// The cycles that the access takes, which are counted.
  std::uint32_t passes_of(const MemoryInstruction& instruction);
  /// An access of `passes` begins as soon as the banks are free, and not before `at`. Returns when
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
  std::vector<Cycle> starts_;  ///< Of the last so many instructions as the queue has room for.
  std::size_t oldest_ = 0;     ///< Of them: it must have started before there is room.
  std::uint64_t accesses_ = 0;
  std::uint64_t passes_ = 0;
  std::uint64_t conflict_cycles_ = 0;
  std::uint64_t atomics_ = 0;
};

}  // namespace heddle::sm
