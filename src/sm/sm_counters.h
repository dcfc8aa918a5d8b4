#pragma once

#include <array>
#include <cstdint>

#include "base/counters.h"
#include "sm/stall_cause.h"

namespace heddle::sm {

struct SmCounters {
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
  std::uint64_t resident_warp_cycles = 0;
  std::uint64_t resident_block_cycles = 0;
  std::uint64_t register_cycles = 0;
  std::uint64_t active_cycles = 0;
  std::uint64_t idle_cycles = 0;
  /// Instructions by the lanes that their path had.
  std::array<std::uint64_t, 33> lanes{};
  // Cycles of schedulers, each under one name.
  std::uint64_t selected = 0;
  std::uint64_t no_warps = 0;
  std::array<std::uint64_t, kStallCauses> scheduler{};
  // Cycles of resident warps, each under one name; they are selected as often as a scheduler is.
  std::uint64_t not_selected = 0;
  std::array<std::uint64_t, kStallCauses> warp{};

  void declare(CounterList& counters);
};

}  // namespace heddle::sm
