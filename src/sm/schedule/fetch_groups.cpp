// The two-level scheduler of Narasiman et al., Improving GPU Performance via Large Warps and
// Two-Level Warp Scheduling (TR-HPS-2010-006), section 3.2: warps are divided into fetch groups.

#include <algorithm>
#include <bit>
#include <vector>

#include "sm/schedule/scheduler.h"

namespace heddle::sm {
namespace {

struct FetchGroupsParameters {
  std::uint32_t fetch_group = 8;

  void declare(config::Declarations& parameters) {
    parameters.number(
        "fetch_group", fetch_group, {.unit = "warps", .least = 1, .most = kMaxWarps},
        "warps of a fetch group, which issue in turn until all of them stall ('fetch-groups')");
  }
  static void storage(config::StorageList& list) {
    list.add({.name = "fetch_groups",
              .bits = "0",
              .meaning = "the current group",
              .source = "Narasiman et al., section 3.3: logic, and no storage"});
  }
  void check(const SchedulerShare& share) const { share.check_fits("fetch_group", fetch_group); }
};

/// Round robin on two levels. The warps of one group issue in turn until none of them can issue;
/// then it is the turn of the next group. The groups therefore begin their long waits at different
/// times, and some groups can issue while others wait.
class FetchGroups final : public BasicScheduler {
 public:
  FetchGroups(WarpSet warps, std::uint32_t group_size) {
    for (std::uint32_t count = group_size; warps != 0; warps &= warps - 1, ++count) {
      if (count == group_size) {
        groups_.emplace_back();
        count = 0;
      }
      groups_.back().warps |= set_of(static_cast<WarpSlot>(std::countr_zero(warps)));
    }
  }

  WarpSlot pick(WarpSet eligible, Cycle) override {
    while ((groups_[current_].warps & eligible) == 0) {
      current_ = current_ + 1 == groups_.size() ? 0 : current_ + 1;
    }
    Group& group = groups_[current_];
    const WarpSet candidates = group.warps & eligible;
    const WarpSet after = candidates & ~group.slots_up_to_last;
    const WarpSet chosen = after != 0 ? after : candidates;
    const auto warp = static_cast<WarpSlot>(std::countr_zero(chosen));
    group.slots_up_to_last = (set_of(warp) << 1) - 1;
    return warp;
  }

 private:
  struct Group {
    WarpSet warps = 0;
    /// The slots up to and including that of the warp which issued last.
    WarpSet slots_up_to_last = 0;
  };

  std::vector<Group> groups_;
  std::size_t current_ = 0;  ///< The index of the group whose warps issue.
};

const SchedulerRegistry::Entry fetch_groups_entry{
    "fetch-groups", "two-level: groups of warps in turn, each until all of its warps stall",
    [](const FetchGroupsParameters& parameters, const SchedulerPlace& place) {
      return std::make_unique<FetchGroups>(place.warps, parameters.fetch_group);
    }};

}  // namespace
}  // namespace heddle::sm
