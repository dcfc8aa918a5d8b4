#pragma once

// A duel of two variants of a residency policy at run time (as in set dueling). The first
// multiprocessor of a kind always uses one variant, and the second always uses the other. All
// further multiprocessors follow the variant that executed more thread instructions in the last
// interval. The comparison is made between epochs, so it does not depend on the number of host
// threads.

#include <cstdint>
#include <memory>
#include <vector>

#include "base/cycle.h"
#include "gpu/sm_group.h"
#include "sm/sm.h"

namespace heddle::gpu {

class Duel {
 public:
  using Sms = std::vector<std::unique_ptr<sm::Sm>>;

  /// A duel among the multiprocessors of a kind whose residency policy has two variants.
  explicit Duel(const SmKind& kind);

  /// Launches begin at `now`. The current interval continues, and the last winner stays, because
  /// most launches are shorter than an interval.
  void start(const Sms& sms, Cycle now);
  /// All launches have ended.
  void stop(const Sms& sms, Cycle now);
  /// Ends the interval if it is over. Returns whether the winner changed.
  bool update(const Sms& sms, Cycle now);

 private:
  std::uint64_t executed(const Sms& sms, sm::DuelSide side) const;
  void set_followers(const Sms& sms, Cycle now) const;
  void measure_from(const Sms& sms, Cycle now);
  void add_executed(const Sms& sms);

  std::uint32_t first_;  ///< The number of the kind's first multiprocessor.
  std::uint32_t sms_;    ///< The number of multiprocessors of the kind.
  Cycles interval_;
  sm::DuelSide winner_ = sm::DuelSide::first;
  Cycles left_;  ///< Remaining cycles of the interval when launches begin.
  Cycle next_;   ///< When the interval ends.
  // Thread instructions of the first two multiprocessors, by launches that ended in this interval:
  std::uint64_t first_sum_ = 0;
  std::uint64_t second_sum_ = 0;
  // Their thread instructions when the current launches or the interval began:
  std::uint64_t first_before_ = 0;
  std::uint64_t second_before_ = 0;
};

/// A duel for each kind whose residency policy has two variants.
std::vector<Duel> duels_of(const std::vector<SmKind>& kinds);

}  // namespace heddle::gpu
