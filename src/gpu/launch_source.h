#pragma once

// A source of launches for a chip. The chip takes one launch after another from it.

#include "exec/launch.h"
#include "gpu/kernel_run.h"

namespace heddle::gpu {

class LaunchSource {
 public:
  LaunchSource() = default;
  LaunchSource(const LaunchSource&) = delete;
  LaunchSource& operator=(const LaunchSource&) = delete;
  virtual ~LaunchSource() = default;

  /// Returns the next launch, which begins now; null if there are no more. Called between epochs,
  /// by the host thread that runs the chip. The launch must exist until ended() is called, or until
  /// the chip has stopped. If next() throws, the chip stops.
  virtual const exec::Launch* next() = 0;
  /// Called when the launch that next() returned has ended, and all its stores are in memory.
  virtual void ended(const KernelRun& run) = 0;
};

}  // namespace heddle::gpu
