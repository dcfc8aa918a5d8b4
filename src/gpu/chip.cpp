#include "gpu/chip.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "gpu/chip_state.h"
#include "gpu/small_blocks.h"

namespace heddle::gpu {
namespace {

/// How many epochs pass between two reports of progress.
constexpr std::uint64_t kEpochsPerReport = 1024;

const trace::Kind kLaunch{"launch", "a launch begins: of which kernel", {{"launch"}, {"blocks"}}};

}  // namespace

void Chip::State::run(const std::vector<std::vector<const exec::Launch*>>& given) {
  if (broken) {
    // What a fault left is of no use.
    epochs = std::make_unique<Epochs>(machine, options.threads, options.trace);
    duels = duels_of(kinds);
    broken = false;
  }
  for (const auto& launches : given) {
    for (const exec::Launch* launch : launches) check_fits(*launch);
  }
  streams.clear();
  grids.clear();
  dispatcher->restart();
  watch.start(epochs->now().number);
  for (const auto& launches : given) streams.push_back({.launches = &launches});
  for (const auto& sm : sms()) {
    sm->begin_counting(epochs->now());
    if (options.note_lifetimes) sm->note_lifetimes();
  }
  for (Duel& duel : duels) duel.start(sms(), epochs->now());
  begin_launches();
  broken = true;
  while (any_under_way()) {
    dispatch();
    run_epoch();
    collect_ended_blocks();
    if (options.sample_interval.count != 0) take_samples();
    look_at_duels();
    begin_launches();
  }
  for (Duel& duel : duels) duel.stop(sms(), epochs->now());
  broken = false;
}

bool Chip::State::cuts(const exec::Launch& launch) const {
  return machine.dispatch.small_blocks && can_be_cut(launch);
}

sm::BlockNeeds Chip::State::needs_of(const exec::Launch& launch, const SmKind& kind) const {
  const code::FunctionInfo& info = launch.info();
  const std::uint32_t warps = cuts(launch) ? 1 : launch.warps_per_block();
  return {.warps = warps,
          .registers_per_thread =
              options.registers ? options.registers(info) : info.registers_per_thread,
          .shared_bytes = launch.shared_bytes() +
                          kind.sm->memory.local.bytes_of_block(warps, launch.local_bytes),
          .warps_together = kind.sm->divergence.rows(),
          .as_a_whole = launch.grid_workspace != 0};
}

sm::Occupancy Chip::State::occupancy_of(const exec::Launch& launch, const SmKind& kind) const {
  return sms()[kind.first]->occupancy(needs_of(launch, kind));
}

ChipGrid Chip::State::grid_of(const exec::Launch& launch) const {
  ChipGrid grid;
  for (const SmKind& kind : kinds) {
    grid.add(kind,
             {.launch = &launch,
              .table = sm::IssueTable(*launch.program, kind.sm->memory.local.private_bytes > 0),
              .needs = needs_of(launch, kind),
              .number = static_cast<std::uint32_t>(grids.size())});
  }
  return grid;
}

void Chip::State::begin_launches() {
  for (StreamState& stream : streams) {
    if (!stream.grid && stream.next < stream.launches->size()) begin(stream);
  }
}

void Chip::State::begin(StreamState& stream) {
  const exec::Launch& given = *(*stream.launches)[stream.next++];
  std::unique_ptr<const exec::Launch> cut = cuts(given) ? cut_into_warps(given) : nullptr;
  const exec::Launch& launch = cut ? *cut : given;
  const code::FunctionInfo& info = launch.info();
  auto grid = std::make_unique<GridState>(GridState{.cut = std::move(cut),
                                                    .grid = grid_of(launch),
                                                    .run = runs.size(),
                                                    .blocks = launch.running_blocks(),
                                                    .end = epochs->now()});
  begin_counting(*grid);
  const sm::BlockNeeds& needs = grid->grid.on(0).needs;
  KernelRun run{.kernel = info.name,
                .grid = launch.grid,
                .block = launch.block,
                .registers_per_thread = needs.registers_per_thread,
                .shared_bytes_per_block = needs.shared_bytes,
                .warps_per_block = needs.warps,
                .begin = epochs->now()};
  for (const SmKind& kind : kinds) {
    const sm::Occupancy occupancy = occupancy_of(launch, kind);
    run.occupancy_by_kind.push_back(occupancy);
    if (occupancy.blocks > run.occupancy.blocks) run.occupancy = occupancy;
  }
  runs.push_back(std::move(run));
  if (options.trace != nullptr) trace_launch(*grid);
  stream.grid = grid->grid.number();
  grids.push_back(std::move(grid));
  has_room = true;
}

void Chip::State::trace_launch(const GridState& grid) {
  const KernelRun& run = runs[grid.run];
  options.trace->chip().note({.at = run.begin,
                              .kind = &kLaunch,
                              .cause = options.trace->keep(run.kernel),
                              .values = {grid.run, grid.blocks}});
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
      const sm::Grid& seen = grid->grid.on(*chosen);
      const Cycle asked = std::max(runs[grid->run].begin, sm.room_since(seen));
      sm.take_block(seen, grid->next_block++, std::max(asked + latency, epochs->now()));
      epochs->look_at(*chosen);
    }
  }
}

void Chip::State::run_epoch() {
  check_instruction_limit();
  look_for_livelock();
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
  if (!options.progress || ++epochs_run % kEpochsPerReport != 0) return;
  try {
    report_progress();
  } catch (...) {
    stop_runs(epochs->now());
    throw;
  }
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

/// A multiprocessor that lets in more than it did has room.
void Chip::State::look_at_duels() {
  for (Duel& duel : duels) {
    if (duel.look(sms(), epochs->now())) has_room = true;
  }
}

void Chip::State::finish(StreamState& stream) {
  GridState& grid = *grids[*stream.grid];
  stream.grid.reset();
  KernelRun& run = runs[grid.run];
  run.cycles = grid.end - run.begin;
  settle(grid.end);
  if (grid.sampler) grid.sampler->end(grid.end, epochs->parts().counters());
  if (!any_under_way()) {
    // What it has stored is still on its way to memory; it is counted to it.
    epochs->drain(memory());
    for (const auto& sm : sms()) sm->forget_launches();
  }
  write_down(grid, grid.end);
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

std::uint64_t Chip::resident_blocks(const exec::Launch& launch) const {
  std::uint64_t blocks = 0;
  for (const SmKind& kind : state_->kinds) {
    blocks += std::uint64_t{kind.sms} * state_->occupancy_of(launch, kind).blocks;
  }
  return blocks;
}

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
std::uint32_t Chip::host_threads() const { return state_->epochs->host_threads(); }
const std::vector<KernelRun>& Chip::runs() const { return state_->runs; }
const std::vector<CounterName>& Chip::counters() const { return state_->names; }
std::span<const CounterName> Chip::sm_counters() const {
  return std::span(state_->names).first(state_->epochs->parts().sm_counters());
}
std::span<const CounterName> Chip::partition_counters() const {
  return std::span(state_->names).subspan(state_->epochs->parts().sm_counters());
}

}  // namespace heddle::gpu
