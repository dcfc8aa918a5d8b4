#pragma once

// A comparison of two variants of a residency policy at run time, as in set dueling. It is made
// among multiprocessors of one kind, which have the same parameters (SmKind). The first of them
// always uses one variant, and the second always uses the other. All further multiprocessors use
// the variant with which more thread instructions were executed in the last interval. Variants are
// compared between epochs (gpu/epochs.h), so the result does not depend on the number of host
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

  /// Resumes the current interval, because launches begin at `now`. The last winner stays. Both
  /// outlast a launch, because most launches are shorter than an interval.
  void start(const Sms& sms, Cycle now);
  /// Suspends the current interval, because all launches have ended.
  void stop(const Sms& sms, Cycle now);
  /// If the interval is over, determines the winner and begins the next interval. Returns whether
  /// the winner changed.
  bool update(const Sms& sms, Cycle now);

 private:
  /// The thread instructions that a side's multiprocessor has executed so far.
  std::uint64_t executed(const Sms& sms, sm::DuelSide side) const;
  /// Makes all multiprocessors except the first two use the winning variant.
  void set_followers(const Sms& sms, Cycle now) const;
  /// Starts to measure at `now`, for the rest of the interval.
  void measure_from(const Sms& sms, Cycle now);
  /// Adds the thread instructions since the start of the measurement to the sums.
  void add_executed(const Sms& sms);

  std::uint32_t first_sm_;  ///< The number of the kind's first multiprocessor.
  std::uint32_t sm_count_;  ///< The number of multiprocessors of the kind.
  Cycles interval_;
  sm::DuelSide winner_ = sm::DuelSide::first;
  Cycles rest_;         ///< The rest of the interval at the last start(), stop() or update().
  Cycle interval_end_;  ///< The cycle in which the interval ends.
  // Thread instructions that the first two multiprocessors executed in this interval, up to the
  // last stop():
  std::uint64_t first_sum_ = 0;
  std::uint64_t second_sum_ = 0;
  // Their counts of thread instructions at the last start() or at the start of the interval,
  // whichever was later:
  std::uint64_t first_before_ = 0;
  std::uint64_t second_before_ = 0;
};

/// Returns a duel for each kind that has at least two multiprocessors, and a residency policy with
/// two variants.
std::vector<Duel> duels_of(const std::vector<SmKind>& kinds);

}  // namespace heddle::gpu
