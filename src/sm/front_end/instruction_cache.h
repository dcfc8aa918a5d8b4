#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/counters.h"
#include "base/cycle.h"
#include "sm/front_end/front_end_description.h"

namespace heddle::sm {

/// The size of every instruction. GPUs from Fermi to Pascal have this size, as does Figure 5 of Kim
/// et al., Warped-Preexecution.
inline constexpr std::uint32_t kInstructionBytes = 8;

struct InstructionCacheCounters {
  std::uint64_t fetches = 0;  ///< All accesses: hits, merges and misses.
  std::uint64_t hits = 0;
  std::uint64_t merges = 0;  ///< Accesses to a line that is being fetched.
  std::uint64_t misses = 0;

  void declare(CounterList& counters);
};

/// The instruction cache of a multiprocessor. A missing line arrives after `miss_cycles`, whatever
/// else is in flight. (Programs are small, so they hit in the next level.)
///
/// Accesses are booked ahead, and not always in order of time. The cache therefore keeps the
/// arrival time of each line beside its tag, which memory::CacheTags does not do.
class InstructionCache {
 public:
  explicit InstructionCache(const InstructionCacheDescription& description);

  /// The number of instructions in a line. Unlimited if all accesses hit.
  std::uint32_t line_instructions() const {
    return sets_ == 0 ? std::numeric_limits<std::uint32_t>::max() : std::uint32_t{1} << line_shift_;
  }
  /// Accesses the instruction at `pc` in cycle `at`. Returns when its line is available, `at` at
  /// the earliest. `pc`: an address in instruction memory, counted in instructions.
  Cycle access(std::uint32_t pc, Cycle at);
  /// Empties the cache.
  void invalidate();

  void declare(CounterList& counters) { counters_.declare(counters); }

 private:
  struct Line {
    std::uint32_t number = 0;
    Cycle arrives;  ///< When the line arrives.
    /// The value of use_count_ at the last access; 0 for an empty way, which is so replaced first.
    std::uint64_t last_use = 0;
  };

  std::size_t ways_ = 0;
  std::uint32_t sets_ = 0;  ///< The number of sets; if 0, all accesses hit.
  int line_shift_ = 0;      ///< Shifts a program counter to a line number.
  Cycles miss_cycles_;
  std::uint64_t use_count_ = 0;  ///< The number of accesses.
  std::vector<Line> lines_;      ///< By set, then way.
  InstructionCacheCounters counters_;
};

}  // namespace heddle::sm
