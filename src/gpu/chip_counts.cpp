// What is counted of the launches under way.

#include <utility>

#include "gpu/chip_state.h"

namespace heddle::gpu {

/// Multiprocessors count waits and residents when these end: here until `at` what still lasts.
void Chip::State::settle(Cycle at) const {
  for (const auto& sm : sms()) sm->settle(at);
}

void Chip::State::begin_counting(GridState& grid) {
  settle(epochs->now());
  grid.instructions_before = instructions();
  grid.counters_before = epochs->parts().counters();
  if (options.count_each) grid.each_counted_before = epochs->parts().each_counted();
  if (kinds.size() > 1) {
    grid.counters_by_kind_before = epochs->parts().counters_by_kind(kinds);
  }
  if (options.sample_interval.count == 0) return;
  grid.sampler.emplace(options.sample_interval, epochs->now(), grid.counters_before);
}

/// Between epochs, where all multiprocessors have come to the same cycle.
void Chip::State::take_samples() {
  const Cycle now = epochs->now();
  std::vector<std::uint64_t> counters;
  for (const StreamState& stream : streams) {
    if (!stream.grid) continue;
    Sampler& sampler = *grids[*stream.grid]->sampler;
    if (!sampler.due(now)) continue;
    if (counters.empty()) {
      settle(now);
      counters = epochs->parts().counters();
    }
    sampler.take(now, counters);
  }
}

void Chip::State::write_down(GridState& grid, Cycle end) {
  settle(end);
  for (const auto& sm : sms()) sm->add_profile(grid.grid.on(sm->number()));
  std::vector<std::uint64_t> counters = epochs->parts().counters();
  KernelRun& run = runs[grid.run];
  if (grid.sampler) run.samples = grid.sampler->finish(end, counters);
  subtract(counters, grid.counters_before);
  run.counters = std::move(counters);
  if (kinds.size() > 1) {
    run.counters_by_kind = epochs->parts().counters_by_kind(kinds);
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      subtract(run.counters_by_kind[i], grid.counters_by_kind_before[i]);
    }
  }
  if (!options.count_each) return;
  run.each_counted = epochs->parts().each_counted();
  run.each_counted -= grid.each_counted_before;
}

std::uint64_t Chip::State::instructions() const {
  std::uint64_t sum = 0;
  for (const auto& sm : sms()) sum += sm->warp_instructions();
  return sum;
}

}  // namespace heddle::gpu
