#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/counters.h"
#include "base/cycle.h"
#include "sm/front_end/front_end_description.h"

namespace heddle::sm {

/// The size of an instruction, in all programs: as on GPUs from Fermi to Pascal, and in Figure 5 of
/// Kim et al., Warped-Preexecution.
inline constexpr std::uint32_t kInstructionBytes = 8;

struct FrontEndCounters {
  std::uint64_t fetches = 0;
  std::uint64_t hits = 0;
  std::uint64_t merges = 0;
  std::uint64_t misses = 0;

  void declare(CounterList& counters);
};

/// The instruction cache of a multiprocessor. A missing line arrives after `miss_cycles`, whatever
/// else is in flight: programs are small, and hit in the next level.
///
/// The arrival time of a line is kept beside its tag, because accesses are booked ahead, and not
/// always in order of time. memory::CacheTags cannot be used here, because it keeps no times.
class InstructionCache {
 public:
  explicit InstructionCache(const InstructionCacheDescription& description);

  /// Accesses the instruction at `at`; returns when its line is available, `at` at the earliest.
  Cycle access(std::uint32_t pc, Cycle at);
  void invalidate();

  void declare(CounterList& counters) { counters_.declare(counters); }

 private:
  struct Line {
    std::uint32_t number = 0;
    Cycle arrives;  ///< When the line arrives.
    /// A value of use_count_; 0 for an empty way, which is thus replaced first.
    std::uint64_t last_use = 0;
  };

  std::size_t ways_ = 0;
  std::uint32_t sets_ = 0;  ///< 0: all accesses hit.
  int line_shift_ = 0;      ///< Shifts a program counter to a line number.
  Cycles miss_cycles_;
  std::uint64_t use_count_ = 0;
  std::vector<Line> lines_;  ///< By set, then way.
  FrontEndCounters counters_;
};

}  // namespace heddle::sm
