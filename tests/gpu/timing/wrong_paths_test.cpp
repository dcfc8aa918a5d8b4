// What issues after a branch that was predicted wrongly, until that is resolved.

#include <gtest/gtest.h>

#include "gpu/timing/probe.h"

namespace heddle::gpu::test {
namespace {

constexpr int kResolve = 9;

/// `%p1` is true for all lanes.
const std::string kPredicates = "ld.global.u32 %r50, [%data+4];\nsetp.ne.u32 %p1, %r50, 77;\n";
/// Independent of one another.
const std::string kTwelve = repeat(12, "add.u32 %r#, %r50, #;\n");
/// Too long to be made of guards; each but the first reads what the one before has written.
const std::string kDetour =
    repeat(30, "mad.lo.u32 %r12, %r12, %r50, %r50;\n") + "st.global.u32 [%result], %r12;\n";
const std::string kSetup = kPredicates + repeat(30, "mov.u32 %r#, %lane;\n");
constexpr int kKept = 30;

Settings predicted(const Settings& settings) {
  return Settings{"branch.policy=static", "branch.resolve_cycles=" + std::to_string(kResolve)} +
         settings;
}

/// How many instructions issue after a branch that is taken, and predicted not to be, of `path` and
/// a detour. Nothing is moved over a clock that is read.
std::uint64_t issued_in_vain(const std::string& path, const Settings& settings = {},
                             const std::string& before = "") {
  const ProbeRun run(
      {.setup = kSetup,
       .body = clock(0) + before + "@%p1 bra after;\n" + path + kDetour + "after:\n" + clock(1),
       .stamps = 4,
       .keep = registers("%r", kKept)},
      predicted(settings));
  EXPECT_EQ(run.counter("branch.forward_wrong"), 1U);
  return run.counter("scheduler.wrong_path");
}

TEST(TimingOfWrongPaths, AnInstructionIssuesEachCycleUntilTheBranchIsResolved) {
  for (const std::uint64_t resolve : {1U, 2U, 4U, 9U}) {
    EXPECT_EQ(issued_in_vain(kTwelve, {"branch.resolve_cycles=" + std::to_string(resolve)}),
              resolve - 1);
  }
}

TEST(TimingOfWrongPaths, WhatDependsOnThemNeverIssues) {
  EXPECT_EQ(issued_in_vain(kTwelve, {"branch.resolve_cycles=40"}), 13U)
      << "the first of the detour too";
  EXPECT_EQ(issued_in_vain("add.u32 %r20, %r50, 1;\nadd.u32 %r21, %r50, 2;\n"
                           "xor.b32 %r22, %r20, %r21;\n" +
                           clock(2) + kTwelve),
            2U);
}

TEST(TimingOfWrongPaths, TheyEndWhereMemoryIsAccessed) {
  EXPECT_EQ(issued_in_vain("add.u32 %r20, %r50, 1;\n" + clock(2) +
                           "ld.global.u32 %r21, [%data+8];\n" + clock(3) + kTwelve),
            2U);
}

TEST(TimingOfWrongPaths, TheyWaitForWhatTheWarpHasUnderWay) {
  // It issues in the cycle before the branch, and its result is there 5 cycles after: three of the
  // eight are lost.
  EXPECT_EQ(issued_in_vain(kTwelve, {"units.integer.latency=5"}, "add.u32 %r50, %r50, %r49;\n"),
            kResolve - 1U - 3U);
  EXPECT_EQ(issued_in_vain(kTwelve, {}, "ld.global.u32 %r50, [%data+4096];\n"), 0U);
}

/// Of a loop that is left, and was predicted to go on.
std::uint64_t counted_of_loop(const std::string& begin, const Settings& settings,
                              std::string_view counter) {
  const ProbeRun run({.setup = kSetup,
                      .body = clock(0) + "around:\n" + begin + "setp.eq.u32 %p2, %r50, 77;\n" +
                              "@%p2 bra around;\n" + clock(1),
                      .stamps = 4,
                      .keep = registers("%r", kKept)},
                     predicted(settings));
  EXPECT_EQ(run.counter("branch.backward_wrong"), 1U);
  return run.counter(counter);
}

TEST(TimingOfWrongPaths, WhatIsFetchedIsWaitedFor) {
  // The loop's begin is fetched from the cycle after the branch on, and issues 3 cycles after that.
  const Settings slowly{"fetch.latency=3"};
  const Settings soon = slowly + Settings{"branch.fetches_targets=yes"};
  EXPECT_EQ(counted_of_loop(kTwelve, slowly, "scheduler.wrong_path"), kResolve - 4U);
  EXPECT_EQ(counted_of_loop(kTwelve, soon, "scheduler.wrong_path"), kResolve - 1U)
      << "with the branch";
}

TEST(TimingOfWrongPaths, TheyAreFetchedAheadUntilTheyAreLeft) {
  const auto accesses = [](const std::string& begin, int resolve) {
    return counted_of_loop(begin,
                           {"fetch.width=2", "fetch.buffer=4", "fetch.ports=1",
                            "branch.resolve_cycles=" + std::to_string(resolve)},
                           "icache.fetches");
  };
  // Of what begins with a load, one a cycle until the buffer is full: two groups at most.
  const std::string load = clock(2) + "ld.volatile.global.u32 %r29, [%data+8];\n" + clock(3);
  const std::string held = "ld.volatile.global.u32 %r29, [%data+8];\n" + load + kTwelve;
  EXPECT_EQ(accesses(held, 2), accesses(held, 1) + 1);
  EXPECT_EQ(accesses(held, 3), accesses(held, 1) + 2);
  EXPECT_EQ(accesses(held, 9), accesses(held, 1) + 2);
  // Where they issue, one each time that two have made room.
  EXPECT_EQ(accesses(kTwelve, 9), accesses(kTwelve, 1) + 5);
}

TEST(TimingOfWrongPaths, WithoutAScoreboardNoneIssuesBeforeTheOneBeforeHasWritten) {
  const Settings blind{"dependence.policy=stall-on-miss"};
  const auto latency = [](int cycles) {
    return Settings{"units.integer.latency=" + std::to_string(cycles)};
  };
  // The branch itself counts as an integer instruction.
  EXPECT_EQ(issued_in_vain(kTwelve, blind + latency(kResolve)), 0U);
  EXPECT_EQ(issued_in_vain(kTwelve, blind + latency(kResolve - 1)), 1U);
  EXPECT_EQ(issued_in_vain(kTwelve, blind + Settings{"branch.resolve_cycles=40"}), 1U);
}

TEST(TimingOfWrongPaths, AUnitThatIsTakenIsWaitedFor) {
  // 32 threads in four cycles.
  EXPECT_EQ(issued_in_vain(kTwelve, {"units.integer.lanes=8", "units.shared_alu=no"}), 2U);
}

TEST(TimingOfWrongPaths, TheyTakeTheirUnits) {
  const auto run = [](const std::string& path) {
    return ProbeRun(
        {.setup = kSetup + "mov.f32 %f1, 0f3f800000;\n",
         .body = "@%p1 bra after;\n" + path + kDetour + "after:\n" + clock(0) + clock(1),
         .keep = {"%f1", "%r12"}},
        predicted({}));
  };
  const ProbeRun with = run("sin.approx.f32 %f1, %f1;\n" + clock(0));
  EXPECT_EQ(with.counter("units.special.instructions"), 1U);
  EXPECT_EQ(run("").counter("units.special.instructions"), 0U);
}

TEST(TimingOfWrongPaths, AnotherWarpWaitsForItsTurn) {
  // Warp 0 goes straight on, and could issue in every cycle; warp 1 goes elsewhere.
  const auto run = [](const char* policy) {
    return ProbeRun({.setup = kSetup + "setp.eq.u32 %p4, %warp, 1;\n",
                     .body = "@%p4 bra second;\n" + clock(0) +
                             repeat(28, "add.u32 %r#, %r50, #;\n") + clock(1) +
                             "bra after;\nsecond:\nld.volatile.global.u32 %r40, [%data+8192];\n"
                             "st.global.u32 [%result], %r40;\nafter:\n",
                     .keep = registers("%r", kKept)},
                    predicted({"schedule.policy=round-robin", "schedule.schedulers=1",
                               std::string("branch.policy=") + policy}),
                    2);
  };
  const ProbeRun wrong = run("static");
  const ProbeRun right = run("perfect");
  EXPECT_EQ(right.counter("scheduler.wrong_path"), 0U);
  // For the eight cycles they take turns.
  EXPECT_EQ(wrong.counter("scheduler.wrong_path"), 4U);
  EXPECT_EQ(wrong.cycles() - right.cycles(), 4U);
}

}  // namespace
}  // namespace heddle::gpu::test
