// Streams of launches that run side by side: starting launches, and dividing the chip among
// streams.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "gpu/chip_state.h"

namespace heddle::gpu {
namespace {

/// A source with a fixed list of launches.
class ListedLaunches final : public LaunchSource {
 public:
  explicit ListedLaunches(const std::vector<const exec::Launch*>& launches)
      : launches_(&launches) {}

  const exec::Launch* next() override {
    return next_index_ < launches_->size() ? (*launches_)[next_index_++] : nullptr;
  }
  void ended(const KernelRun&) override {}

 private:
  const std::vector<const exec::Launch*>* launches_;
  std::size_t next_index_ = 0;
};

}  // namespace

void Chip::State::run(const std::vector<LaunchSource*>& sources,
                      const std::function<bool()>& is_over) {
  stream_at_fault.reset();
  start(sources);
  is_broken = true;
  try {
    run_until(is_over);
  } catch (const exec::SimulatedFault& fault) {
    for (const std::uint32_t number : in_flight) {
      const ChipGrid& grid = grids[number]->grid;
      if (&grid.launch() == fault.launch()) stream_at_fault = grid.stream();
    }
    throw;
  }
  for (Duel& duel : duels) duel.stop(sms(), epochs->now());
  is_broken = any_in_flight();
}

void Chip::State::start(const std::vector<LaunchSource*>& sources) {
  if (is_broken) {
    // After a fault, the state of the components cannot be used again.
    epochs = std::make_unique<Epochs>(machine, options.threads, options.trace);
    duels = duels_of(kinds);
    is_broken = false;
  }
  streams.clear();
  grids.clear();
  in_flight.clear();
  for (LaunchSource* const source : sources) streams.push_back({.source = source});
  dispatcher->restart();
  tenancy.begin(streams.size(), sms().size());
  watch.set_interval(kLivelockCheckInterval);
  watch.start(epochs->now().number);
  for (const auto& sm : sms()) {
    sm->begin_counting(epochs->now());
    if (options.note_lifetimes) sm->note_lifetimes();
  }
  for (Duel& duel : duels) duel.start(sms(), epochs->now());
}

void Chip::State::run_until(const std::function<bool()>& is_over) {
  if (is_shared_run) begin_shared();
  begin_launches();
  while (any_in_flight() && !(is_over && is_over())) {
    dispatch();
    run_epoch();
    collect_ended_blocks();
    if (options.sample_interval.count != 0) take_samples();
    update_duels();
    begin_launches();
  }
  if (any_in_flight()) stop_runs(epochs->now());
  if (is_shared_run) end_shared();
}

void Chip::State::begin_launches() {
  bool any = false;
  for (StreamState& stream : streams) {
    if (stream.grid || stream.is_exhausted) continue;
    any = true;
    stream_at_fault = static_cast<std::uint32_t>(&stream - streams.data());
    const exec::Launch* const launch = stream.source->next();
    stream.is_exhausted = launch == nullptr;
    if (!stream.is_exhausted && is_shared_run) check_fits(*launch);
    stream_at_fault.reset();
    if (stream.is_exhausted) continue;
    begin(stream, *launch);
    if (launch->wait_for_host) {
      watch.set_interval(kCheckIntervalBesideHost);
      watch.start(epochs->now().number);
    }
  }
  if (any && has_several_streams()) {
    reset_idle_sms();
    share_sms();
  }
}

/// Flushes the caches of idle multiprocessors, so that a launch begins there as on an unused chip.
/// A multiprocessor without a block may still have fetches in flight for which no warp waits:
/// prefetches, and the rest of partly written sectors. It keeps its caches when a launch of another
/// program begins there. Results stay exact, because caches only model timing.
void Chip::State::reset_idle_sms() {
  for (const auto& sm : sms()) {
    if (!sm->idle()) continue;
    sm->write_back(epochs->now());
    sm->forget_launches();
    epochs->refresh(sm->number());
  }
}

/// Tells the dispatcher which streams have launches in flight. Throws InputError if a block of a
/// launch fits on none of the multiprocessors that the dispatch policy allows for it.
void Chip::State::share_sms() {
  std::vector<std::uint32_t> active;
  for (std::uint32_t i = 0; i < streams.size(); ++i) {
    if (streams[i].grid) active.push_back(i);
  }
  dispatcher->share_among(active);
  for (const std::uint32_t number : in_flight) {
    const ChipGrid& grid = grids[number]->grid;
    const auto takes_block = [&](const auto& sm) {
      return dispatcher->allows(grid, sm->number()) && grid.fits_on_empty(sm->number());
    };
    if (std::any_of(sms().begin(), sms().end(), takes_block)) continue;
    stream_at_fault = grid.stream();
    throw InputError(fmt::format(
        "kernel '{}': a block of {} threads fits on none of the multiprocessors of '{}' that it "
        "may use beside {} other stream{} (dispatch.policy is {})",
        grid.launch().info().name, grid.launch().block.count(), machine.name, active.size() - 1,
        active.size() == 2 ? "" : "s", machine.dispatch.policy));
  }
}

void Chip::State::begin_shared() {
  shared = {.begin = epochs->now(),
            .counters = epochs->components().counters(),
            .counters_by_kind = epochs->components().counters_by_kind(kinds)};
  const std::vector<std::uint64_t> none(kinds.size(), 0);
  shared.streams.assign(streams.size(), {.warp_instructions = none, .thread_instructions = none});
}

void Chip::State::count_for_stream(std::uint32_t sm, const sm::BlockInstructions& block) {
  if (!is_shared_run) return;
  const auto has_sm = [&](const SmKind& kind) { return sm - kind.first < kind.sms; };
  const auto kind =
      static_cast<std::size_t>(std::find_if(kinds.begin(), kinds.end(), has_sm) - kinds.begin());
  SharedRun::Stream& stream = shared.streams[grids[block.grid]->grid.stream()];
  stream.warp_instructions[kind] += block.warp_instructions;
  stream.thread_instructions[kind] += block.thread_instructions;
}

void Chip::State::end_shared() {
  const Cycle now = epochs->now();
  settle(now);
  const auto since = [](std::vector<std::uint64_t> counters,
                        const std::vector<std::uint64_t>& before) {
    subtract(counters, before);
    return counters;
  };
  shared.cycles = now - shared.begin;
  shared.counters = since(epochs->components().counters(), shared.counters);
  const CountersByComponent by_kind = epochs->components().counters_by_kind(kinds);
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    shared.counters_by_kind[i] = since(by_kind[i], shared.counters_by_kind[i]);
  }
  for (std::uint32_t i = 0; i < streams.size(); ++i) {
    for (const SmKind& kind : kinds) {
      Cycles& occupied = shared.streams[i].occupied_sm_cycles.emplace_back();
      for (std::uint32_t s = kind.first; s < kind.first + kind.sms; ++s) {
        occupied += tenancy.occupied_cycles(i, s, now);
      }
    }
  }
}

std::vector<exec::GridResult> Chip::run_streams(
    const std::vector<std::vector<const exec::Launch*>>& streams) {
  std::vector<std::unique_ptr<ListedLaunches>> lists;
  std::vector<LaunchSource*> sources;
  for (const auto& launches : streams) {
    for (const exec::Launch* launch : launches) state_->check_fits(*launch);
    sources.push_back(lists.emplace_back(std::make_unique<ListedLaunches>(launches)).get());
  }
  const std::size_t first = state_->runs.size();
  state_->is_shared_run = false;
  state_->run(sources);
  std::vector<exec::GridResult> results;
  for (std::size_t i = first; i < state_->runs.size(); ++i) {
    results.push_back({.warp_instructions = state_->runs[i].warp_instructions,
                       .thread_instructions = state_->runs[i].thread_instructions});
  }
  return results;
}

SharedRun Chip::run_side_by_side(const std::vector<LaunchSource*>& sources,
                                 const std::function<bool()>& is_over) {
  state_->is_shared_run = true;
  state_->run(sources, is_over);
  return std::move(state_->shared);
}

std::optional<std::uint32_t> Chip::stream_at_fault() const { return state_->stream_at_fault; }

}  // namespace heddle::gpu
