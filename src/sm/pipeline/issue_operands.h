#pragma once

// The operands of instructions that issue: which registers are read and written when, according to
// the operand policy and, if there is one, the redundancy policy.

#include "sm/pipeline/issue_stage.h"

namespace heddle::sm {

/// Reads the sources of a pass that can issue from `at` on, after the register moves that its plan
/// inserts. Afterwards, `issued` has the registers that the pass accesses.
template <class ThreadGrouping>
template <bool kPlanned>
[[gnu::always_inline]] inline typename IssueStage<ThreadGrouping>::PassCycles
IssueStage<ThreadGrouping>::read_sources(IssuedInstruction& issued, const Pass& pass,
                                         std::size_t number, Cycle at) {
  if constexpr (kPlanned) {
    at = issue_copies(issued.warp, plans_[number].copies, pass, at);
    issued.accessed = plans_[number].accessed;
  }
  Cycle operands =
      sub_cores_.of(issued.warp)
          .operands.read_sources(issued, grouping_.static_warps(issued.warp), pass, number, at);
  if constexpr (kPlanned) operands = std::max(operands, at + plans_[number].source_latency);
  return {.issue = at, .operands = operands};
}

/// Issues `copies` register moves from `at` on, for the lanes of the pass. The moves are not in the
/// program: the redundancy policy inserts them. Returns the cycle in which the pass itself can
/// issue.
template <class ThreadGrouping>
Cycle IssueStage<ThreadGrouping>::issue_copies(WarpSlot warp, std::uint32_t copies,
                                               const Pass& pass, Cycle at) {
  counters_.warp_instructions += copies;
  counters_.lanes[static_cast<std::size_t>(pass.lanes.count())] += copies;
  for (std::uint32_t i = 0; i < copies; ++i) {
    sub_cores_.of(warp).units.execute(UnitKind::integer, at, 1);
    at += schedulers_.interval();
  }
  return at;
}

/// Writes the results of a memory instruction that completes at `done`. If `done` is never(), the
/// instruction is in flight, and Sequencer::complete() writes them. Returns when they can be read.
template <class ThreadGrouping>
template <bool kPlanned>
Cycle IssueStage<ThreadGrouping>::write_memory_results(IssuedInstruction& issued,
                                                       MemoryStage::Token token, Cycle done) {
  const bool is_in_flight = done == Cycle::never();
  if constexpr (kPlanned) {
    issued.accessed.writes = plans_.writes();
    if (is_in_flight) plans_.keep_writes(token);
  }
  return is_in_flight ? done : sub_cores_.of(issued.warp).operands.write_results(issued, done);
}

}  // namespace heddle::sm
