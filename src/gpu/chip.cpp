#include "gpu/chip.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>

#include "base/error.h"
#include "exec/fault_report.h"
#include "gpu/dispatch/dispatcher.h"
#include "gpu/epochs.h"

namespace heddle::gpu {
namespace {

/// How many epochs pass between two looks at who is interested in progress.
constexpr std::uint64_t kEpochsPerReport = 1024;

/// A stream with the launch that it has come to.
struct StreamState {
  const std::vector<const exec::Launch*>* launches = nullptr;
  std::size_t next = 0;
  std::optional<std::uint32_t> grid = std::nullopt;  ///< Of the one under way.
};

/// A launch under way.
struct GridState {
  sm::Grid grid;
  std::size_t run = 0;  ///< Index into the runs.
  std::uint64_t blocks = 0;
  std::uint64_t next_block = 0;
  Cycle end;
  std::uint64_t instructions_before = 0;  ///< Of the whole chip.
  std::vector<std::uint64_t> counters_before{};
};

}  // namespace

struct Chip::State {
  State(const Machine& described, ChipOptions chosen)
      : machine(described),
        options(std::move(chosen)),
        epochs(std::make_unique<Epochs>(machine, options.threads)),
        names(epochs->parts().counter_names()),
        dispatcher(DispatcherRegistry::get(machine.dispatch.policy)()) {}

  void run(const std::vector<std::vector<const exec::Launch*>>& given);
  void begin_launches();
  void begin(StreamState& stream);
  void dispatch();
  void run_epoch();
  void collect_ended_blocks();
  void finish(StreamState& stream);
  void write_down(GridState& grid, Cycle end);
  void stop_runs(Cycle at);
  void report_progress() const;
  Cycle limit() const;
  std::uint64_t instructions() const;
  void check_instruction_limit();
  void check_fits(const exec::Launch& launch) const;
  sm::BlockNeeds needs_of(const exec::Launch& launch) const;
  std::string describe_first_busy_sm() const;
  [[noreturn]] void raise_deadlock();
  [[noreturn]] void raise_limit();

  bool any_under_way() const {
    return std::any_of(streams.begin(), streams.end(), [](const auto& s) { return s.grid; });
  }
  const std::vector<std::unique_ptr<sm::Sm>>& sms() const { return epochs->parts().sms(); }
  const exec::GlobalMemory& memory() const { return *grids.front()->grid.launch->memory; }

  Machine machine;
  ChipOptions options;
  std::unique_ptr<Epochs> epochs;
  std::vector<CounterName> names;
  std::unique_ptr<Dispatcher> dispatcher;

  std::uint64_t epochs_run = 0;
  bool has_room = true;  ///< There may be for another block.
  bool broken = false;  ///< A launch stopped in its middle.
  std::vector<StreamState> streams;
  std::vector<std::unique_ptr<GridState>> grids;
  std::vector<KernelRun> runs;
  /// Of each multiprocessor: when blocks ended whose places have not been given away yet.
  std::vector<std::deque<Cycle>> places_free;
};

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
          .shared_bytes = launch.shared_bytes()};
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
    for (const sm::Sm::EndedBlock& block : sm->ended_blocks()) {
      GridState& grid = *grids[block.grid];
      KernelRun& run = runs[grid.run];
      ++run.blocks_done;
      run.warp_instructions += block.warp_instructions;
      run.thread_instructions += block.thread_instructions;
      grid.end = std::max(grid.end, block.at);
      places_free[sm->number()].push_back(block.at);
    }
    sm->ended_blocks().clear();
    for (const sm::Sm::EndedWarp& warp : sm->ended_warps()) {
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
    for (const sm::Sm::BlockCount& block : sm->block_counts()) {
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
}

std::string Chip::State::describe_first_busy_sm() const {
  for (const auto& sm : sms()) {
    if (sm->resident_blocks() == 0) continue;
    return fmt::format("  multiprocessor {}:\n{}", sm->number(), sm->describe_warps());
  }
  return {};
}

std::uint64_t Chip::State::instructions() const {
  std::uint64_t sum = 0;
  for (const auto& sm : sms()) sum += sm->warp_instructions();
  return sum;
}

/// Looked at between epochs: a launch may run to the end of the one in which it passes its limit.
void Chip::State::check_instruction_limit() {
  for (const StreamState& stream : streams) {
    if (!stream.grid) continue;
    const GridState& grid = *grids[*stream.grid];
    const std::uint64_t limit = grid.grid.launch->max_warp_instructions;
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
    if (const exec::Block* stuck = sm->stuck_block()) {
      message = exec::deadlock_fault(*stuck).what() + std::string("\n");
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
