#pragma once

// What came of several sources of launches that ran side by side on a chip.

#include <cstdint>
#include <vector>

#include "base/cycle.h"
#include "gpu/each_counted.h"

namespace heddle::gpu {

struct SharedRun {
  /// What one of them executed and held, launches that were under way in the end included; by the
  /// order of Machine::kinds().
  struct Stream {
    std::vector<std::uint64_t> warp_instructions{};
    std::vector<std::uint64_t> thread_instructions{};
    std::vector<Cycles> held{};  ///< Over multiprocessors, that it had a block there.
  };

  Cycle begin{};
  Cycles cycles{};  ///< To the end of the epoch in which it was over.
  /// The chip's in that time, by the index of Chip::counters().
  std::vector<std::uint64_t> counters{};
  CountersByComponent counters_by_kind{};  ///< As KernelRun's.
  std::vector<Stream> streams{};           ///< In the order of the sources.
};

}  // namespace heddle::gpu
