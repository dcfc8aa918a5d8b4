// Fung et al.'s post-dominator priority for dynamic warp formation, as Narasiman et al., Improving
// GPU Performance via Large Warps and Two-Level Warp Scheduling, section 4, describe it.

#include <array>
#include <bit>

#include "sm/schedule/scheduler.h"

namespace heddle::sm {
namespace {

/// Those that have passed the fewest points where branches meet again are behind, and come first;
/// of those the oldest.
class PostDominator final : public Scheduler {
 public:
  void started(WarpSlot warp) override { since_[warp] = ++clock_; }
  void ended(WarpSlot) override {}
  bool goes_by_formation() const override { return true; }
  void formed(WarpSlot warp, const Formation& formation) override {
    passed_[warp] = formation.passed;
  }
  WarpSlot pick(WarpSet eligible, Cycle) override {
    auto found = static_cast<WarpSlot>(std::countr_zero(eligible));
    for (; eligible != 0; eligible &= eligible - 1) {
      const auto warp = static_cast<WarpSlot>(std::countr_zero(eligible));
      if (passed_[warp] < passed_[found] ||
          (passed_[warp] == passed_[found] && since_[warp] < since_[found])) {
        found = warp;
      }
    }
    return found;
  }

 private:
  std::uint64_t clock_ = 0;
  std::array<std::uint32_t, kMostWarps> passed_{};
  std::array<std::uint64_t, kMostWarps> since_{};
};

const SchedulerRegistry::Entry entry{
    "post-dominator", "the formed warp that has passed the fewest meeting points of branches",
    [](const SchedulerPlace&) -> std::unique_ptr<Scheduler> {
      return std::make_unique<PostDominator>();
    }};

}  // namespace
}  // namespace heddle::sm
