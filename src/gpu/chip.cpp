#include "gpu/chip.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "exec/memory/address_space.h"
#include "gpu/chip_state.h"
#include "gpu/small_blocks.h"
#include "sm/storage/launch_sizes.h"

namespace heddle::gpu {
namespace {

// Addresses of code and parameters on the simulated chip. The first two constants are the distances
// between the code of two programs, and between the parameters of two launches. They exceed the
// largest code and the largest parameters. They are fixed, because addresses affect timing. They
// are not powers of two, so that the code and parameters of different launches begin in different
// cache sets.
constexpr std::uint32_t kCodeStride = (1U << 24) + 592;                     // In instructions.
constexpr std::uint64_t kParameterStride = (std::uint64_t{1} << 16) + 768;  // In bytes.
// The number of launches whose parameters have different addresses. It is so small that parameters
// stay below device memory.
constexpr std::uint64_t kParameterPlaces = 1 << 19;
static_assert(kParameterPlaces * kParameterStride + exec::kParameterWindow + exec::kWindowBytes <
              exec::kGlobalBase);

/// The number of epochs between two reports of progress.
constexpr std::uint64_t kEpochsPerReport = 1024;

const trace::Kind kLaunch{
    "launch", "a launch begins; the cause is its kernel", {{"launch"}, {"blocks"}}};

}  // namespace

bool Chip::State::cuts_blocks(const exec::Launch& launch) const {
  return machine.dispatch.small_blocks && can_be_cut(launch);
}

sm::BlockNeeds Chip::State::needs_of(const exec::Launch& launch, const SmKind& kind) const {
  const code::FunctionInfo& info = launch.info();
  const std::uint32_t warps = cuts_blocks(launch) ? 1 : launch.warps_per_block();
  return {.warps = warps,
          .registers_per_thread =
              options.registers ? options.registers(info) : info.registers_per_thread,
          .shared_bytes = launch.shared_bytes() +
                          kind.sm->memory.local.bytes_of_block(warps, launch.local_bytes),
          .static_warps_per_warp = kind.sm->divergence.static_warps(),
          .must_be_whole = launch.grid_workspace != 0};
}

sm::IssueTableOptions Chip::State::issue_options(const SmKind& kind) const {
  const sm::MultiplicationDescription& multiplication = kind.sm->units.multiplication;
  return {.has_private_memory = kind.sm->memory.local.private_bytes > 0,
          .wide_integers = machine.isa.one_word_addresses ? sm::WideIntegers::one_word
                                                          : sm::WideIntegers::two_words,
          .multiply_instructions = multiplication.instructions,
          .multiply_delay = multiplication.delay};
}

sm::StorageSizes Chip::State::storage_for(const sm::BlockNeeds& needs, const SmKind& kind) const {
  // Blocks of several streams meet on a multiprocessor, so no sizes suit one launch.
  return has_several_streams() ? sm::parameter_sizes(*kind.sm) : sm::sizes_for(*kind.sm, needs);
}

sm::Occupancy Chip::State::occupancy_of(const exec::Launch& launch, const SmKind& kind) const {
  const sm::BlockNeeds needs = needs_of(launch, kind);
  return sm::occupancy_of(*kind.sm, storage_for(needs, kind), needs);
}

ChipGrid Chip::State::grid_of(const exec::Launch& launch, std::uint32_t stream) const {
  ChipGrid grid(stream);
  // In run_streams(), all streams belong to one program.
  const std::uint32_t program = is_shared_run ? stream : 0;
  const auto number = static_cast<std::uint32_t>(grids.size());
  for (const SmKind& kind : kinds) {
    const sm::BlockNeeds needs = needs_of(launch, kind);
    const sm::StorageSizes storage = storage_for(needs, kind);
    grid.add(kind,
             {.launch = &launch,
              .table = sm::IssueTable(*launch.program, issue_options(kind)),
              .needs = needs,
              .storage = storage,
              .number = number,
              .bases = {.code = program * kCodeStride,
                        .parameters = number % kParameterPlaces * kParameterStride}},
             sm::occupancy_of(*kind.sm, storage, needs));
  }
  return grid;
}

void Chip::State::begin(StreamState& stream, const exec::Launch& original) {
  std::unique_ptr<const exec::Launch> copy = cuts_blocks(original) ? cut_into_warps(original)
                                             : is_shared_run
                                                 ? std::make_unique<exec::Launch>(original)
                                                 : nullptr;
  const exec::Launch& launch = copy ? *copy : original;
  const code::FunctionInfo& info = launch.info();
  const auto number = static_cast<std::uint32_t>(&stream - streams.data());
  auto grid = std::make_unique<GridState>(GridState{.launch_copy = std::move(copy),
                                                    .grid = grid_of(launch, number),
                                                    .run = runs.size(),
                                                    .blocks = launch.running_blocks(),
                                                    .end = epochs->now()});
  for (const auto& sm : sms()) sm->begin_launch(grid->grid.grid_on(sm->number()));
  begin_counting(*grid);
  const sm::BlockNeeds& needs = grid->grid.grid_on(0).needs;
  KernelRun run{.kernel = info.name,
                .grid = launch.grid,
                .block = launch.block,
                .registers_per_thread = needs.registers_per_thread,
                .shared_bytes_per_block = needs.shared_bytes,
                .warps_per_block = needs.warps,
                .stream = number,
                .begin = epochs->now()};
  run.occupancy_by_kind = grid->grid.occupancies();
  for (const sm::Grid& of_kind : grid->grid.by_kind()) {
    run.storage_by_kind.push_back(of_kind.storage);
  }
  for (const sm::Occupancy& occupancy : run.occupancy_by_kind) {
    if (occupancy.blocks > run.occupancy.blocks) run.occupancy = occupancy;
  }
  runs.push_back(std::move(run));
  if (options.trace != nullptr) trace_launch(*grid);
  if (launch.access_observer != nullptr) epochs->observe_accesses();
  stream.grid = grid->grid.number();
  in_flight.push_back(grid->grid.number());
  if (has_several_streams()) dispatcher->begin(grid->grid);
  grids.push_back(std::move(grid));
  may_have_space = true;
}

void Chip::State::trace_launch(const GridState& grid) {
  const KernelRun& run = runs[grid.run];
  options.trace->chip().note({.at = run.begin,
                              .kind = &kLaunch,
                              .cause = options.trace->intern(run.kernel),
                              .values = {grid.run, grid.blocks}});
}

void Chip::State::dispatch() {
  if (!may_have_space) return;
  may_have_space = false;
  const Cycles latency(machine.dispatch.latency);
  for (const std::uint32_t number : in_flight) {
    GridState& grid = *grids[number];
    while (grid.next_block < grid.blocks) {
      const std::optional<std::uint32_t> chosen = dispatcher->choose(grid.grid, sms());
      if (!chosen) break;
      sm::Sm& sm = *sms()[*chosen];
      const sm::Grid& sm_grid = grid.grid.grid_on(*chosen);
      const Cycle requested = std::max(runs[grid.run].begin, sm.space_since(sm_grid));
      const Cycle at = std::max(requested + latency, epochs->now());
      sm.admit_block(sm_grid, grid.next_block++, at);
      if (has_several_streams()) tenancy.add_block(grid.grid.stream(), *chosen, at);
      epochs->refresh(*chosen);
    }
  }
}

void Chip::State::run_epoch() {
  check_instruction_limit();
  look_for_livelock();
  const Cycle next = epochs->next_event();
  if (next == Cycle::never()) raise_deadlock();
  epochs->skip_to(std::min(next, first_cycle_limit()));
  if (epochs->now() >= first_cycle_limit()) raise_cycle_limit();
  try {
    epochs->run(std::min(epochs->now() + epochs->length(), first_cycle_limit()), memory());
  } catch (const exec::SimulatedFault&) {
    stop_runs(epochs->fault_at());
    throw;
  }
  if (!options.progress || ++epoch_count % kEpochsPerReport != 0) return;
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
    if (!epochs->has_finished_work(sm->number())) continue;
    any = true;
    for (const sm::EndedBlock& block : sm->ended_blocks()) {
      GridState& grid = *grids[block.grid];
      KernelRun& run = runs[grid.run];
      ++run.blocks_done;
      run.warp_instructions += block.warp_instructions;
      run.thread_instructions += block.thread_instructions;
      grid.end = std::max(grid.end, block.at);
      if (has_several_streams()) {
        tenancy.remove_block(grid.grid.stream(), sm->number(), block.at);
        count_for_stream(sm->number(), block);
      }
    }
    sm->ended_blocks().clear();
    for (const sm::EndedWarp& warp : sm->ended_warps()) {
      runs[grids[warp.grid]->run].lifetimes.push_back(warp);
    }
    sm->ended_warps().clear();
    epochs->refresh(sm->number());
  }
  if (!any) return;
  may_have_space = true;
  for (StreamState& stream : streams) {
    if (stream.grid && runs[grids[*stream.grid]->run].blocks_done == grids[*stream.grid]->blocks) {
      finish(stream);
    }
  }
}

/// Updates all duels (gpu/duel.h). Multiprocessors that follow a new winner may have space for more
/// blocks.
void Chip::State::update_duels() {
  for (Duel& duel : duels) {
    if (duel.update(sms(), epochs->now())) may_have_space = true;
  }
}

void Chip::State::finish(StreamState& stream) {
  GridState& grid = *grids[*stream.grid];
  stream.grid.reset();
  KernelRun& run = runs[grid.run];
  run.cycles = grid.end - run.begin;
  settle(grid.end);
  if (grid.sampler) grid.sampler->end(grid.end, epochs->components().counters());
  if (!any_in_flight()) {
    // Stores of the launch may still be in flight. They are completed here, because their counts
    // belong to the launch.
    epochs->drain(memory());
    for (const auto& sm : sms()) sm->forget_launches();
  }
  record_run(grid, grid.end);
  std::erase(in_flight, grid.grid.number());
  // A shared run may have very many launches, so most of the launch's state is freed. The copy of
  // the launch stays, because its address must not be reused.
  if (is_shared_run) {
    grid.grid = ChipGrid();
    grid.counters_before = {};
    grid.counters_by_kind_before = {};
  }
  stream.source->ended(run);
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

const Machine& Chip::machine() const { return state_->machine; }
std::uint32_t Chip::host_threads() const { return state_->epochs->host_threads(); }
const std::vector<KernelRun>& Chip::runs() const { return state_->runs; }
const std::vector<CounterName>& Chip::counters() const { return state_->counter_names; }
std::span<const CounterName> Chip::sm_counters() const {
  return std::span(state_->counter_names).first(state_->epochs->components().sm_counter_count());
}
std::span<const CounterName> Chip::partition_counters() const {
  return std::span(state_->counter_names).subspan(state_->epochs->components().sm_counter_count());
}

}  // namespace heddle::gpu
