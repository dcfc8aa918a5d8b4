#pragma once

#include <cstdint>

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
  /// How many blocks of such a launch it holds at once; 0 where one does not fit.
  virtual std::uint64_t resident_blocks(const Launch& launch) const = 0;
};

}  // namespace heddle::exec
