// Counts events and instructions for the launches in flight. The chip's counters are read when a
// launch begins, at the end of each sample, and when the launch ends.

#include <utility>

#include "gpu/chip_state.h"

namespace heddle::gpu {

/// Brings the counters of all multiprocessors up to date. A multiprocessor counts the cycles of a
/// stall, or of a block's residency, when it ends. This function counts the cycles before `at` of
/// those that have not ended.
void Chip::State::settle(Cycle at) const {
  for (const auto& sm : sms()) sm->settle(at);
}

void Chip::State::begin_counting(GridState& grid) {
  settle(epochs->now());
  grid.instructions_before = instructions();
  grid.counters_before = epochs->components().counters();
  if (options.count_by_component) {
    grid.components_before = epochs->components().counters_by_component();
  }
  if (kinds.size() > 1) {
    grid.counters_by_kind_before = epochs->components().counters_by_kind(kinds);
  }
  if (options.sample_interval.count == 0) return;
  grid.sampler.emplace(options.sample_interval, epochs->now(), grid.counters_before);
}

/// Ends the samples that are due. Called between epochs, when all multiprocessors have reached the
/// same cycle.
void Chip::State::take_samples() {
  const Cycle now = epochs->now();
  std::vector<std::uint64_t> counters;
  for (const StreamState& stream : streams) {
    if (!stream.grid) continue;
    Sampler& sampler = *grids[*stream.grid]->sampler;
    if (!sampler.is_due(now)) continue;
    if (counters.empty()) {
      settle(now);
      counters = epochs->components().counters();
    }
    sampler.take(now, counters);
  }
}

void Chip::State::record_run(GridState& grid, Cycle end) {
  settle(end);
  for (const auto& sm : sms()) sm->add_profile(grid.grid.grid_on(sm->number()));
  std::vector<std::uint64_t> counters = epochs->components().counters();
  KernelRun& run = runs[grid.run];
  if (grid.sampler) run.samples = grid.sampler->finish(end, counters);
  subtract(counters, grid.counters_before);
  run.counters = std::move(counters);
  if (kinds.size() > 1) {
    run.counters_by_kind = epochs->components().counters_by_kind(kinds);
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      subtract(run.counters_by_kind[i], grid.counters_by_kind_before[i]);
    }
  }
  if (!options.count_by_component) return;
  run.by_component = epochs->components().counters_by_component();
  run.by_component -= grid.components_before;
}

std::uint64_t Chip::State::instructions() const {
  std::uint64_t sum = 0;
  for (const auto& sm : sms()) sum += sm->warp_instructions();
  return sum;
}

}  // namespace heddle::gpu
