#pragma once

// Divides the counters of a launch into samples: the counts of intervals of about the requested
// length. Counters are never reset; a sample is the difference of two readings. The sum of all
// samples is the launch's counters.

#include <cstdint>
#include <vector>

#include "base/cycle.h"
#include "gpu/sample.h"

namespace heddle::gpu {

class Sampler {
 public:
  /// The counters have these values when the launch begins. `interval` must not be 0.
  Sampler(Cycles interval, Cycle begin, std::vector<std::uint64_t> counters);

  /// Whether a multiple of the interval, counted from the launch's start, has passed since the last
  /// sample.
  bool is_due(Cycle now) const { return now >= next_due_; }
  /// Ends a sample at `now`, when the counters have these values.
  void take(Cycle now, const std::vector<std::uint64_t>& counters);
  /// Ends the last sample at `at`, when the launch ends. If it is shorter than half an interval, it
  /// is merged into the sample before it, because rates over a few cycles are meaningless.
  void end(Cycle at, const std::vector<std::uint64_t>& counters);
  /// Returns all samples, given the final values of the counters. Stores that were still in flight
  /// at the end of the launch are counted after it. These counts become an additional sample of
  /// length 0.
  std::vector<Sample> finish(Cycle at, const std::vector<std::uint64_t>& counters);

 private:
  /// The counts since the end of the last sample.
  std::vector<std::uint64_t> since_last(const std::vector<std::uint64_t>& counters);

  Cycles interval_;
  Cycle begin_;
  Cycle next_due_;  ///< The cycle from which the next sample is due.
  bool has_ended_ = false;
  std::vector<std::uint64_t> last_counters_;  ///< The counters at the end of the last sample.
  std::vector<Sample> samples_;
};

}  // namespace heddle::gpu
