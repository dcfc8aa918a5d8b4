#include "locality/recorder.h"

#include <algorithm>

#include "exec/launch.h"
#include "locality/launch_recorder.h"

namespace heddle::locality {

std::unique_ptr<exec::AccessObserver> Recorder::begin_launch(const exec::Launch& launch) {
  {
    const std::string& name = launch.info().name;
    const std::scoped_lock lock(mutex_);
    const bool is_known =
        std::any_of(kernels_.begin(), kernels_.end(),
                    [&](const KernelLocality& kernel) { return kernel.kernel == name; });
    if (!is_known) kernels_.push_back({.kernel = name});
  }
  return std::make_unique<LaunchRecorder>(*this, launch);
}

void Recorder::end_launch(const LaunchRecorder& launch) {
  const std::scoped_lock lock(mutex_);
  const auto kernel =
      std::find_if(kernels_.begin(), kernels_.end(),
                   [&](const KernelLocality& each) { return each.kernel == launch.kernel(); });
  ++kernel->launches;
  launch.add_to(*kernel);
}

std::vector<KernelLocality> Recorder::kernels() const {
  const std::scoped_lock lock(mutex_);
  return kernels_;
}

ReuseCounts Recorder::total() const {
  ReuseCounts sum;
  for (const KernelLocality& kernel : kernels()) sum.add(kernel.counts);
  return sum;
}

}  // namespace heddle::locality
