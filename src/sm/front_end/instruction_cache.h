#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/counters.h"
#include "base/cycle.h"
#include "sm/front_end/front_end_description.h"

namespace heddle::sm {

/// Of all programs: that of GPUs from Fermi to Pascal, and of preexec Figure 5.
inline constexpr std::uint32_t kInstructionBytes = 8;

struct FrontEndCounters {
  std::uint64_t fetches = 0;
  std::uint64_t hits = 0;
  std::uint64_t merges = 0;
  std::uint64_t misses = 0;

  void declare(CounterList& counters);
};

/// What the instructions of a multiprocessor come through. A missing line comes after
/// `miss_cycles`, whatever else is on the way: programs are small, and lie in the levels beyond.
///
/// The time at which a line comes is kept beside its tag, as accesses are booked ahead, and not
/// always in the order of their times; so this is not memory::CacheTags, which knows no time.
class InstructionCache {
 public:
  explicit InstructionCache(const InstructionCacheDescription& description);

  /// The instruction is looked for at `at`: returns when its line is there, `at` at the earliest.
  Cycle access(std::uint32_t pc, Cycle at);
  void invalidate();

  void declare(CounterList& counters) { counters_.declare(counters); }

 private:
  struct Line {
    std::uint32_t number = 0;
    Cycle here;                  ///< When it has come.
    std::uint64_t last_use = 0;  ///< By use_count_; 0 where no line is: taken before any other.
  };

  std::size_t ways_ = 0;
  std::uint32_t sets_ = 0;  ///< 0: all accesses hit.
  int line_shift_ = 0;      ///< From a program counter to a line.
  Cycles miss_;
  std::uint64_t use_count_ = 0;
  std::vector<Line> lines_;  ///< By set, then way.
  FrontEndCounters counters_;
};

}  // namespace heddle::sm
