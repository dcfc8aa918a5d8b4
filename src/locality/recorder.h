#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "exec/observation/access_observer.h"
#include "locality/kernel_locality.h"
#include "locality/options.h"

namespace heddle::locality {

class LaunchRecorder;

/// Measures the locality of all launches of a device.
class Recorder final : public exec::AccessObservers {
 public:
  explicit Recorder(const Options& options) : options_(options) {}

  const Options& options() const { return options_; }
  std::unique_ptr<exec::AccessObserver> begin_launch(const exec::Launch& launch) override;
  /// The kernels in the order of their first launches. Contains launches that have ended, those
  /// with a fault up to the fault.
  std::vector<KernelLocality> kernels() const;
  /// The counts of all kernels.
  ReuseCounts total() const;

 private:
  friend class LaunchRecorder;
  void end_launch(const LaunchRecorder& launch);

  Options options_;
  mutable std::mutex mutex_;
  std::vector<KernelLocality> kernels_;
};

}  // namespace heddle::locality
