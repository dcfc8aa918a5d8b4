// Scheduling policies that depend on time or on the state of the multiprocessor. Each does only
// what its tests need, and counters report what it has seen.

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "sm/schedule/wrapping_scheduler.h"

namespace heddle::sm {
namespace {

std::unique_ptr<Scheduler> round_robin(const SchedulerPlace& place) {
  return SchedulerRegistry::make("round-robin", place.description, place);
}

struct WithholdUntilParameters {
  std::uint32_t until = 0;
  bool only_loads = false;

  void declare(config::Declarations& parameters) {
    parameters.number("until", until, {.unit = "core cycles", .least = 0, .most = 1'000'000},
                      "until then no warp accesses memory ('withhold-until')");
    parameters.flag("only_loads", only_loads, "stores are not withheld ('withhold-until')");
  }
};

/// Withholds warps whose next instruction accesses memory until a given cycle. Other warps may
/// issue at any time.
class WithholdUntil final : public WrappingScheduler {
 public:
  WithholdUntil(const WithholdUntilParameters& parameters, const SchedulerPlace& place)
      : WrappingScheduler(round_robin(place)),
        core_(place.core),
        until_(parameters.until),
        only_loads_(parameters.only_loads),
        withholds_(parameters.until > 0) {}

  void begins_long_wait(WarpSlot warp, WaitReason reason) override {
    ++(reason == WaitReason::barrier ? barrier_waits_ : other_waits_);
    WrappingScheduler::begins_long_wait(warp, reason);
  }
  WarpSlot pick(WarpSet eligible, Cycle now) override {
    const WarpSet wanted = eligible & ~excluded_warps();
    if (wanted != eligible) withheld_at_ = now.number;
    if (wanted == 0) return kNoWarp;
    ++picked_;
    return WrappingScheduler::pick(wanted, now);
  }
  WarpSet excluded_warps() const override {
    if (!withholds_) return 0;
    return only_loads_ ? core_.ready_to_load() : core_.ready_to_access_memory();
  }
  Cycle next_update(Cycle) const override { return withholds_ ? until_ : Cycle::never(); }
  void update(Cycle now) override {
    withholds_ = false;
    released_at_ = now.number;
  }
  void declare(CounterList& counters) override {
    counters.add("picked", picked_, "instructions", "that it has picked");
    counters.add("withheld_at", withheld_at_, "core cycles",
                 "the last one in which a warp was withheld");
    counters.add("released_at", released_at_, "core cycles", "the one from which none is withheld");
    counters.add("barrier_waits", barrier_waits_, "waits", "at barriers, reported to it");
    counters.add("other_waits", other_waits_, "waits", "for anything else, reported to it");
  }

 private:
  const CoreView& core_;
  Cycle until_;
  bool only_loads_;
  bool withholds_;
  std::uint64_t picked_ = 0;
  std::uint64_t withheld_at_ = 0;
  std::uint64_t released_at_ = 0;
  std::uint64_t barrier_waits_ = 0;
  std::uint64_t other_waits_ = 0;
};

const SchedulerRegistry::Entry withhold_until{
    "withhold-until", "no warp accesses memory before a cycle",
    [](const WithholdUntilParameters& parameters, const SchedulerPlace& place) {
      return std::make_unique<WithholdUntil>(parameters, place);
    }};

struct MissThrottleParameters {
  std::uint32_t period = 100;
  std::uint32_t most_misses = 1'000'000;

  void declare(config::Declarations& parameters) {
    parameters.number("period", period, {.unit = "core cycles", .least = 1, .most = 1'000'000},
                      "between two looks at the L1 ('miss-throttle')");
    parameters.number("most_misses", most_misses, {.least = 0, .most = 1'000'000},
                      "in a period that do not throttle the next one ('miss-throttle')");
  }
};

/// Looks at the L1 periodically. After a period with many misses, no warp loads for one period.
class MissThrottle final : public WrappingScheduler {
 public:
  MissThrottle(const MissThrottleParameters& parameters, const SchedulerPlace& place)
      : WrappingScheduler(round_robin(place)),
        core_(place.core),
        period_(parameters.period),
        most_misses_(parameters.most_misses),
        next_(parameters.period) {}

  WarpSlot pick(WarpSet eligible, Cycle now) override {
    const WarpSet wanted = eligible & ~excluded_warps();
    return wanted == 0 ? kNoWarp : WrappingScheduler::pick(wanted, now);
  }
  WarpSet excluded_warps() const override { return throttles_ ? core_.ready_to_load() : 0; }
  Cycle next_update(Cycle) const override { return next_; }
  void update(Cycle now) override {
    late_ += (now - next_).count;
    next_ = now + period_;
    const CacheCounts counts = core_.l1();
    throttles_ = !throttles_ && counts.misses - misses_ > most_misses_;
    misses_ = counts.misses;
    ++looks_;
    if (looks_ >= seen_.size()) return;
    seen_[looks_] = {.accesses = counts.accesses,
                     .hits = counts.hits,
                     .misses = counts.misses,
                     .ready = count_of(core_.ready()),
                     .at_barrier = count_of(core_.waiting_for(WaitReason::barrier)),
                     .for_memory = count_of(core_.waiting_for(WaitReason::long_latency_result))};
  }
  void declare(CounterList& counters) override {
    counters.add("looks", looks_, "looks", "at the core");
    counters.add("late", late_, "core cycles", "from when it wanted to look until it did");
    for (std::size_t i = 1; i < seen_.size(); ++i) {
      const std::string look = std::to_string(i);
      counters.add("accesses_" + look, seen_[i].accesses, "accesses", "of the L1 until a look");
      counters.add("hits_" + look, seen_[i].hits, "accesses", "that hit until a look");
      counters.add("misses_" + look, seen_[i].misses, "accesses", "that missed until a look");
      counters.add("ready_" + look, seen_[i].ready, "warps", "ready at a look");
      counters.add("at_barrier_" + look, seen_[i].at_barrier, "warps", "at barriers at a look");
      counters.add("for_memory_" + look, seen_[i].for_memory, "warps", "that waited for memory");
    }
  }

 private:
  /// The multiprocessor's state at one look.
  struct Seen {
    std::uint64_t accesses = 0;
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
    std::uint64_t ready = 0;
    std::uint64_t at_barrier = 0;
    std::uint64_t for_memory = 0;
  };

  const CoreView& core_;
  Cycles period_;
  std::uint64_t most_misses_;
  Cycle next_;
  bool throttles_ = false;
  std::uint64_t misses_ = 0;
  std::uint64_t looks_ = 0;
  std::uint64_t late_ = 0;
  std::array<Seen, 64> seen_{};  ///< Indexed by the number of the look, from 1.
};

const SchedulerRegistry::Entry miss_throttle{
    "miss-throttle", "no loads after a period with many misses",
    [](const MissThrottleParameters& parameters, const SchedulerPlace& place) {
      return std::make_unique<MissThrottle>(parameters, place);
    }};

/// Round robin that reads the multiprocessor's state in every cycle and ignores it.
class Onlooker final : public WrappingScheduler {
 public:
  explicit Onlooker(const SchedulerPlace& place)
      : WrappingScheduler(round_robin(place)), core_(place.core) {}

  WarpSlot pick(WarpSet eligible, Cycle now) override {
    seen_ = core_.l1();
    return WrappingScheduler::pick(eligible, now);
  }
  Cycle next_update(Cycle now) const override { return now + Cycles(1); }
  void update(Cycle) override { seen_ = core_.l1(); }

 private:
  const CoreView& core_;
  CacheCounts seen_;
};

const SchedulerRegistry::Entry onlooker{
    "onlooker", "round-robin that reads the core's state in every cycle",
    [](const SchedulerPlace& place) { return std::make_unique<Onlooker>(place); }};

}  // namespace
}  // namespace heddle::sm
