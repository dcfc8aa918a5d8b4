#pragma once

// What came of a launch on a chip.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/cycle.h"
#include "base/dim3.h"
#include "gpu/each_counted.h"
#include "gpu/sample.h"
#include "sm/residency/occupancy.h"
#include "sm/warp_lifetime.h"

namespace heddle::gpu {

/// What a chip counts; the values are KernelRun::counters, by the same index.
struct CounterName {
  std::string name;  ///< "l1.hits"
  std::string_view unit;
  std::string_view meaning;
};

struct KernelRun {
  std::string kernel{};
  Dim3 grid{};
  Dim3 block{};
  std::uint32_t registers_per_thread = 0;  ///< As residency counts them.
  std::uint32_t shared_bytes_per_block = 0;
  /// Of an otherwise empty multiprocessor, of the kind that takes most where there are several.
  sm::Occupancy occupancy{};
  std::vector<sm::Occupancy> occupancy_by_kind{};  ///< In the order of Machine::kinds().
  std::uint32_t warps_per_block = 0;
  std::uint32_t stream = 0;  ///< Of those that ran side by side.
  Cycle begin{};
  Cycles cycles{};                ///< From its start to the end of its last warp.
  std::uint64_t blocks_done = 0;  ///< All, unless it was stopped.
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
  std::vector<std::uint64_t> counters{};
  EachCounted each_counted{};  ///< The same by component, where it was asked for.
  /// What multiprocessors of each kind counted, where there are several; partitions count 0.
  CountersByComponent counters_by_kind{};
  /// The same by interval, where it was asked for: they add up to the counters.
  std::vector<Sample> samples{};
  /// Of all its warps, where it was asked for; by multiprocessor within an epoch.
  std::vector<sm::WarpLifetime> lifetimes{};
};

}  // namespace heddle::gpu
