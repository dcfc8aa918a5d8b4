#pragma once

#include <cstdint>

#include "exec/grid.h"
#include "exec/launch.h"

namespace heddle::exec {

/// Runs launches, either functionally (run_grid()) or on a simulated chip with timing.
class Engine {
 public:
  Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;

  /// Runs a launch to its end. Throws SimulatedFault.
  virtual GridResult run(const Launch& launch) = 0;
  /// The maximum number of the launch's blocks that can be resident at once on the whole device; 0
  /// if not even one block fits.
  virtual std::uint64_t resident_blocks(const Launch& launch) const = 0;
};

}  // namespace heddle::exec
