// What keeps launches from their end: no room for their blocks, nothing that can happen any more,
// or too much that has.

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "exec/fault/fault_report.h"
#include "gpu/chip_state.h"

namespace heddle::gpu {

/// A launch may run where its blocks fit on any multiprocessor.
void Chip::State::check_fits(const exec::Launch& launch) const {
  std::string why;
  for (const SmKind& kind : kinds) {
    const sm::Occupancy occupancy = occupancy_of(launch, kind);
    if (occupancy.blocks > 0) return;
    const sm::ResidencyDescription& has = kind.sm->residency;
    if (!why.empty()) why += "; ";
    if (!kind.group.empty()) why += fmt::format("of group '{}', ", kind.group);
    why += fmt::format(
        "which has {} warps of 32 threads, {} registers and {} bytes; what runs out is {}",
        has.warps, has.registers, has.shared_bytes, sm::name_of(occupancy.limit));
  }
  const sm::BlockNeeds needs = needs_of(launch, kinds.front());
  throw InputError(fmt::format(
      "kernel '{}': a block of {} threads, {} registers a thread and {} bytes of shared memory "
      "does not fit on a multiprocessor of '{}', {}",
      launch.info().name, launch.block.count(), needs.registers_per_thread, needs.shared_bytes,
      machine.name, why));
}

/// When the first launch under way has had all the cycles that it may have.
Cycle Chip::State::limit() const {
  Cycle first = Cycle::never();
  for (const StreamState& stream : streams) {
    if (!stream.grid) continue;
    const Cycle begin = runs[grids[*stream.grid]->run].begin;
    if (options.max_cycles < Cycle::never().number - begin.number) {
      first = std::min(first, begin + Cycles(options.max_cycles));
    }
  }
  return first;
}

/// The launches under way end here; what was counted until now is theirs.
void Chip::State::stop_runs(Cycle at) {
  for (const auto& sm : sms()) {
    for (const sm::BlockCount& block : sm->block_counts()) {
      runs[grids[block.grid]->run].warp_instructions += block.warp_instructions;
      runs[grids[block.grid]->run].thread_instructions += block.thread_instructions;
    }
  }
  for (const StreamState& stream : streams) {
    if (!stream.grid) continue;
    GridState& grid = *grids[*stream.grid];
    KernelRun& run = runs[grid.run];
    run.cycles = at > run.begin ? at - run.begin : Cycles(0);
    write_down(grid, at);
  }
  if (options.trace != nullptr) options.trace->stop(at);
}

std::string Chip::State::describe_first_busy_sm() const {
  for (const auto& sm : sms()) {
    if (sm->resident_blocks() == 0) continue;
    return fmt::format("  multiprocessor {}:\n{}", sm->number(), sm->describe_warps());
  }
  return {};
}

/// Looked at between epochs: a launch may run to the end of the one in which it passes its limit.
void Chip::State::check_instruction_limit() {
  for (const StreamState& stream : streams) {
    if (!stream.grid) continue;
    const GridState& grid = *grids[*stream.grid];
    const std::uint64_t limit = grid.grid.launch().max_warp_instructions;
    if (limit == ~std::uint64_t{0} || instructions() - grid.instructions_before <= limit) continue;
    const std::string message =
        fmt::format("kernel '{}': stopped after {} warp instructions, the limit\n",
                    runs[grid.run].kernel, limit) +
        describe_first_busy_sm();
    stop_runs(epochs->now());
    throw exec::SimulatedFault(exec::FaultKind::instruction_limit, message);
  }
}

void Chip::State::raise_deadlock() {
  const std::string warps = describe_first_busy_sm();
  std::string message = "deadlock: nothing can ever happen again\n";
  for (const auto& sm : sms()) {
    if (const sm::Resident* stuck = sm->stuck_block()) {
      message =
          exec::deadlock_fault(*stuck->block, stuck->unstarted_warps()).what() + std::string("\n");
      break;
    }
  }
  stop_runs(epochs->now());
  throw exec::SimulatedFault(exec::FaultKind::deadlock, message + warps);
}

void Chip::State::raise_limit() {
  std::string message;
  for (const StreamState& stream : streams) {
    if (!stream.grid) continue;
    const GridState& grid = *grids[*stream.grid];
    message +=
        fmt::format("kernel '{}': stopped after {} cycles, the limit, with {} of {} blocks done\n",
                    runs[grid.run].kernel, (epochs->now() - runs[grid.run].begin).count,
                    runs[grid.run].blocks_done, grid.blocks);
  }
  message += describe_first_busy_sm();
  stop_runs(epochs->now());
  throw exec::SimulatedFault(exec::FaultKind::cycle_limit, message);
}

}  // namespace heddle::gpu
