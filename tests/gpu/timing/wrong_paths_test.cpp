// Which instructions issue on the wrong path, that is after a mispredicted branch until the branch
// resolves.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "device/ptx_text.h"
#include "gpu/timing/probe.h"
#include "gpu/traced_run.h"

namespace heddle::gpu::test {
namespace {

constexpr int kResolve = 9;

/// `%p1` is true for all lanes.
const std::string kPredicates = "ld.global.u32 %r50, [%data+4];\nsetp.ne.u32 %p1, %r50, 77;\n";
/// Twelve independent instructions.
const std::string kTwelve = repeat(12, "add.u32 %r#, %r50, #;\n");
/// Code that is too long for the compiler to predicate. Each instruction reads the result of the
/// previous one.
const std::string kDetour =
    repeat(30, "mad.lo.u32 %r12, %r12, %r50, %r50;\n") + "st.global.u32 [%result], %r12;\n";
const std::string kSetup = kPredicates + repeat(30, "mov.u32 %r#, %lane;\n");
constexpr int kKeptRegisters = 30;

Settings predicted(const Settings& settings) {
  return Settings{"branch.policy=static", "branch.resolve_cycles=" + std::to_string(kResolve)} +
         settings;
}

/// The number of instructions that issue on the wrong path after a branch that is taken but
/// predicted as not taken. The wrong path is `path` and kDetour. The compiler moves nothing across
/// a clock read.
std::uint64_t issued_on_wrong_path(const std::string& path, const Settings& settings = {},
                                   const std::string& before = "") {
  const ProbeRun run(
      {.setup = kSetup,
       .body = clock(0) + before + "@%p1 bra after;\n" + path + kDetour + "after:\n" + clock(1),
       .stamps = 4,
       .keep = registers("%r", kKeptRegisters)},
      predicted(settings));
  EXPECT_EQ(run.counter("branch.forward_mispredicted"), 1U);
  return run.counter("scheduler.wrong_path");
}

TEST(WrongPathTiming, IssuesEachCycleUntilTheBranchResolves) {
  for (const std::uint64_t resolve : {1U, 2U, 4U, 9U}) {
    EXPECT_EQ(issued_on_wrong_path(kTwelve, {"branch.resolve_cycles=" + std::to_string(resolve)}),
              resolve - 1);
  }
}

TEST(WrongPathTiming, DependentInstructionsNeverIssue) {
  EXPECT_EQ(issued_on_wrong_path(kTwelve, {"branch.resolve_cycles=40"}), 13U)
      << "the detour's first instruction issues, too";
  EXPECT_EQ(issued_on_wrong_path("add.u32 %r20, %r50, 1;\nadd.u32 %r21, %r50, 2;\n"
                                 "xor.b32 %r22, %r20, %r21;\n" +
                                 clock(2) + kTwelve),
            2U);
}

TEST(WrongPathTiming, IssuesAtMostSixteenInstructions) {
  const Settings late{"branch.resolve_cycles=40"};
  EXPECT_EQ(issued_on_wrong_path(repeat(16, "add.u32 %r#, %r50, #;\n"), late), 16U);
  EXPECT_EQ(issued_on_wrong_path(repeat(20, "add.u32 %r#, %r50, #;\n"), late), 16U);
}

TEST(WrongPathTiming, IntervalOfTwoHalvesTheInstructions) {
  EXPECT_EQ(issued_on_wrong_path(kTwelve, {"schedule.interval=2"}), (kResolve - 1U) / 2);
}

TEST(WrongPathTiming, EndsAtAMemoryAccess) {
  EXPECT_EQ(issued_on_wrong_path("add.u32 %r20, %r50, 1;\n" + clock(2) +
                                 "ld.global.u32 %r21, [%data+8];\n" + clock(3) + kTwelve),
            2U);
}

TEST(WrongPathTiming, WaitsForResultsInFlight) {
  // The addition issues a cycle before the branch, and its result is available 5 cycles later.
  // Three of the eight cycles on the wrong path are lost.
  EXPECT_EQ(
      issued_on_wrong_path(kTwelve, {"units.integer.latency=5"}, "add.u32 %r50, %r50, %r49;\n"),
      kResolve - 1U - 3U);
  EXPECT_EQ(issued_on_wrong_path(kTwelve, {}, "ld.global.u32 %r50, [%data+4096];\n"), 0U);
}

/// A counter after a loop whose last branch is not taken but predicted as taken.
std::uint64_t loop_counter(const std::string& begin, const Settings& settings,
                           std::string_view counter) {
  const ProbeRun run({.setup = kSetup,
                      .body = clock(0) + "around:\n" + begin + "setp.eq.u32 %p2, %r50, 77;\n" +
                              "@%p2 bra around;\n" + clock(1),
                      .stamps = 4,
                      .keep = registers("%r", kKeptRegisters)},
                     predicted(settings));
  EXPECT_EQ(run.counter("branch.backward_mispredicted"), 1U);
  return run.counter(counter);
}

TEST(WrongPathTiming, WaitsForTheFetch) {
  // The loop's first instruction is fetched in the cycle after the branch and issues 3 cycles
  // later.
  const Settings slowly{"fetch.latency=3"};
  const Settings soon = slowly + Settings{"branch.fetches_targets=yes"};
  EXPECT_EQ(loop_counter(kTwelve, slowly, "scheduler.wrong_path"), kResolve - 4U);
  EXPECT_EQ(loop_counter(kTwelve, soon, "scheduler.wrong_path"), kResolve - 1U)
      << "the target is fetched with the branch";
}

TEST(WrongPathTiming, FetchesAheadUntilThePathIsLeft) {
  const auto accesses = [](const std::string& begin, int resolve) {
    return loop_counter(begin,
                        {"fetch.width=2", "fetch.buffer=4", "fetch.ports=1",
                         "branch.resolve_cycles=" + std::to_string(resolve)},
                        "icache.fetches");
  };
  // If the path begins with a load, nothing issues. One fetch group is fetched per cycle until the
  // buffer is full, that is two groups at most.
  const std::string load = clock(2) + "ld.volatile.global.u32 %r29, [%data+8];\n" + clock(3);
  const std::string blocked = "ld.volatile.global.u32 %r29, [%data+8];\n" + load + kTwelve;
  EXPECT_EQ(accesses(blocked, 2), accesses(blocked, 1) + 1);
  EXPECT_EQ(accesses(blocked, 3), accesses(blocked, 1) + 2);
  EXPECT_EQ(accesses(blocked, 9), accesses(blocked, 1) + 2);
  // If instructions issue, a group is fetched each time two of them have made space.
  EXPECT_EQ(accesses(kTwelve, 9), accesses(kTwelve, 1) + 5);
}

TEST(WrongPathTiming, StallOnMissWaitsForThePreviousWriteBack) {
  const Settings stall_on_miss{"dependence.policy=stall-on-miss"};
  const auto latency = [](int cycles) {
    return Settings{"units.integer.latency=" + std::to_string(cycles)};
  };
  // The branch is an integer instruction, whose write-back the first wrong-path instruction awaits.
  EXPECT_EQ(issued_on_wrong_path(kTwelve, stall_on_miss + latency(kResolve)), 0U);
  EXPECT_EQ(issued_on_wrong_path(kTwelve, stall_on_miss + latency(kResolve - 1)), 1U);
  EXPECT_EQ(issued_on_wrong_path(kTwelve, stall_on_miss + Settings{"branch.resolve_cycles=40"}),
            1U);
}

TEST(WrongPathTiming, WaitsForABusyUnit) {
  // The unit takes four cycles for 32 threads.
  EXPECT_EQ(issued_on_wrong_path(kTwelve, {"units.integer.lanes=8", "units.shared_alu=no"}), 2U);
}

TEST(WrongPathTiming, OccupiesItsUnits) {
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

/// Warp 0 falls through and executes `straight` between two clock reads. Warp 1 takes the branch,
/// so its wrong path begins with the same code.
ProbeRun beside_a_wrong_path(const std::string& straight, const Settings& settings) {
  std::vector<std::string> kept = registers("%r", kKeptRegisters);
  for (const std::string& name : registers("%f1", 4)) kept.push_back(name);
  return ProbeRun({.setup = kSetup + "setp.eq.u32 %p4, %warp, 1;\n" +
                            repeat(4, "add.u32 %r41, %r50, #;\ncvt.rn.f32.u32 %f#, %r41;\n") +
                            repeat(4, "mov.f32 %f1#, %f0;\n"),
                   .body = "@%p4 bra second;\n" + clock(0) + straight + clock(1) +
                           "bra after;\nsecond:\nld.volatile.global.u32 %r40, [%data+8192];\n"
                           "st.global.u32 [%result], %r40;\nafter:\n",
                   .keep = kept},
                  predicted({"schedule.policy=round-robin", "schedule.schedulers=1"}) + settings,
                  2);
}

TEST(WrongPathTiming, DelaysAnotherWarpsIssue) {
  const auto run = [](const char* policy) {
    return beside_a_wrong_path(repeat(28, "add.u32 %r#, %r50, #;\n"),
                               {std::string("branch.policy=") + policy});
  };
  const ProbeRun wrong = run("static");
  const ProbeRun right = run("perfect");
  EXPECT_EQ(right.counter("scheduler.wrong_path"), 0U);
  // The two warps alternate for eight cycles.
  EXPECT_EQ(wrong.counter("scheduler.wrong_path"), 4U);
  EXPECT_EQ(wrong.cycles() - right.cycles(), 4U);
}

TEST(WrongPathTiming, DelaysAnotherWarpAtABusyUnit) {
  const auto run = [](const char* policy) {
    return beside_a_wrong_path(repeat(4, "sin.approx.f32 %f1#, %f#;\n"),
                               {"units.special.lanes=4", "branch.resolve_cycles=12",
                                std::string("branch.policy=") + policy});
  };
  const ProbeRun wrong = run("static");
  const ProbeRun right = run("perfect");
  // The unit takes eight cycles for 32 threads. Warp 1 issues once on its wrong path, after warp
  // 0's first instruction.
  EXPECT_EQ(wrong.counter("units.special.instructions"),
            right.counter("units.special.instructions") + 1);
  EXPECT_EQ(wrong.cycles() - right.cycles(), 8U);
}

TEST(WrongPathTiming, FollowsACallThatIsNotTaken) {
  // The function is called in every iteration except the last.
  const auto issued = [](const std::string& begin) {
    const std::string clocks = repeat(12, "mov.u32 %k#, %clock;\n");
    const ProbeRun run(
        {.setup = kSetup + "mov.u32 %r40, 0;\ncall another;\n",
         .body = "around:\nsetp.lt.u32 %p2, %r40, 5;\n@%p2 call follow;\n" + clock(0) +
                 "add.u32 %r40, %r40, 1;\nsetp.lt.u32 %p3, %r40, 6;\n@%p3 bra around;\n" + clock(1),
         .declarations = ".global .align 4 .b8 out[4];\n.func another()\n{\n.reg .b32 %k<12>;\n" +
                         repeat(12, "ld.volatile.global.u32 %k#, [out];\n") +
                         "ret;\n}\n.func follow()\n{\n.reg .b32 %k<12>;\n" + begin + clocks +
                         repeat(12, "st.volatile.global.u32 [out], %k#;\n") + "ret;\n}\n"},
        predicted({"branch.policy=gshare", "branch.history_bits=0", "branch.fetches_targets=yes"}));
    EXPECT_EQ(run.counter("branch.forward_mispredicted"), 2U) << "the first iteration and the last";
    return run.counter("scheduler.wrong_path");
  };
  EXPECT_EQ(issued("") - issued("ld.volatile.global.u32 %k0, [out];\n"), kResolve - 1U);
}

TEST(WrongPathTiming, RefetchesTheOtherLanesPathWhenTheBranchResolves) {
  // Lanes 16 to 31 exit, but are predicted to continue to JOIN, where the other lanes wait.
  TraceText trace;
  ChipRun run(device::test::kernel_of(R"(
  ld.volatile.global.u32 %r5, [%rd1];
  add.u32 %r6, %r4, %r5;
  setp.lt.u32 %p1, %r6, 16;
  setp.ne.u32 %p2, %r5, 77;
  @%p1 bra JOIN;
)" + repeat(9, "mad.lo.u32 %r6, %r6, %r6, %r5;\n") +
                                      R"(
  st.volatile.global.u32 [%rd1+4], %r6;
  @%p2 exit;
JOIN:
  mov.u32 %r7, %clock;
  st.global.u32 [%rd1+8], %r7;
  ret;)"),
              machine_of(kPlain + predicted({"fetch.latency=3"})), {.trace = trace.trace()});
  run.launch("k", {1}, {32}, run.zeros<std::uint32_t>(4));
  EXPECT_EQ(run.counter("branch.forward_mispredicted"), 1U);
  EXPECT_EQ(run.counter("scheduler.wrong_path"), 1U) << "a store follows the clock";
  std::vector<TracedEvent> issued;
  for (const TracedEvent& event : trace.events()) {
    if (event.event.starts_with("issue")) issued.push_back(event);
  }
  const auto wrong_path = std::find_if(issued.begin(), issued.end(), [](const TracedEvent& event) {
    return event.event == "issue_wrong_path";
  });
  ASSERT_GT(wrong_path - issued.begin(), 0);
  ASSERT_GT(issued.end() - wrong_path, 1);
  const TracedEvent& branch = *(wrong_path - 1);
  EXPECT_EQ(branch.number("lanes"), 16U);
  EXPECT_EQ(wrong_path->cycle, branch.cycle + 1) << "the next instruction is in the buffer";
  EXPECT_EQ((wrong_path + 1)->pc, wrong_path->pc);
  EXPECT_EQ((wrong_path + 1)->cycle, branch.cycle + kResolve + 3);
}

}  // namespace
}  // namespace heddle::gpu::test
