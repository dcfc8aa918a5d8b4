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

/// Picks the warp that has passed the fewest post-dominators of branches: it is furthest behind in
/// the program. If there are several, picks the oldest of them.
class PostDominator final : public BasicScheduler {
 public:
  void started(WarpSlot warp) override { ages_[warp] = ++clock_; }
  void formed(WarpSlot warp, const Formation& formation) override {
    const std::uint32_t passed = std::min(formation.passed_count, kMaxPassed);
    ranks_.set(warp, std::uint64_t{passed} << kAgeBits | ages_[warp]);
  }
  WarpSlot pick(WarpSet eligible, Cycle) override { return ranks_.lowest_of(eligible); }

 private:
  // A rank has 58 bits: 24 for the number of post-dominators passed, above 34 for the age.
  static constexpr int kAgeBits = 34;
  static constexpr std::uint32_t kMaxPassed = (std::uint32_t{1} << 24) - 1;

  std::uint64_t clock_ = 0;  ///< The number of warps that have started.
  std::array<std::uint64_t, kMaxWarps> ages_{};
  WarpRanks ranks_{};
};

const SchedulerRegistry::Entry post_dominator_entry{
    "post-dominator", "the formed warp that has passed the fewest post-dominators of branches",
    [](const FormedWarpParameters&, const SchedulerPlace&) {
      return std::make_unique<PostDominator>();
    }};

}  // namespace
}  // namespace heddle::sm
