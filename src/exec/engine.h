#pragma once

#include "exec/grid.h"
#include "exec/launch.h"

namespace heddle::exec {

/// Who runs launches: run_grid() without time, a chip with it.
class Engine {
 public:
  Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;

  /// Runs a launch to its end. Throws SimulatedFault.
  virtual GridResult run(const Launch& launch) = 0;
};

}  // namespace heddle::exec
