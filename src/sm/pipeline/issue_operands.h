#pragma once

// The operands of instructions that issue: which registers are read and written when, according to
// the operand policy and, if there is one, the redundancy policy. Also what else the latter plans:
// register moves before an instruction, and how much of it goes through its unit.

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
  OperandAccess& access = sub_cores_.of(issued.warp).operands;
  Cycle operands =
      access.read_sources(issued, grouping_.static_warps(issued.warp), pass, number, at);
  if constexpr (kPlanned) {
    operands = std::max(operands, at + plans_[number].source_latency);
    if (access.accesses_single_lanes()) plans_.count_reads(number, issued.table.reads(issued.info));
  }
  return {.issue = at, .operands = operands};
}

/// Issues `copies` register moves from `at` on, before the pass. The moves are not in the
/// program: the redundancy policy inserts them. Returns the cycle in which the pass itself can
/// issue.
template <class ThreadGrouping>
Cycle IssueStage<ThreadGrouping>::issue_copies(WarpSlot warp, std::uint32_t copies,
                                               const Pass& pass, Cycle at) {
  counters_.warp_instructions += copies;
  counters_.lanes[static_cast<std::size_t>(pass.lanes.count())] += copies;
  ExecutionUnits& units = sub_cores_.of(warp).units;
  for (std::uint32_t i = 0; i < copies; ++i) {
    units.execute(UnitKind::integer, at, 1);
    units.count_lanes(UnitKind::integer, 1, kWarpSize);
    at += schedulers_.interval();
  }
  return at;
}

/// Books the unit for a pass whose operands arrive at `start`, as planned. Returns the first cycle
/// in which its results can be used.
template <class ThreadGrouping>
Cycle IssueStage<ThreadGrouping>::compute_planned(ExecutionUnits& units, const IssueInfo& info,
                                                  std::size_t pass, Cycle start) {
  const Plan& plan = plans_[pass];
  if (plan.skips_unit()) return start + plan.skip_latency;
  units.count_lanes(info.unit, info.expansion, plan.computed_lanes);
  const Cycle computed = units.execute_slices(info.unit, start, info.expansion, plan.slices) +
                         Cycles(info.result_delay);
  plans_.report_computed(pass, computed);
  return computed;
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
  if (is_in_flight) return done;
  OperandAccess& access = sub_cores_.of(issued.warp).operands;
  if constexpr (kPlanned) {
    if (access.accesses_single_lanes())
      plans_.count_memory_writes(issued.table.writes(issued.info));
  }
  return access.write_results(issued, done);
}

}  // namespace heddle::sm
