#pragma once

// The results of several sources of launches that ran side by side on a chip.

#include <cstdint>
#include <vector>

#include "base/cycle.h"
#include "gpu/component_counters.h"

namespace heddle::gpu {

struct SharedRun {
  /// The instructions and the multiprocessor time of one source, including launches that were in
  /// flight at the end. Each vector has one element for each kind of multiprocessor, in the order
  /// of Machine::kinds().
  struct Stream {
    std::vector<std::uint64_t> warp_instructions{};
    std::vector<std::uint64_t> thread_instructions{};
    /// Cycles in which a block of the source was resident, summed over the multiprocessors.
    std::vector<Cycles> occupied_sm_cycles{};
  };

  Cycle begin{};
  Cycles cycles{};  ///< From `begin` to the end of the last epoch.
  /// The chip's counters during the run, indexed like Chip::counters().
  std::vector<std::uint64_t> counters{};
  CountersByComponent counters_by_kind{};  ///< Like KernelRun::counters_by_kind.
  std::vector<Stream> streams{};           ///< In the order of the sources.
};

}  // namespace heddle::gpu
