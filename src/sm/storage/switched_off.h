#pragma once

#include <cstdint>

#include "base/counters.h"
#include "base/cycle.h"

namespace heddle::sm {

/// Counts how much of a unified memory is switched off, and for how long (StorageSizes::off_bytes).
class SwitchedOff {
 public:
  /// From the time of the last count on, so many bytes are switched off.
  void set(std::uint64_t bytes) { kilobytes_ = bytes / 1024; }
  void count_until(Cycle at) {
    kilobyte_cycles_ += kilobytes_ * (at - since_).count;
    since_ = at;
  }
  void declare(CounterList& counters) {
    counters.add("off_kilobyte_cycles", kilobyte_cycles_, "KB cycles",
                 "kilobytes of the unified memory that were switched off, times core cycles");
  }

 private:
  std::uint64_t kilobytes_ = 0;
  Cycle since_;
  std::uint64_t kilobyte_cycles_ = 0;
};

}  // namespace heddle::sm
