#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/counters.h"
#include "sm/instructions/issue_table.h"
#include "sm/operands/register_selection.h"

namespace heddle::sm {

/// Counts the accesses to the register file that touch one lane of a register. They are also
/// counted among the accesses to registers (OperandCounters).
struct OneLaneAccesses {
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;

  /// How many of `registers`, which may contain predicates, are selected.
  static std::uint64_t count(std::span<const std::uint16_t> registers,
                             RegisterSelection selection) {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < registers.size() && !selection.empty(); ++i) {
      if (registers[i] < kFirstPredicate && selection.contains(i)) ++count;
    }
    return count;
  }
  void declare(CounterList& counters) {
    counters.add("one_lane_reads", reads, "registers",
                 "of those read from the register file: only one lane was read");
    counters.add("one_lane_writes", writes, "registers",
                 "of those written to the register file: only one lane was written");
  }
};

}  // namespace heddle::sm
