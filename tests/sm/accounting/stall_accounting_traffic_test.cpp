// Stall accounting for random states of warps and schedulers. Each cycle of a scheduler and of a
// warp is attributed to exactly one cause, as docs/timing/stall-causes.md documents.

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <random>
#include <span>
#include <string>

#include "sm/accounting/stall_accounting.h"
#include "sm/hazards_fixture.h"
#include "sm/schedule/fake_core.h"

namespace heddle::sm {
namespace {

constexpr std::uint32_t kSchedulers = 3;
constexpr std::uint32_t kWarps = 16;

class StallAccountingTraffic : public HazardsFixture, public testing::WithParamInterface<unsigned> {
 protected:
  /// A warp, and why it does not issue.
  struct Warp {
    enum class Is { absent, waiting, ready, ended } is = Is::absent;
    WaitReason reason{};  ///< If it waits.
    Resource needs{};
    bool issues = false;
    bool withheld = false;  ///< Whether its scheduler's policy does not choose it.
  };
  using Warps = std::array<Warp, kWarps>;

  std::uint64_t roll(std::uint64_t sides) { return random_() % sides; }

  Warps make_warps() {
    Warps made{};
    const std::uint64_t crowd = 1 + roll(12);
    for (WarpSlot warp = 0; warp < kWarps; ++warp) {
      Warp& mine = made[warp];
      if (roll(crowd) > 1) continue;
      mine.is = static_cast<Warp::Is>(1 + roll(3));
      mine.needs = ByResource<int>::index_at(roll(kResources));
      mine.reason = ByWaitReason<int>::index_at(roll(kWaitReasons));
      take_slot_for(warps, grid, warp, mine.needs).since = now_;
      if (mine.is == Warp::Is::waiting) warps.block(warp, WarpState::awaits_memory, mine.reason);
      if (mine.is == Warp::Is::ready) warps.make_ready(warp);
      if (mine.is == Warp::Is::ended) warps.end(warp);
    }
    return made;
  }
  void occupy_some_units() {
    taken_ = full_;
    for (const auto& [resource, kind] : kUnitResources) {
      if (roll(3) != 0) continue;
      units.execute(kind, now_, 1);
      taken_[resource] = true;
    }
    no_collector_ = roll(6) == 0;
    if (no_collector_) collect(1, now_.number);
    if (roll(60) != 0) return;
    const auto& [resource, path] = kMemoryResources[roll(kMemoryResources.size())];
    fill(path, 0);
    full_[resource] = taken_[resource] = true;
  }

  bool finds_room(const Warp& warp) const {
    return warp.needs == Resource::none || (!no_collector_ && !taken_[warp.needs]);
  }
  std::string name_of_wait(const Warp& warp, bool is_scheduler_busy) const {
    if (warp.is == Warp::Is::ended) return "drain";
    if (warp.is == Warp::Is::waiting) return std::string(name_of(cause_of(warp.reason)));
    if (warp.withheld) return "withheld";
    if (is_scheduler_busy || no_collector_) return "dispatch_stall";
    switch (warp.needs) {
      case Resource::global:
        return "lg_throttle";
      case Resource::shared:
      case Resource::constant:
      case Resource::texture:
        return "mio_throttle";
      default:
        return "math_pipe_throttle";
    }
  }
  /// The cause of a scheduler cycle without issue: that of the warp nearest to issuing. Ready warps
  /// come before waiting ones; within each, the list of causes gives the order.
  std::string name_of_idle_cycle(const Warps& made, std::uint32_t scheduler,
                                 bool is_scheduler_busy) const {
    std::map<int, std::string> by_nearness;
    for (WarpSlot warp = scheduler; warp < kWarps; warp += kSchedulers) {
      if (made[warp].is == Warp::Is::absent) continue;
      const std::string name = name_of_wait(made[warp], is_scheduler_busy);
      int nearness = made[warp].is == Warp::Is::ready ? 0 : 100;
      for (const StallCause cause : kNearestToIssue) {
        if (name_of(cause) == name) break;
        ++nearness;
      }
      by_nearness.emplace(nearness, name);
    }
    return by_nearness.empty() ? "no_warps" : by_nearness.begin()->second;
  }

  void play_cycle() {
    occupy_some_units();
    Warps made = make_warps();
    IssueCycle cycle{.now = now_};
    std::array<bool, kSchedulers> busy_schedulers{};
    for (std::uint32_t s = 0; s < kSchedulers; ++s) {
      busy_schedulers[s] = roll(4) == 0;
      if (busy_schedulers[s]) schedulers.hold(s, now_);
      if (busy_schedulers[s]) cycle.busy_scheduler_warps |= schedulers.warps_of(s);
      bool issues = false;
      const bool withholds = roll(5) == 0;
      for (WarpSlot warp = s; warp < kWarps; warp += kSchedulers) {
        if (busy_schedulers[s] || made[warp].is != Warp::Is::ready || !finds_room(made[warp])) {
          continue;
        }
        cycle.eligible |= set_of(warp);
        made[warp].withheld = withholds;
        if (withholds) {
          cycle.withheld |= set_of(warp);
          continue;
        }
        made[warp].issues = !issues;
        issues = true;
      }
      if (issues) {
        ++cycle.issued;
      } else {
        cycle.idle |= 1U << s;
      }
    }
    for (WarpSlot warp = 0; warp < kWarps; ++warp) {
      if (made[warp].issues) warps.issue(warp);
    }
    const std::uint64_t cycles = cycle.issued > 0 ? 1 : 1 + roll(5);
    accounting().count(cycle, cycles);
    expect(made, cycle, busy_schedulers, cycles);
    now_ += Cycles(cycles);
    clear(made);
  }
  void expect(const Warps& made, const IssueCycle& cycle,
              const std::array<bool, kSchedulers>& busy_schedulers, std::uint64_t cycles) {
    for (std::uint32_t s = 0; s < kSchedulers; ++s) {
      const bool idle = (cycle.idle >> s & 1) != 0;
      names_["scheduler." +
             (idle ? name_of_idle_cycle(made, s, busy_schedulers[s]) : "selected")] += cycles;
    }
    if (cycle.issued == 0) names_["sm.idle_cycles"] += cycles;
    for (WarpSlot warp = 0; warp < kWarps; ++warp) {
      const Warp& mine = made[warp];
      if (mine.is == Warp::Is::absent || mine.is == Warp::Is::ended) continue;
      const bool is_scheduler_busy = busy_schedulers[warp % kSchedulers];
      const bool is_idle = (cycle.idle >> (warp % kSchedulers) & 1) != 0;
      if (mine.is == Warp::Is::waiting && mine.reason == WaitReason::branch_resolution && is_idle) {
        ++names_["sm.exposed_branches"];
      }
      const bool excluded_warps =
          mine.is == Warp::Is::ready && !is_scheduler_busy && !mine.withheld && finds_room(mine);
      names_["warp." + (mine.issues      ? "selected"
                        : excluded_warps ? "not_selected"
                                         : name_of_wait(mine, is_scheduler_busy))] += cycles;
    }
  }
  void clear(const Warps& made) {
    for (WarpSlot warp = 0; warp < kWarps; ++warp) {
      if (made[warp].is == Warp::Is::absent) continue;
      if (made[warp].is == Warp::Is::waiting) warps.resume(warp, now_);
      if (made[warp].is == Warp::Is::ready && !made[warp].issues) warps.issue(warp);
      warps.leave(warp);
    }
    now_ += Cycles(100);  // All units are free again.
  }
  StallAccounting& accounting() {
    if (!accounting_) accounting_.emplace(warps, schedulers, std::span(&hazards(), 1));
    return *accounting_;
  }

  std::mt19937_64 random_{GetParam()};
  WarpSchedulers schedulers{{.schedulers = kSchedulers}, 1, warps.all(), test::unseen_core()};
  Cycle now_{1000};
  ByResource<bool> taken_{};
  ByResource<bool> full_{};  ///< The memory queues that are full. They stay full.
  bool no_collector_ = false;
  std::map<std::string, std::uint64_t> names_;
  std::optional<StallAccounting> accounting_;
};

TEST_P(StallAccountingTraffic, AttributesEachCycleToOneCause) {
  describe_operands({"policy=banked", "collectors=1"});
  for (int round = 0; round < 800; ++round) {
    play_cycle();
    if (HasFatalFailure()) return;
  }
  CounterList counters;
  accounting().declare(counters);
  for (const Counter& counter : counters.all()) {
    EXPECT_EQ(*counter.value, names_[counter.name]) << counter.name;
    EXPECT_GT(*counter.value, 0u) << counter.name << " should have occurred";
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, StallAccountingTraffic, testing::Range(1U, 7U));

}  // namespace
}  // namespace heddle::sm
