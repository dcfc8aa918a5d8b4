#pragma once

#include <vector>

#include "base/cycle.h"
#include "gpu/components.h"
#include "sm/residency/access_log.h"

namespace heddle::gpu {

/// Forwards the accesses that multiprocessors have logged to the observers of the launches, in the
/// order of cycles. Within a cycle, those of the multiprocessor with the lowest number come first.
class ObservedAccesses {
 public:
  /// From now on, forward() has an effect. Without observers, it costs one comparison.
  void start() { are_observed_ = true; }
  /// Forwards all logged accesses up to the cycle `last`, and drops later ones. Called between
  /// epochs, when every multiprocessor has logged all of its accesses up to that cycle.
  void forward(const Components& components, Cycle last = Cycle::never()) {
    if (are_observed_) forward_logs(components, last);
  }

 private:
  void forward_logs(const Components& components, Cycle last);

  bool are_observed_ = false;
  /// A member only so that forward() need not allocate it each time.
  std::vector<const sm::AccessLog::Entry*> entries_;
};

}  // namespace heddle::gpu
