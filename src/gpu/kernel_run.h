#pragma once

// The results of a launch on a chip.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/cycle.h"
#include "base/dim3.h"
#include "gpu/component_counters.h"
#include "gpu/sample.h"
#include "sm/residency/occupancy.h"
#include "sm/warps/warp_lifetime.h"

namespace heddle::gpu {

/// A counter of a chip. Its value is in KernelRun::counters, at the same index.
struct CounterName {
  std::string name;  ///< "l1.hits"
  std::string_view unit;
  std::string_view meaning;
};

struct KernelRun {
  std::string kernel{};
  Dim3 grid{};
  Dim3 block{};
  std::uint32_t registers_per_thread = 0;  ///< As used for the occupancy.
  std::uint32_t shared_bytes_per_block = 0;
  /// On an otherwise empty multiprocessor; of several kinds, on the kind that holds most blocks.
  sm::Occupancy occupancy{};
  std::vector<sm::Occupancy> occupancy_by_kind{};  ///< In the order of Machine::kinds().
  std::uint32_t warps_per_block = 0;
  std::uint32_t stream = 0;  ///< The number of the launch's stream.
  Cycle begin{};
  Cycles cycles{};                ///< From the launch's begin to the end of its last warp.
  std::uint64_t blocks_done = 0;  ///< All blocks, unless the launch was stopped.
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
  std::vector<std::uint64_t> counters{};
  ComponentCounters by_component{};  ///< Empty unless ChipOptions::count_by_component.
  /// The counters of multiprocessors by kind if there are several kinds; 0 for those of partitions.
  CountersByComponent counters_by_kind{};
  /// The counters by interval if ChipOptions::sample_interval is set; their sum is `counters`.
  std::vector<Sample> samples{};
  /// The lifetimes of all warps if ChipOptions::note_lifetimes; in the order of the epochs in which
  /// they ended, then of the multiprocessors.
  std::vector<sm::WarpLifetime> lifetimes{};
};

}  // namespace heddle::gpu
