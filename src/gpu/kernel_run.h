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
#include "sm/residency/warp_lifetime.h"
#include "sm/storage_sizes.h"

namespace heddle::gpu {

/// A counter of a chip. Its value is in KernelRun::counters, at the same index.
struct CounterName {
  std::string name;  ///< "l1.hits"
  std::string_view unit;
  std::string_view meaning;
};

/// The results of one launch.
struct KernelRun {
  std::string kernel{};
  Dim3 grid{};
  Dim3 block{};
  std::uint32_t registers_per_thread = 0;  ///< The number with which occupancy was computed.
  std::uint32_t shared_bytes_per_block = 0;
  /// The occupancy of a multiprocessor that runs only this launch. If there are several kinds of
  /// multiprocessors (SmKind), it is that of the kind with space for the most blocks.
  sm::Occupancy occupancy{};
  std::vector<sm::Occupancy> occupancy_by_kind{};  ///< In the order of Machine::kinds().
  /// The sizes of a multiprocessor's memories during the launch, in the same order.
  std::vector<sm::StorageSizes> storage_by_kind{};
  std::uint32_t warps_per_block = 0;
  std::uint32_t stream = 0;  ///< The number of the launch's stream.
  Cycle begin{};
  Cycles cycles{};                ///< From the launch's start to the end of its last warp.
  std::uint64_t blocks_done = 0;  ///< Ended blocks: all, unless the launch was stopped.
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
  std::vector<std::uint64_t> counters{};  ///< Indexed like Chip::counters().
  ComponentCounters by_component{};       ///< Empty unless ChipOptions::count_by_component.
  /// The counters by kind of multiprocessor, with 0 for the counters of partitions. Empty if there
  /// is only one kind.
  CountersByComponent counters_by_kind{};
  /// The counters by interval; their sum is `counters`. Empty unless ChipOptions::sample_interval.
  std::vector<Sample> samples{};
  /// The lifetimes of all warps, by the epoch in which they ended, then by multiprocessor. Empty
  /// unless ChipOptions::note_lifetimes.
  std::vector<sm::WarpLifetime> lifetimes{};
};

}  // namespace heddle::gpu
