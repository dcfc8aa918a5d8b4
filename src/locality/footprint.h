#pragma once

#include <cstdint>
#include <vector>

#include "locality/line_table.h"

namespace heddle::locality {

/// The distinct lines that are accessed in each interval of so many accesses. The last interval may
/// have fewer accesses.
class Footprint {
 public:
  struct Interval {
    std::uint64_t accesses = 0;
    std::uint64_t lines = 0;
  };

  explicit Footprint(std::uint64_t interval_accesses) : length_(interval_accesses) {}

  void access(std::uint64_t line) {
    if (accesses_ == length_) end_interval();
    ++accesses_;
    lines_[line] = 1;
  }
  /// The intervals so far.
  std::vector<Interval> intervals() const;

 private:
  void end_interval();

  std::uint64_t length_;
  std::uint64_t accesses_ = 0;  ///< In the current interval.
  LineTable lines_;             ///< The lines of the current interval.
  std::vector<Interval> ended_;
};

}  // namespace heddle::locality
