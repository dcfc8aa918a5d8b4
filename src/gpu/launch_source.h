#pragma once

// A source of launches for a chip: a stream of launches, one after another.

#include "exec/launch.h"
#include "gpu/kernel_run.h"

namespace heddle::gpu {

class LaunchSource {
 public:
  LaunchSource() = default;
  LaunchSource(const LaunchSource&) = delete;
  LaunchSource& operator=(const LaunchSource&) = delete;
  virtual ~LaunchSource() = default;

  /// Returns the next launch, which begins now; null if there are no more. It is called between
  /// epochs, by the thread that runs the chip. The launch must exist until ended(), or until the
  /// chip has stopped. An exception stops the chip.
  virtual const exec::Launch* next() = 0;
  /// The launch that next() returned has ended, and all its stores are in memory.
  virtual void ended(const KernelRun& run) = 0;
};

}  // namespace heddle::gpu
