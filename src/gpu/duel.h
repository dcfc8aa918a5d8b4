#pragma once

// Two ways to go about something, compared as the chip runs: the first multiprocessor of a kind
// always goes the one, the second always the other, and the rest goes the way of whichever has
// executed more in the last interval. Looked at between epochs, so that it is the same for any
// number of host threads.

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

  /// Among the multiprocessors of a kind whose residency has two ways.
  explicit Duel(const SmKind& kind);

  /// Launches begin at `now`. The comparison under way goes on, and who won the last one stays:
  /// most launches are shorter than an interval.
  void start(const Sms& sms, Cycle now);
  /// Launches have ended.
  void stop(const Sms& sms, Cycle now);
  /// Whether others are ahead than were.
  bool look(const Sms& sms, Cycle now);

 private:
  std::uint64_t executed(const Sms& sms, sm::DuelSide side) const;
  void tell_followers(const Sms& sms, Cycle now) const;
  void measure_from(const Sms& sms, Cycle now);
  void add_executed(const Sms& sms);

  std::uint32_t first_;
  std::uint32_t sms_;
  Cycles interval_;
  sm::DuelSide ahead_ = sm::DuelSide::first;
  Cycles left_;  ///< Of the interval, when launches begin.
  Cycle next_;
  std::uint64_t first_sum_ = 0;  ///< Executed in the interval, in launches that have ended.
  std::uint64_t second_sum_ = 0;
  std::uint64_t first_before_ = 0;
  std::uint64_t second_before_ = 0;
};

/// One for each kind whose residency has two ways.
std::vector<Duel> duels_of(const std::vector<SmKind>& kinds);

}  // namespace heddle::gpu
