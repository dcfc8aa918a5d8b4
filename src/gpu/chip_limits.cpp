// Conditions that prevent or end launches: blocks that fit on no multiprocessor, deadlock,
// livelock, and limits on cycles and instructions.

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "exec/fault/fault_report.h"
#include "exec/livelock/livelock.h"
#include "gpu/chip_state.h"
#include "sm/storage/launch_sizes.h"

namespace heddle::gpu {

namespace {

/// "32768 registers and 49152 bytes"
std::string describe_storage(const sm::SmDescription& sm) {
  const sm::StorageSizes sizes = sm::parameter_sizes(sm);
  if (!sm.launch_storage.shared_banks()) {
    return fmt::format("{} registers and {} bytes", sizes.registers, sizes.shared_bytes);
  }
  return fmt::format("{} bytes for registers, shared memory and L1",
                     4 * std::uint64_t{sizes.registers} + sizes.shared_bytes + sizes.l1_bytes);
}

}  // namespace

/// Throws InputError unless a block of the launch fits on at least one multiprocessor.
void Chip::State::check_fits(const exec::Launch& launch) const {
  std::string why;
  for (const SmKind& kind : kinds) {
    const sm::Occupancy occupancy = occupancy_of(launch, kind);
    if (occupancy.blocks > 0) return;
    if (!why.empty()) why += "; ";
    if (!kind.group.empty()) why += fmt::format("of group '{}', ", kind.group);
    why += fmt::format("which has {} warps of 32 threads, {}; the limiting resource is {}",
                       kind.sm->residency.warps, describe_storage(*kind.sm),
                       sm::name_of(occupancy.limit));
  }
  const sm::BlockNeeds needs = needs_of(launch, kinds.front());
  throw InputError(fmt::format(
      "kernel '{}': a block of {} threads, {} registers per thread and {} bytes of shared memory "
      "does not fit on a multiprocessor of '{}', {}",
      launch.info().name, launch.block.count(), needs.registers_per_thread, needs.shared_bytes,
      machine.name, why));
}

/// Returns the first cycle in which a launch in flight reaches its cycle limit; never() if none has
/// a limit.
Cycle Chip::State::first_cycle_limit() const {
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

/// Ends the launches in flight, and records their counts up to `at`.
void Chip::State::stop_runs(Cycle at) {
  for (const auto& sm : sms()) {
    for (const sm::BlockInstructions& block : sm->block_instructions()) {
      runs[grids[block.grid]->run].warp_instructions += block.warp_instructions;
      runs[grids[block.grid]->run].thread_instructions += block.thread_instructions;
      if (has_several_streams()) count_for_stream(sm->number(), block);
    }
  }
  for (const StreamState& stream : streams) {
    if (!stream.grid) continue;
    GridState& grid = *grids[*stream.grid];
    KernelRun& run = runs[grid.run];
    run.cycles = at > run.begin ? at - run.begin : Cycles(0);
    record_run(grid, at);
  }
  if (options.trace != nullptr) options.trace->stop(at);
  epochs->report_last_accesses(at);
}

std::vector<exec::WarpStatus> Chip::State::statuses() const {
  std::vector<exec::WarpStatus> all;
  for (const auto& sm : sms()) sm->add_statuses(all);
  return all;
}

std::uint64_t Chip::State::instructions_of(const GridState& grid) const {
  std::uint64_t sum = runs[grid.run].warp_instructions;
  for (const auto& sm : sms()) {
    for (const sm::BlockInstructions& block : sm->block_instructions()) {
      if (block.grid == grid.grid.number()) sum += block.warp_instructions;
    }
  }
  return sum;
}

/// Throws a fault if a launch has executed more instructions than its limit. Called between epochs,
/// so a launch runs to the end of the epoch in which it exceeds its limit.
void Chip::State::check_instruction_limit() {
  for (const StreamState& stream : streams) {
    if (!stream.grid) continue;
    const GridState& grid = *grids[*stream.grid];
    const exec::Launch& launch = grid.grid.launch();
    const std::uint64_t limit = launch.max_warp_instructions;
    if (limit == ~std::uint64_t{0} || instructions() - grid.instructions_before <= limit) continue;
    // Launches of other streams may have executed some of these instructions.
    if (has_several_streams() && instructions_of(grid) <= limit) continue;
    const exec::SimulatedFault fault =
        exec::limit_fault(launch, runs[grid.run].blocks_done, statuses());
    stop_runs(epochs->now());
    throw fault;
  }
}

void Chip::State::raise_deadlock() {
  const sm::ResidentBlock* stuck = nullptr;
  for (const auto& sm : sms()) {
    if (stuck == nullptr) stuck = sm->stuck_block();
  }
  const exec::SimulatedFault fault =
      stuck != nullptr ? exec::deadlock_fault(*stuck->block, statuses())
                       : exec::SimulatedFault(exec::FaultKind::deadlock,
                                              "deadlock: nothing can happen any more");
  stop_runs(epochs->now());
  throw fault;
}

/// Checks each stream for a livelock. A stream whose warps all repeat themselves never ends,
/// because programs do not wait for one another. Such a stream is not detected if it shares its
/// multiprocessors with a stream that makes progress.
void Chip::State::look_for_livelock_by_stream() {
  for (const std::uint32_t number : in_flight) {
    const std::uint32_t stream = grids[number]->grid.stream();
    std::vector<exec::WarpStatus> idle;
    std::uint64_t effort = 0;
    auto found = exec::Activity::repeats;
    for (const auto& sm : sms()) {
      if (found == exec::Activity::works) break;
      if (tenancy.has_blocks(stream, sm->number())) {
        found = std::min(found, sm->activity(idle, effort));
      }
    }
    if (found != exec::Activity::repeats || idle.empty()) continue;
    const exec::SimulatedFault fault = exec::livelock_fault(idle, epochs->now().number);
    stop_runs(epochs->now());
    throw fault;
  }
}

/// Checks all multiprocessors for a livelock, beginning with the one that made progress in the last
/// check. The check ends at the first multiprocessor that makes progress.
void Chip::State::look_for_livelock() {
  const Cycle now = epochs->now();
  if (!watch.is_due(now.number)) return;
  if (has_several_streams()) look_for_livelock_by_stream();
  std::vector<exec::WarpStatus> idle;
  std::uint64_t effort = 0;
  auto found = exec::Activity::repeats;
  for (std::size_t i = 0; found != exec::Activity::works && i < sms().size(); ++i) {
    const std::size_t number = (first_sm_to_check + i) % sms().size();
    found = std::min(found, sms()[number]->activity(idle, effort));
    if (found == exec::Activity::works) first_sm_to_check = number;
  }
  if (idle.empty()) found = exec::Activity::works;
  const exec::Launch& launch = grids[in_flight.front()]->grid.launch();
  if (found != exec::Activity::works && launch.wait_for_host && launch.wait_for_host(idle)) {
    watch.start(now.number);
    return;
  }
  watch.record(now.number, effort, found);
  if (found == exec::Activity::repeats) {
    const exec::SimulatedFault fault = exec::livelock_fault(idle, now.number);
    stop_runs(now);
    throw fault;
  }
  if (!watch.should_notify() || !launch.notice) return;
  launch.notice(
      exec::no_progress_notice(idle, fmt::format("since cycle {}", watch.last_progress())));
}

void Chip::State::raise_cycle_limit() {
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
  message += exec::describe(statuses());
  stop_runs(epochs->now());
  throw exec::SimulatedFault(exec::FaultKind::cycle_limit, message, longest);
}

}  // namespace heddle::gpu
