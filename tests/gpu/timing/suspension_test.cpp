// Operand storage is notified when warps become active or are suspended. The test policy counts the
// registers that a warp has written since it became active, which a register cache would have to
// write back.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <bitset>
#include <ostream>
#include <string>
#include <vector>

#include "gpu/divergence_setups.h"
#include "gpu/timing/probe.h"
#include "gpu/timing/twice_kernel.h"
#include "gpu/workload_on_chip.h"
#include "sm/instructions/issue_table.h"
#include "sm/operands/operands.h"

namespace heddle::gpu::test {
namespace {

struct Event {
  std::string what;
  sm::WarpSlot warp = 0;
  std::uint64_t at = 0;
  std::size_t live = 0;  ///< Registers written since the warp became active.

  friend bool operator==(const Event&, const Event&) = default;
  friend void PrintTo(const Event& event, std::ostream* out) {
    *out << event.what << " " << event.warp << " at " << event.at << ", " << event.live << " live";
  }
};
/// The events of the most recent operand storage; there is one multiprocessor.
std::vector<Event>& recorded_events() {
  static std::vector<Event> events;
  return events;
}

struct LiveCountParameters {
  bool notes = false;

  void declare(config::Declarations& parameters) {
    parameters.flag("notes", notes, "whether events are recorded");
  }
};

/// Operand storage that counts, for each active warp, the registers written since its activation.
class LiveCount final : public sm::Operands, public sm::ActiveSetObserver {
 public:
  explicit LiveCount(bool notes) : notes_(notes) { recorded_events().clear(); }

  Cycle free_from(Cycle now) const override { return now; }
  Cycles read_latency() const override { return Cycles(0); }
  Cycle read(sm::WarpSlot warp, std::span<const std::uint16_t>, Cycle now) override {
    ++(is_active(warp) ? reads_ : reads_while_suspended_);
    return now;
  }
  /// Results that arrive while the warp is suspended bypass the cache.
  Cycle write(sm::WarpSlot warp, std::span<const std::uint16_t> registers, Cycle done) override {
    for (const std::uint16_t number : registers) {
      if (number < sm::kFirstPredicate && is_active(warp)) live_[warp].set(number);
    }
    return done;
  }
  sm::OperandInterfaces interfaces() override { return {.active_set = this}; }
  void activated(sm::WarpSlot warp, Cycle now) override {
    EXPECT_FALSE(is_active(warp));
    ++activations_;
    note("activated", warp, now);
    active_ |= sm::set_of(warp);
  }
  void suspended(sm::WarpSlot warp, sm::WaitReason, Cycle now) override {
    EXPECT_TRUE(is_active(warp));
    ++suspensions_;
    flushed_ += live_[warp].count();
    note("suspended", warp, now);
    forget(warp);
  }
  void ended(sm::WarpSlot warp, Cycle now) override {
    ++ends_;
    note("ended", warp, now);
    forget(warp);
  }
  void declare(CounterList& counters) override {
    counters.add("reads", reads_, "instructions", "of active warps");
    counters.add("reads_while_suspended", reads_while_suspended_, "instructions", "of others");
    counters.add("activations", activations_, "warps", "");
    counters.add("suspensions", suspensions_, "warps", "");
    counters.add("ends", ends_, "warps", "");
    counters.add("flushed", flushed_, "registers", "that suspended warps had written");
  }

 private:
  bool is_active(sm::WarpSlot warp) const { return (active_ & sm::set_of(warp)) != 0; }
  void forget(sm::WarpSlot warp) {
    active_ &= ~sm::set_of(warp);
    live_[warp].reset();
  }
  void note(const std::string& what, sm::WarpSlot warp, Cycle now) {
    if (notes_) recorded_events().push_back({what, warp, now.number, live_[warp].count()});
  }

  bool notes_;
  sm::WarpSet active_ = 0;
  std::array<std::bitset<sm::kFirstPredicate>, sm::kMaxWarps> live_{};
  std::uint64_t reads_ = 0;
  std::uint64_t reads_while_suspended_ = 0;
  std::uint64_t activations_ = 0;
  std::uint64_t suspensions_ = 0;
  std::uint64_t ends_ = 0;
  std::uint64_t flushed_ = 0;
};

const sm::OperandsRegistry::Entry suspension_entry{
    "live-count", "for tests: counts what a warp has written since it became active",
    [](const LiveCountParameters& parameters, const sm::OperandDescription&) {
      return std::make_unique<LiveCount>(parameters.notes);
    }};

/// Runs two warps whose threads each double a value.
struct DoublingRun {
  explicit DoublingRun(const Settings& settings)
      : chip(kTwice,
             kPlain + Settings{"operands.policy=live-count", "operands.notes=yes"} + settings) {
    values = chip.upload(std::vector<std::uint32_t>(64, 21));
    chip.launch("twice", {1, 1, 1}, {64, 1, 1}, values);
  }
  ChipRun chip;
  device::DevicePointer values = 0;
};

TEST(WarpActivationEvents, FollowTwoWarpsOfWhichOneIsActive) {
  DoublingRun run(
      {"schedule.policy=active-set", "schedule.active_warps=1", "units.integer.latency=8"});
  ASSERT_EQ(recorded_events().size(), 8u);
  const std::uint64_t begin = recorded_events()[0].at;
  // Instructions are numbered as in the listing of kTwice. 0 and 1 issue in successive cycles, 2
  // and 3 when the results of 1 and 2 are available. When the load (3) issues, it is known that 4
  // must wait. The other warp becomes active in the next cycle.
  const std::uint64_t load = 1 + 8 + 8;
  // Instruction 4 issues when the loaded value is available. 5 waits for the result of 4, and 6
  // follows. The other warp's value has arrived by then.
  const std::uint64_t back = recorded_events()[4].at;
  const std::uint64_t exit = 8 + 1;
  EXPECT_GT(back, begin + 2 * load + 1);
  EXPECT_THAT(recorded_events(),
              testing::ElementsAre(Event{"activated", 0, begin, 0},  //
                                   Event{"suspended", 0, begin + load, 3},
                                   Event{"activated", 1, begin + load + 1, 0},
                                   Event{"suspended", 1, begin + 2 * load + 1, 3},
                                   // The loaded value bypassed the cache; 4 has written R0.
                                   Event{"activated", 0, back, 0},  //
                                   Event{"ended", 0, back + exit, 1},
                                   Event{"activated", 1, back + exit + 1, 0},
                                   Event{"ended", 1, back + 2 * exit + 1, 1}));
  EXPECT_EQ(run.chip.counter("operands.flushed"), 3 + 3);
  EXPECT_EQ(run.chip.download<std::uint32_t>(run.values, 64), std::vector<std::uint32_t>(64, 42));
}

TEST(WarpActivationEvents, ActivateTwoWarpsAtOnceIfTwoMayBeActive) {
  DoublingRun run({"schedule.policy=active-set", "schedule.active_warps=2"});
  EXPECT_EQ(run.chip.counter("operands.activations"), 4);
  EXPECT_EQ(run.chip.counter("operands.suspensions"), 2);
  EXPECT_EQ(recorded_events()[0].at, recorded_events()[1].at);
}

// -- marks of the compiler ------------------------------------------------------------------------

/// A load, a chain of instructions that takes longer than the load, and the first clock read.
const std::string kEarlyLoad =
    "ld.global.u32 %r1, [%data];\n" + repeat(200, "mul.lo.u32 %r4, %r4, 77;\n") + clock(0);

ProbeRun use_late(const std::string& between, const Settings& settings) {
  return ProbeRun({.setup = "mov.u32 %r4, %lane;\nmov.u32 %r20, words;\n",
                   .body = kEarlyLoad + between + "add.u32 %r3, %r1, 5;\n" + clock(1),
                   .keep = registers("%r", 4, 1),
                   .declarations = ".shared .align 4 .b32 words[32];\n"},
                  Settings{"schedule.policy=active-set"} + settings);
}

TEST(CompilerSuspensionMarks, SuspendAWarpWhoseValueIsAvailable) {
  const auto suspensions = [](const std::string& suspends) {
    return use_late("", {"operands.policy=live-count", "schedule.suspends=" + suspends})
        .counter("operands.suspensions");
  };
  EXPECT_EQ(suspensions("marks"), suspensions("waits") + 1);
}

TEST(CompilerSuspensionMarks, DoNotWaitForTheScratchpad) {
  for (const Settings& settings :
       {Settings{"schedule.suspends=marks"}, Settings{"operands.policy=managed"}}) {
    EXPECT_EQ(use_late("ld.shared.u32 %r2, [%r20];\n", settings).cycles(),
              use_late("not.b32 %r2, %r20;\n", settings).cycles());
  }
}

TEST(WarpActivationEvents, AreOnlyEndsUnderPoliciesWithoutAnActiveSet) {
  for (const std::string policy : {"round-robin", "greedy-oldest", "fetch-groups"}) {
    DoublingRun run({"schedule.policy=" + policy});
    EXPECT_EQ(run.chip.counter("operands.activations"), 0) << policy;
    EXPECT_EQ(run.chip.counter("operands.suspensions"), 0) << policy;
    EXPECT_EQ(run.chip.counter("operands.ends"), 2) << policy;
  }
}

TEST(WarpActivationEvents, PrecludeIssueOfSuspendedWarpsUnderEveryDivergencePolicy) {
  const Settings active_set{"operands.policy=live-count", "schedule.policy=active-set",
                            "schedule.active_warps=2"};
  const std::vector<DivergenceSetup> setups{
      {"preexec", active_set},
      {"warpman", active_set},
      {"large-warps", large_warps_of(64) + active_set},
      {"large-warps", kMajority + active_set + Settings{"schedule.inner=majority"}}};
  for (const DivergenceSetup& setup : setups) {
    for (const std::string name : {"bfs", "reduction"}) {
      const WorkloadOnChip ran = run_on_chip(setup.load(), name);
      EXPECT_TRUE(ran.result.check.passed()) << name << " on " << setup.name();
      const auto counted = [&](const std::string& counter) {
        return sum_of(ran.runs.front(), ran.counters, "operands." + counter);
      };
      EXPECT_EQ(counted("reads_while_suspended"), 0) << name << " on " << setup.name();
      EXPECT_GT(counted("suspensions"), 0) << name << " on " << setup.name();
      // A warp that is activated is suspended later, or ends.
      EXPECT_LE(counted("suspensions"), counted("activations")) << name << " on " << setup.name();
      EXPECT_GE(counted("suspensions") + counted("ends"), counted("activations"))
          << name << " on " << setup.name();
    }
  }
}

}  // namespace
}  // namespace heddle::gpu::test
