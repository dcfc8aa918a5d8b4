#pragma once

#include <cstdint>

#include "exec/grid.h"
#include "exec/launch.h"

namespace heddle::exec {

/// An engine that runs launches: run_grid() functionally, or a simulated chip with timing.
class Engine {
 public:
  Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;

  /// Runs a launch to its end. Throws SimulatedFault.
  virtual GridResult run(const Launch& launch) = 0;
  /// The maximum number of the launch's blocks that are resident at once; 0 if a block does not
  /// fit.
  virtual std::uint64_t resident_blocks(const Launch& launch) const = 0;
};

}  // namespace heddle::exec
