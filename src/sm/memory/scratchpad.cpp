#include "sm/memory/scratchpad.h"

#include <algorithm>

namespace heddle::sm {

using memory::ScratchpadConflicts;

Scratchpad::Scratchpad(const ScratchpadDescription& description)
    : conflicts_(description.shape),
      pass_bytes_(description.shape.pass_bytes),
      latency_(description.latency),
      banks_(Cycles(1)),
      starts_(description.queue) {}

std::uint32_t Scratchpad::passes_without_conflicts(LaneMask lanes,
                                                   std::uint32_t bytes_per_lane) const {
  const auto lanes_per_pass = static_cast<int>(
      std::min<std::uint32_t>(kWarpSize, pass_bytes_ / std::max(bytes_per_lane, 4U)));
  if (lanes_per_pass == kWarpSize) return lanes.empty() ? 0 : 1;
  std::uint32_t passes = 0;
  for (int first = 0; first < kWarpSize; first += lanes_per_pass) {
    const LaneMask group(LaneMask::first_lanes(lanes_per_pass).bits() << first);
    if (!(lanes & group).empty()) ++passes;
  }
  return passes;
}

std::uint32_t Scratchpad::passes_of(const MemoryInstruction& instruction) const {
  return conflicts_.passes(*instruction.addresses, instruction.lanes, instruction.bytes_per_lane,
                           instruction.action == MemoryAction::atomic
                               ? ScratchpadConflicts::SameWord::serialised
                               : ScratchpadConflicts::SameWord::shared);
}

void Scratchpad::count(const MemoryInstruction& instruction, std::uint32_t passes) {
  ++accesses_;
  passes_ += passes;
  const std::uint32_t added =
      passes - passes_without_conflicts(instruction.lanes, instruction.bytes_per_lane);
  conflicting_accesses_ += added > 0 ? 1U : 0U;
  conflict_cycles_ += added;
  if (instruction.action == MemoryAction::atomic) ++atomics_;
}

Cycle Scratchpad::access(std::uint32_t passes, Cycle at) {
  const Cycle start = banks_.book(at, passes);
  starts_[oldest_] = start;
  oldest_ = oldest_ + 1 == starts_.size() ? 0 : oldest_ + 1;
  return start + latency_of(passes);
}

void Scratchpad::declare(CounterList& counters) {
  counters.add("accesses", accesses_, "instructions", "that accessed the scratchpad");
  counters.add("passes", passes_, "core cycles", "that these accesses occupied the scratchpad");
  counters.add("conflicting_accesses", conflicting_accesses_, "instructions",
               "of these accesses that took more passes than they would without conflicts");
  counters.add("conflict_cycles", conflict_cycles_, "core cycles",
               "of these, those that conflict-free accesses of the same width would not take");
  counters.add("atomics", atomics_, "instructions", "of these accesses that were atomics");
}

}  // namespace heddle::sm
