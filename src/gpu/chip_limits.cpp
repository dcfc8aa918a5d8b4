// What keeps launches from their end: no room for their blocks, nothing that can happen any more,
// or too much that has.

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "exec/fault/fault_report.h"
#include "exec/livelock/livelock.h"
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
      if (side_by_side()) count_for_stream(sm->number(), block);
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

std::vector<exec::Standing> Chip::State::standings() const {
  std::vector<exec::Standing> all;
  for (const auto& sm : sms()) sm->add_standings(all);
  return all;
}

std::uint64_t Chip::State::instructions_of(const GridState& grid) const {
  std::uint64_t sum = runs[grid.run].warp_instructions;
  for (const auto& sm : sms()) {
    for (const sm::BlockCount& block : sm->block_counts()) {
      if (block.grid == grid.grid.number()) sum += block.warp_instructions;
    }
  }
  return sum;
}

/// Looked at between epochs: a launch may run to the end of the one in which it passes its limit.
void Chip::State::check_instruction_limit() {
  for (const StreamState& stream : streams) {
    if (!stream.grid) continue;
    const GridState& grid = *grids[*stream.grid];
    const exec::Launch& launch = grid.grid.launch();
    const std::uint64_t limit = launch.max_warp_instructions;
    if (limit == ~std::uint64_t{0} || instructions() - grid.instructions_before <= limit) continue;
    // Others may have executed them.
    if (side_by_side() && instructions_of(grid) <= limit) continue;
    const exec::SimulatedFault fault =
        exec::limit_fault(launch, runs[grid.run].blocks_done, standings());
    stop_runs(epochs->now());
    throw fault;
  }
}

void Chip::State::raise_deadlock() {
  const sm::Resident* stuck = nullptr;
  for (const auto& sm : sms()) {
    if (stuck == nullptr) stuck = sm->stuck_block();
  }
  const exec::SimulatedFault fault =
      stuck != nullptr ? exec::deadlock_fault(*stuck->block, standings())
                       : exec::SimulatedFault(exec::FaultKind::deadlock,
                                              "deadlock: nothing can ever happen again");
  stop_runs(epochs->now());
  throw fault;
}

/// Programs side by side cannot free one another: where all that a stream has on the chip repeats
/// what it does, it ends never, whatever the others do. Where blocks of one that works are on the
/// same multiprocessors, that is not found.
void Chip::State::look_for_livelock_of_each() {
  for (const std::uint32_t number : under_way) {
    const std::uint32_t stream = grids[number]->grid.stream();
    std::vector<exec::Standing> idle;
    std::uint64_t effort = 0;
    auto found = exec::Activity::repeats;
    for (const auto& sm : sms()) {
      if (found == exec::Activity::works) break;
      if (tenancy.holds(stream, sm->number())) found = std::min(found, sm->activity(idle, effort));
    }
    if (found != exec::Activity::repeats || idle.empty()) continue;
    const exec::SimulatedFault fault = exec::livelock_fault(idle, epochs->now().number);
    stop_runs(epochs->now());
    throw fault;
  }
}

/// The multiprocessor that was found at work last time is asked first.
void Chip::State::look_for_livelock() {
  const Cycle now = epochs->now();
  if (!watch.due(now.number)) return;
  if (side_by_side()) look_for_livelock_of_each();
  std::vector<exec::Standing> idle;
  std::uint64_t effort = 0;
  auto found = exec::Activity::repeats;
  for (std::size_t i = 0; found != exec::Activity::works && i < sms().size(); ++i) {
    const std::size_t number = (first_look + i) % sms().size();
    found = std::min(found, sms()[number]->activity(idle, effort));
    if (found == exec::Activity::works) first_look = number;
  }
  if (idle.empty()) found = exec::Activity::works;
  watch.looked(now.number, effort, found);
  if (found == exec::Activity::repeats) {
    const exec::SimulatedFault fault = exec::livelock_fault(idle, now.number);
    stop_runs(now);
    throw fault;
  }
  const auto& notice = grids[under_way.front()]->grid.launch().notice;
  if (!watch.is_notable() || !notice) return;
  notice(exec::quiet_notice(idle, fmt::format("since cycle {}", watch.since())));
}

void Chip::State::raise_limit() {
  std::string message;
  const exec::Launch* longest = nullptr;
  for (const StreamState& stream : streams) {
    if (!stream.grid) continue;
    const GridState& grid = *grids[*stream.grid];
    if (epochs->now() >= runs[grid.run].begin + Cycles(options.max_cycles)) {
      longest = &grid.grid.launch();
    }
    message +=
        fmt::format("kernel '{}': stopped after {} cycles, the limit, with {} of {} blocks done\n",
                    runs[grid.run].kernel, (epochs->now() - runs[grid.run].begin).count,
                    runs[grid.run].blocks_done, grid.blocks);
  }
  message += exec::describe(standings());
  stop_runs(epochs->now());
  throw exec::SimulatedFault(exec::FaultKind::cycle_limit, message, longest);
}

}  // namespace heddle::gpu
