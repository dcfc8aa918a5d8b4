#pragma once

// Cuts what a launch counts into stretches of about the length that is asked for. Counters are
// never reset, so a sample is the difference of two sums, and all of them add up to the launch's.

#include <cstdint>
#include <vector>

#include "base/cycle.h"
#include "gpu/sample.h"

namespace heddle::gpu {

class Sampler {
 public:
  /// Of a launch that begins when so much has been counted. `interval` is more than none.
  Sampler(Cycles interval, Cycle begin, std::vector<std::uint64_t> counters);

  /// Whether a multiple of the interval, counted from the launch's begin, has passed since the last
  /// sample.
  bool due(Cycle now) const { return now >= next_; }
  /// A sample ends here, when so much has been counted.
  void take(Cycle now, const std::vector<std::uint64_t>& counters);
  /// The launch ends here. Less than half an interval joins the sample before it: a rate over a few
  /// cycles would say nothing.
  void end(Cycle at, const std::vector<std::uint64_t>& counters);
  /// All samples, when so much has been counted. What came after the end (stores on their way to
  /// memory) is the launch's, and takes none of its time: the last sample then has no length.
  std::vector<Sample> finish(Cycle at, const std::vector<std::uint64_t>& counters);

 private:
  std::vector<std::uint64_t> since_last(const std::vector<std::uint64_t>& counters);

  Cycles interval_;
  Cycle begin_;
  Cycle next_;  ///< When the next sample is due.
  bool has_ended_ = false;
  std::vector<std::uint64_t> last_;  ///< What had been counted at the last sample's end.
  std::vector<Sample> samples_;
};

}  // namespace heddle::gpu
