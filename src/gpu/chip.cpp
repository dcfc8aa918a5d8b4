#include "gpu/chip.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "gpu/chip_state.h"

namespace heddle::gpu {
namespace {

/// How many epochs pass between two looks at who is interested in progress.
constexpr std::uint64_t kEpochsPerReport = 1024;

}  // namespace

void Chip::State::run(const std::vector<std::vector<const exec::Launch*>>& given) {
  if (broken) {
    // What a fault left behind is of no use.
    epochs = std::make_unique<Epochs>(machine, options.threads);
    broken = false;
  }
  for (const auto& launches : given) {
    for (const exec::Launch* launch : launches) check_fits(*launch);
  }
  streams.clear();
  grids.clear();
  dispatcher->restart();
  places_free.assign(sms().size(), {});
  for (const auto& launches : given) streams.push_back({.launches = &launches});
  for (const auto& sm : sms()) {
    sm->begin_counting(epochs->now());
    if (options.note_lifetimes) sm->note_lifetimes();
  }
  begin_launches();
  broken = true;
  while (any_under_way()) {
    dispatch();
    run_epoch();
    collect_ended_blocks();
    begin_launches();
  }
  broken = false;
}

sm::BlockNeeds Chip::State::needs_of(const exec::Launch& launch) const {
  const code::FunctionInfo& info = launch.info();
  return {.warps = launch.warps_per_block(),
          .registers_per_thread =
              options.registers ? options.registers(info) : info.registers_per_thread,
          .shared_bytes = launch.shared_bytes(),
          .warps_together = machine.sm.divergence.rows()};
}

void Chip::State::check_fits(const exec::Launch& launch) const {
  const sm::BlockNeeds needs = needs_of(launch);
  const sm::Occupancy occupancy = sms().front()->occupancy(needs);
  if (occupancy.blocks > 0) return;
  const sm::ResidencyDescription& has = machine.sm.residency;
  throw InputError(fmt::format(
      "kernel '{}': a block of {} threads, {} registers a thread and {} bytes of shared memory "
      "does not fit on a multiprocessor of '{}', which has {} warps of 32 threads, {} registers "
      "and {} bytes; what runs out is {}",
      launch.info().name, launch.block.count(), needs.registers_per_thread, needs.shared_bytes,
      machine.name, has.warps, has.registers, has.shared_bytes, sm::name_of(occupancy.limit)));
}

void Chip::State::begin_launches() {
  for (StreamState& stream : streams) {
    if (!stream.grid && stream.next < stream.launches->size()) begin(stream);
  }
}

void Chip::State::begin(StreamState& stream) {
  const exec::Launch& launch = *(*stream.launches)[stream.next++];
  const code::FunctionInfo& info = launch.info();
  const sm::BlockNeeds needs = needs_of(launch);
  auto grid = std::make_unique<GridState>(
      GridState{.grid = {.launch = &launch,
                         .table = sm::IssueTable(*launch.program),
                         .needs = needs,
                         .number = static_cast<std::uint32_t>(grids.size())},
                .run = runs.size(),
                .blocks = launch.grid.count(),
                .end = epochs->now()});
  for (const auto& sm : sms()) sm->settle(epochs->now());
  for (auto& ends : places_free) ends.clear();
  grid->instructions_before = instructions();
  grid->counters_before = epochs->parts().counters();
  runs.push_back({.kernel = info.name,
                  .grid = launch.grid,
                  .block = launch.block,
                  .registers_per_thread = needs.registers_per_thread,
                  .shared_bytes_per_block = needs.shared_bytes,
                  .occupancy = sms().front()->occupancy(needs),
                  .warps_per_block = needs.warps,
                  .begin = epochs->now()});
  stream.grid = grid->grid.number;
  grids.push_back(std::move(grid));
  has_room = true;
}

void Chip::State::dispatch() {
  if (!has_room) return;
  has_room = false;
  const Cycles latency(machine.dispatch.latency);
  for (const auto& grid : grids) {
    while (grid->next_block < grid->blocks) {
      const std::optional<std::uint32_t> chosen = dispatcher->choose(grid->grid, sms());
      if (!chosen) break;
      sm::Sm& sm = *sms()[*chosen];
      Cycle asked = runs[grid->run].begin;
      std::deque<Cycle>& ends = places_free[*chosen];
      if (!ends.empty()) {
        asked = std::max(asked, ends.front());
        ends.pop_front();
      }
      sm.take_block(grid->grid, grid->next_block++, std::max(asked + latency, epochs->now()));
      epochs->look_at(*chosen);
    }
  }
}

void Chip::State::run_epoch() {
  check_instruction_limit();
  const Cycle next = epochs->next_event();
  if (next == Cycle::never()) raise_deadlock();
  epochs->skip_to(std::min(next, limit()));
  if (epochs->now() >= limit()) raise_limit();
  try {
    epochs->run(std::min(epochs->now() + epochs->length(), limit()), memory());
  } catch (const exec::SimulatedFault&) {
    stop_runs(epochs->fault_at());
    throw;
  }
  if (options.progress && ++epochs_run % kEpochsPerReport == 0) report_progress();
}

void Chip::State::collect_ended_blocks() {
  bool any = false;
  for (const auto& sm : sms()) {
    if (!epochs->has_ended(sm->number())) continue;
    any = true;
    for (const sm::EndedBlock& block : sm->ended_blocks()) {
      GridState& grid = *grids[block.grid];
      KernelRun& run = runs[grid.run];
      ++run.blocks_done;
      run.warp_instructions += block.warp_instructions;
      run.thread_instructions += block.thread_instructions;
      grid.end = std::max(grid.end, block.at);
      places_free[sm->number()].push_back(block.at);
    }
    sm->ended_blocks().clear();
    for (const sm::EndedWarp& warp : sm->ended_warps()) {
      runs[grids[warp.grid]->run].lifetimes.push_back(warp);
    }
    sm->ended_warps().clear();
    epochs->look_at(sm->number());
  }
  if (!any) return;
  has_room = true;
  for (StreamState& stream : streams) {
    if (stream.grid && runs[grids[*stream.grid]->run].blocks_done == grids[*stream.grid]->blocks) {
      finish(stream);
    }
  }
}

void Chip::State::finish(StreamState& stream) {
  GridState& grid = *grids[*stream.grid];
  stream.grid.reset();
  KernelRun& run = runs[grid.run];
  run.cycles = grid.end - run.begin;
  if (!any_under_way()) {
    // What it has stored is still on its way to memory; it is counted to it.
    for (const auto& sm : sms()) sm->settle(grid.end);
    epochs->drain(memory());
    for (const auto& sm : sms()) sm->forget_launches();
  }
  write_down(grid, grid.end);
}

void Chip::State::write_down(GridState& grid, Cycle end) {
  for (const auto& sm : sms()) {
    sm->settle(end);
    sm->add_profile(grid.grid);
  }
  std::vector<std::uint64_t> counters = epochs->parts().counters();
  for (std::size_t i = 0; i < counters.size(); ++i) counters[i] -= grid.counters_before[i];
  runs[grid.run].counters = std::move(counters);
}

std::uint64_t Chip::State::instructions() const {
  std::uint64_t sum = 0;
  for (const auto& sm : sms()) sum += sm->warp_instructions();
  return sum;
}

void Chip::State::report_progress() const {
  for (const StreamState& stream : streams) {
    if (!stream.grid) continue;
    const GridState& grid = *grids[*stream.grid];
    const KernelRun& run = runs[grid.run];
    options.progress({.kernel = run.kernel,
                      .cycles = epochs->now() - run.begin,
                      .warp_instructions = instructions() - grid.instructions_before,
                      .blocks_done = run.blocks_done,
                      .blocks = grid.blocks});
    return;
  }
}

Chip::Chip(const Machine& machine, ChipOptions options)
    : state_(std::make_unique<State>(machine, std::move(options))) {}
Chip::~Chip() = default;

exec::GridResult Chip::run(const exec::Launch& launch) { return run_streams({{&launch}}).front(); }

std::vector<exec::GridResult> Chip::run_streams(
    const std::vector<std::vector<const exec::Launch*>>& streams) {
  const std::size_t first = state_->runs.size();
  state_->run(streams);
  std::vector<exec::GridResult> results;
  for (std::size_t i = first; i < state_->runs.size(); ++i) {
    results.push_back({.warp_instructions = state_->runs[i].warp_instructions,
                       .thread_instructions = state_->runs[i].thread_instructions});
  }
  return results;
}

const Machine& Chip::machine() const { return state_->machine; }
const std::vector<KernelRun>& Chip::runs() const { return state_->runs; }
const std::vector<CounterName>& Chip::counters() const { return state_->names; }

}  // namespace heddle::gpu
