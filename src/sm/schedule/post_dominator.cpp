// The post-dominator priority of Fung et al. for dynamic warp formation, as described in Narasiman
// et al., Improving GPU Performance via Large Warps and Two-Level Warp Scheduling, section 4.

#include <algorithm>
#include <array>
#include <cstdint>

#include "sm/schedule/formed_warp_parameters.h"
#include "sm/schedule/scheduler.h"
#include "sm/schedule/warp_ranks.h"

namespace heddle::sm {
namespace {

/// Picks the warp that has passed the fewest post-dominators of branches, because it is behind the
/// others. If there are several, picks the oldest of them.
class PostDominator final : public BasicScheduler {
 public:
  void started(WarpSlot warp) override { ages_[warp] = ++clock_; }
  void formed(WarpSlot warp, const Formation& formation) override {
    const std::uint32_t passed = std::min(formation.passed, kMostPassed);
    ranks_.set(warp, std::uint64_t{passed} << kAgeBits | ages_[warp]);
  }
  WarpSlot pick(WarpSet eligible, Cycle) override { return ranks_.first_of(eligible); }

 private:
  static constexpr int kAgeBits = 34;
  static constexpr std::uint32_t kMostPassed = (std::uint32_t{1} << 24) - 1;

  std::uint64_t clock_ = 0;
  std::array<std::uint64_t, kMostWarps> ages_{};
  WarpRanks ranks_{};
};

const SchedulerRegistry::Entry post_dominator_entry{
    "post-dominator", "the formed warp that has passed the fewest post-dominators of branches",
    [](const FormedWarpParameters&, const SchedulerPlace&) {
      return std::make_unique<PostDominator>();
    }};

}  // namespace
}  // namespace heddle::sm
