#include "gpu/chip.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <optional>

#include "base/error.h"
#include "exec/fault_report.h"
#include "gpu/components.h"
#include "gpu/dispatch/dispatcher.h"
#include "gpu/team.h"

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
  std::vector<std::uint64_t> counters_before{};
};

}  // namespace

struct Chip::State {
  State(const Machine& described, ChipOptions chosen)
      : machine(described),
        options(std::move(chosen)),
        parts(std::make_unique<Components>(machine)),
        names(parts->counter_names()),
        dispatcher(DispatcherRegistry::find(machine.dispatch.policy)()),
        team(std::min(std::max(options.threads, 1U), machine.chip.sms)),
        link(machine.interconnect.latency) {}

  void run(const std::vector<std::vector<const exec::Launch*>>& streams);
  void begin_launches();
  void begin(StreamState& stream);
  void dispatch();
  void run_epoch();
  void run_sms(Cycle until);
  void run_partitions(Cycle until);
  void execute_chip_wide();
  void collect_ended_blocks();
  void stop_runs(Cycle at);
  void finish(StreamState& stream);
  void drain();
  void write_down(GridState& grid, Cycle end);
  void raise_first_fault();
  void report_progress() const;
  Cycle next_event();
  bool has_mail() const;
  Cycle limit() const;
  [[noreturn]] void raise_deadlock();
  [[noreturn]] void raise_limit();

  Machine machine;
  ChipOptions options;
  std::unique_ptr<Components> parts;
  std::vector<CounterName> names;
  std::unique_ptr<Dispatcher> dispatcher;
  Team team;
  Cycles link;

  Cycle now;  ///< The begin of the next epoch.
  std::uint64_t epochs = 0;
  bool broken = false;  ///< A launch stopped in its middle.
  std::vector<StreamState> streams;
  std::vector<std::unique_ptr<GridState>> grids;
  std::vector<std::exception_ptr> faults;  ///< Of each multiprocessor, in this epoch.
  std::vector<KernelRun> runs;
};

void Chip::State::run(const std::vector<std::vector<const exec::Launch*>>& given) {
  if (broken) {
    parts = std::make_unique<Components>(machine);
    now = Cycle();
    broken = false;
  }
  streams.clear();
  grids.clear();
  dispatcher->restart();
  for (const auto& launches : given) streams.push_back({.launches = &launches});
  faults.assign(parts->sms().size(), nullptr);
  for (const auto& sm : parts->sms()) sm->begin_counting(now);
  // What a fault leaves behind is of no use to the launches behind it.
  broken = true;
  begin_launches();
  while (std::any_of(streams.begin(), streams.end(), [](const auto& s) { return s.grid; })) {
    dispatch();
    run_epoch();
    collect_ended_blocks();
    begin_launches();
  }
  drain();
  broken = false;
}

void Chip::State::begin_launches() {
  for (StreamState& stream : streams) {
    if (!stream.grid && stream.next < stream.launches->size()) begin(stream);
  }
}

void Chip::State::begin(StreamState& stream) {
  const exec::Launch& launch = *(*stream.launches)[stream.next++];
  const code::FunctionInfo& info = launch.info();
  const std::uint32_t registers =
      options.registers ? options.registers(info) : info.registers_per_thread;
  const sm::BlockNeeds needs{.warps = launch.warps_per_block(),
                             .registers_per_thread = registers,
                             .shared_bytes = launch.shared_bytes()};
  auto grid = std::make_unique<GridState>(
      GridState{.grid = {.launch = &launch,
                         .table = sm::IssueTable(*launch.program),
                         .needs = needs,
                         .number = static_cast<std::uint32_t>(grids.size())},
                .run = runs.size(),
                .blocks = launch.grid.count(),
                .end = now});
  const sm::Occupancy occupancy = parts->sms().front()->occupancy(grid->grid);
  if (occupancy.blocks == 0) {
    broken = grids.size() > 0;
    throw InputError(fmt::format(
        "kernel '{}': a block of {} threads, {} registers a thread and {} bytes of shared memory "
        "does not fit on a multiprocessor of '{}', which has {} warps of 32 threads, {} registers "
        "and {} bytes; what runs out is {}",
        info.name, launch.block.count(), registers, needs.shared_bytes, machine.name,
        machine.sm.residency.warps, machine.sm.residency.registers,
        machine.sm.residency.shared_bytes, sm::name_of(occupancy.limit)));
  }
  grid->counters_before = parts->counters();
  runs.push_back({.kernel = info.name,
                  .grid = launch.grid,
                  .block = launch.block,
                  .registers_per_thread = registers,
                  .shared_bytes_per_block = needs.shared_bytes,
                  .occupancy = occupancy,
                  .warps_per_block = needs.warps,
                  .begin = now});
  stream.grid = grid->grid.number;
  grids.push_back(std::move(grid));
}

void Chip::State::dispatch() {
  const Cycles latency(machine.dispatch.latency);
  for (const auto& grid : grids) {
    while (grid->next_block < grid->blocks) {
      const std::optional<std::uint32_t> chosen = dispatcher->choose(grid->grid, parts->sms());
      if (!chosen) break;
      sm::Sm& sm = *parts->sms()[*chosen];
      const Cycle asked = std::max(runs[grid->run].begin, sm.last_block_end());
      sm.start_block(grid->grid, grid->next_block++, std::max(asked + latency, now));
    }
  }
}

void Chip::State::run_epoch() {
  if (!has_mail()) {
    const Cycle next = next_event();
    if (next == Cycle::never()) raise_deadlock();
    now = std::max(now, std::min(next, limit()));
  }
  if (now >= limit()) raise_limit();
  const Cycle until = std::min(now + link, limit());
  run_sms(until);
  raise_first_fault();
  run_partitions(until);
  now = until;
  execute_chip_wide();
  if (options.progress && ++epochs % kEpochsPerReport == 0) report_progress();
}

void Chip::State::run_sms(Cycle until) {
  auto& sms = parts->sms();
  team.run(static_cast<std::uint32_t>(sms.size()), [&](std::uint32_t i) {
    sm::Sm& sm = *sms[i];
    for (const auto& partition : parts->partitions()) {
      std::vector<memory::Response>& mail = partition->outbox(i);
      for (const memory::Response& response : mail) sm.deliver(response);
      mail.clear();
    }
    try {
      sm.advance(until);
    } catch (...) {
      faults[i] = std::current_exception();
    }
  });
}

/// Partition i also commits a share of all stores: those of the first multiprocessor first, so that
/// the last one's stay where several stored to the same place.
void Chip::State::run_partitions(Cycle until) {
  auto& partitions = parts->partitions();
  auto& sms = parts->sms();
  const exec::GlobalMemory& memory = *grids.front()->grid.launch->memory;
  const bool any_stores =
      std::any_of(sms.begin(), sms.end(), [](const auto& sm) { return !sm->stores().empty(); });
  if (any_stores) {
    team.run(team.size(), [&](std::uint32_t share) {
      for (const auto& sm : sms) {
        if (!sm->stores().empty()) sm->stores().commit(memory, share, team.size());
      }
    });
    for (const auto& sm : sms) {
      if (!sm->stores().empty()) sm->stores().clear();
    }
  }
  team.run(static_cast<std::uint32_t>(partitions.size()), [&](std::uint32_t i) {
    for (const auto& sm : sms) {
      std::vector<memory::Request>& mail = sm->outbox(i);
      if (!mail.empty()) partitions[i]->receive(mail);
    }
    partitions[i]->advance(until);
  });
}

/// What touches all multiprocessors is executed while none of them runs, in their order.
void Chip::State::execute_chip_wide() {
  try {
    for (const auto& sm : parts->sms()) {
      if (sm->has_chip_wide()) sm->execute_chip_wide();
    }
  } catch (const exec::SimulatedFault&) {
    stop_runs(now);
    throw;
  }
}

void Chip::State::collect_ended_blocks() {
  for (const auto& sm : parts->sms()) {
    for (const sm::Sm::EndedBlock& block : sm->ended_blocks()) {
      GridState& grid = *grids[block.grid];
      KernelRun& run = runs[grid.run];
      ++run.blocks_done;
      run.warp_instructions += block.warp_instructions;
      run.thread_instructions += block.thread_instructions;
      grid.end = std::max(grid.end, block.at);
    }
    sm->ended_blocks().clear();
  }
  for (StreamState& stream : streams) {
    if (stream.grid && runs[grids[*stream.grid]->run].blocks_done == grids[*stream.grid]->blocks) {
      finish(stream);
    }
  }
}

void Chip::State::finish(StreamState& stream) {
  GridState& grid = *grids[*stream.grid];
  stream.grid.reset();
  const bool last =
      std::none_of(streams.begin(), streams.end(), [](const auto& s) { return s.grid; });
  runs[grid.run].cycles = grid.end - runs[grid.run].begin;
  if (!last || stream.next < stream.launches->size()) return write_down(grid, grid.end);
  // What it has stored is still on its way to memory; it is counted to it.
  for (const auto& sm : parts->sms()) sm->settle(grid.end);
  drain();
  write_down(grid, grid.end);
}

/// Lets everything that is under way arrive.
void Chip::State::drain() {
  const auto busy = [&] {
    return has_mail() ||
           std::any_of(parts->sms().begin(), parts->sms().end(),
                       [](const auto& sm) { return !sm->idle(); }) ||
           std::any_of(parts->partitions().begin(), parts->partitions().end(),
                       [](const auto& partition) { return !partition->idle(); });
  };
  while (busy()) {
    const Cycle next = has_mail() ? now : next_event();
    if (next == Cycle::never()) break;
    now = std::max(now, next);
    run_sms(now + link);
    run_partitions(now + link);
    now += link;
  }
  for (const auto& sm : parts->sms()) {
    sm->advance(now);
    sm->forget_launches();
  }
}

void Chip::State::write_down(GridState& grid, Cycle end) {
  for (const auto& sm : parts->sms()) {
    sm->settle(end);
    sm->add_profile(grid.grid);
  }
  std::vector<std::uint64_t> counters = parts->counters();
  for (std::size_t i = 0; i < counters.size(); ++i) counters[i] -= grid.counters_before[i];
  runs[grid.run].counters = std::move(counters);
}

bool Chip::State::has_mail() const {
  for (const auto& partition : parts->partitions()) {
    for (std::uint32_t i = 0; i < parts->sms().size(); ++i) {
      if (!partition->outbox(i).empty()) return true;
    }
  }
  return false;
}

Cycle Chip::State::next_event() {
  Cycle next = Cycle::never();
  for (const auto& sm : parts->sms()) next = std::min(next, sm->next_event());
  for (const auto& partition : parts->partitions()) next = std::min(next, partition->next_event());
  return next;
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

/// Of the faults of an epoch the earliest counts, of those in one cycle the first
/// multiprocessor's.
void Chip::State::raise_first_fault() {
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < faults.size(); ++i) {
    if (faults[i] && (!first || parts->sms()[i]->now() < parts->sms()[*first]->now())) first = i;
  }
  if (!first) return;
  stop_runs(parts->sms()[*first]->now());
  std::rethrow_exception(faults[*first]);
}

/// The launches under way end here; what was counted until now is theirs.
void Chip::State::stop_runs(Cycle at) {
  for (const auto& sm : parts->sms()) {
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

void Chip::State::raise_deadlock() {
  std::string message = "nothing can ever happen again:\n";
  const exec::Block* stuck = nullptr;
  for (const auto& sm : parts->sms()) {
    if (sm->resident_blocks() == 0) continue;
    if (stuck == nullptr) stuck = sm->stuck_block();
    message += fmt::format(" multiprocessor {}\n{}", sm->number(), sm->describe_warps());
    break;
  }
  stop_runs(now);
  if (stuck == nullptr) throw exec::SimulatedFault(exec::FaultKind::deadlock, message);
  throw exec::SimulatedFault(exec::FaultKind::deadlock,
                             fmt::format("{}\n{}", exec::deadlock_fault(*stuck).what(), message));
}

void Chip::State::raise_limit() {
  std::string message;
  for (const StreamState& stream : streams) {
    if (!stream.grid) continue;
    const KernelRun& run = runs[grids[*stream.grid]->run];
    message +=
        fmt::format("kernel '{}': stopped after {} cycles, the limit, with {} of {} blocks done\n",
                    run.kernel, options.max_cycles, run.blocks_done, grids[*stream.grid]->blocks);
  }
  for (const auto& sm : parts->sms()) {
    if (sm->resident_blocks() == 0) continue;
    message += fmt::format(" multiprocessor {}\n{}", sm->number(), sm->describe_warps());
    break;
  }
  stop_runs(now);
  throw exec::SimulatedFault(exec::FaultKind::cycle_limit, message);
}

void Chip::State::report_progress() const {
  for (const StreamState& stream : streams) {
    if (!stream.grid) continue;
    const GridState& grid = *grids[*stream.grid];
    const KernelRun& run = runs[grid.run];
    std::uint64_t instructions = 0;
    for (const auto& sm : parts->sms()) instructions += sm->warp_instructions();
    options.progress({.kernel = run.kernel,
                      .cycles = now - run.begin,
                      .warp_instructions = instructions,
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
