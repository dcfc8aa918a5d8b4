#pragma once

// Where a chip's launches come from: a stream of them, one after another.

#include "exec/launch.h"
#include "gpu/kernel_run.h"

namespace heddle::gpu {

class LaunchSource {
 public:
  LaunchSource() = default;
  LaunchSource(const LaunchSource&) = delete;
  LaunchSource& operator=(const LaunchSource&) = delete;
  virtual ~LaunchSource() = default;

  /// The launch that comes next, which begins now; null where none comes any more. It is asked for
  /// between epochs, by the thread that runs the chip, and must last until ended(), or until the
  /// chip has stopped. What it throws stops the chip.
  virtual const exec::Launch* next() = 0;
  /// What next() returned has ended, and stored all that it stores.
  virtual void ended(const KernelRun& run) = 0;
};

}  // namespace heddle::gpu
