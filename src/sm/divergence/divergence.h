#pragma once

// Which threads travel together through a multiprocessor.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/registry.h"
#include "config/declarations.h"

namespace heddle::sm {

class Pipeline;
struct PipelineParts;
struct SmDescription;

struct DivergenceDescription {
  std::string policy = "stack";
  std::uint32_t large_warp = 256;
  bool memory_by_rows = true;
  bool jumps_at_once = true;
  std::uint32_t formed_warps = 64;

  void declare(config::Declarations& parameters);
  /// How many rows of 32 threads travel as one at most.
  std::uint32_t rows() const;
};

/// What schedulers choose from: how many there are, and where that number is from, for messages.
struct ScheduledWarps {
  std::uint32_t count = 0;
  std::string_view source;
};

/// An answer. It owns what is in the slots of a multiprocessor's warps (sm/divergence/travellers.h).
struct Divergence {
  /// Throws InputError for what does not go together with it.
  void (*check)(const SmDescription& description);
  std::uint32_t (*slots)(const SmDescription& description);
  ScheduledWarps (*scheduled)(const SmDescription& description);
  /// How many rows of 32 threads travel as one at most.
  std::uint32_t (*rows)(const DivergenceDescription& description);
  /// Whether it reports to schedulers how warps are formed (Scheduler::formed).
  bool reports_formation = false;
  std::unique_ptr<Pipeline> (*make)(const PipelineParts& parts);
};

using DivergenceRegistry = Registry<const Divergence*>;

}  // namespace heddle::sm
