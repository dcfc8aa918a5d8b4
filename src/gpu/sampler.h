#pragma once

// Divides the counters of a launch into intervals of about the requested length. Counters are never
// reset: a sample is the difference of two readings, and all samples sum to the launch's counters.

#include <cstdint>
#include <vector>

#include "base/cycle.h"
#include "gpu/sample.h"

namespace heddle::gpu {

class Sampler {
 public:
  /// The launch begins with these values of the counters. `interval` must not be 0.
  Sampler(Cycles interval, Cycle begin, std::vector<std::uint64_t> counters);

  /// Whether a multiple of the interval, counted from the launch's begin, has passed since the last
  /// sample.
  bool is_due(Cycle now) const { return now >= next_; }
  /// Ends a sample at `now`, with these values of the counters.
  void take(Cycle now, const std::vector<std::uint64_t>& counters);
  /// The launch ends at `at`. A remainder shorter than half an interval is merged into the last
  /// sample, because rates over a few cycles are meaningless.
  void end(Cycle at, const std::vector<std::uint64_t>& counters);
  /// Returns all samples, given the final counters. Events counted after the end of the launch, by
  /// stores that were still in flight, belong to the launch but take none of its time: they become
  /// a last sample without length.
  std::vector<Sample> finish(Cycle at, const std::vector<std::uint64_t>& counters);

 private:
  std::vector<std::uint64_t> since_last(const std::vector<std::uint64_t>& counters);

  Cycles interval_;
  Cycle begin_;
  Cycle next_;  ///< When the next sample is due.
  bool has_ended_ = false;
  std::vector<std::uint64_t> last_;  ///< The counters at the end of the last sample.
  std::vector<Sample> samples_;
};

}  // namespace heddle::gpu
