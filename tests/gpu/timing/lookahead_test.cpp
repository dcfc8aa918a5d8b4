// Running ahead: while a warp waits for memory, it executes later instructions on a second context,
// which is thrown away when the warp can issue again (sm/lookahead). The policy 'run-ahead' turns
// global loads into preloads. A test policy executes them.

#include "sm/lookahead/lookahead.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "device/ptx_text.h"
#include "gpu/timing/probe.h"
#include "gpu/workload_on_chip.h"
#include "sm/redundancy/redundancy.h"

namespace heddle::gpu::test {
namespace {

using testing::HasSubstr;

/// Executes whatever can be executed, loads included, and skips the rest, barriers included.
class ExecuteAhead final : public sm::Lookahead {
 public:
  bool begins(sm::WarpSlot, sm::WaitReason) override { return true; }
  sm::AheadAction action(const sm::AheadInstruction&) override {
    ++asked_;
    return sm::AheadAction::execute;
  }
  void declare(CounterList& counters) override {
    counters.add("asked", asked_, "instructions", "that the policy has seen");
  }

 private:
  std::uint64_t asked_ = 0;
};

const sm::LookaheadRegistry::Entry execute_ahead_entry{
    "execute-ahead", "for tests: executes whatever can be executed",
    [](const sm::LookaheadDescription&) { return std::make_unique<ExecuteAhead>(); }};

/// A redundancy policy, which does not work together with lookahead.
class ObserveOnly final : public sm::Redundancy {
 public:
  sm::Plan plan(const sm::PassValues&, Cycle) override { return {}; }
  void observe_executed(const sm::PassValues&, Cycle) override {}
  void declare(CounterList&) override {}
};

const sm::RedundancyRegistry::Entry observe_only_entry{
    "observe-only", "for tests: skips nothing",
    [](const sm::RedundancyDescription&) { return std::make_unique<ObserveOnly>(); }};

constexpr std::uint32_t kAddress = 2;
constexpr std::uint32_t kL1 = 20;
/// From a miss to its data: the request's path (a cycle until it leaves, the ports and the
/// crossbar); memory and a cycle on its pins; the response's path (136 bytes in one cycle).
constexpr std::uint32_t kMiss = (1 + 1 + 40 + 1) + (300 + 1) + (1 + 40 + 1);

/// Memory with fixed latencies, in which accesses hardly delay one another.
Settings memory_with(const std::string& policy, const Settings& more = {}) {
  return Settings{"lsu.address_cycles=2",      "l1.latency=20",
                  "interconnect.latency=40",   "interconnect.bytes_per_cycle=256",
                  "dram.policy=fixed",         "dram.latency=300",
                  "dram.bandwidth_bytes=128",  "dram.overhead=0",
                  "lookahead.policy=" + policy} +
         more;
}

/// %l1 is %data - 1. Its value depends on the probe's last load before the measurement, so no warp
/// that runs ahead of that load knows it. The last instruction waits until it can be read; %r50
/// must be kept.
const std::string kBase =
    "cvt.u64.u32 %l1, %settled;\nsub.u64 %l1, %data, %l1;\ncvt.u32.u64 %r50, %l1;\n";
/// The same for the address %l2; %r51 must be kept.
const std::string kWaitForAddress = "cvt.u32.u64 %r51, %l2;\n";
/// What two_loads() and similar probes keep.
const Settings kKept{"%r11", "%r12", "%r50"};
/// The address of a word of the data, in lines of their own: the word is number * 1024 + offset
/// / 4.
std::string line(int number, int offset = 0) {
  return "[%l1+" + std::to_string(number * 4096 + offset + 1) + "]";
}

/// Loads two lines one after another, and uses each value before the next instruction. `between`:
/// code between the two. %p2 is true for all lanes.
Probe two_loads(const std::string& between = "") {
  return {.setup = "ld.global.u32 %r5, [%data+4];\nsetp.ne.u32 %p2, %r5, 77;\n",
          .body = kBase + clock(0) + "ld.global.u32 %r1, " + line(1) +
                  ";\nadd.u32 %r11, %r1, 5;\n" + between + clock(1) + "ld.global.u32 %r2, " +
                  line(2) + ";\nadd.u32 %r12, %r2, 5;\n" + clock(2),
          .stamps = 3,
          .keep = kKept};
}

// Cycles of two_loads(), from the first clock read on: the first load issues at 1, and its use at
// kFirstUse. The second clock read issues at kFirstUse + 1 and the second load at kFirstUse + 2.
constexpr std::uint32_t kFirstUse = 1 + kAddress + kMiss;

TEST(LookaheadTiming, WithoutItTheSecondLoadMisses) {
  const ProbeRun run(two_loads(), memory_with("none"));
  EXPECT_EQ(run.cycles(0), kFirstUse + 1);
  EXPECT_EQ(run.cycles(1), 1 + kAddress + kMiss + 1);
  EXPECT_EQ(run.counter("l1.hits"), 0U);
}

TEST(LookaheadTiming, LoadHitsLineThatWasPreloaded) {
  // The warp begins to wait at 1. After `s` cycles it skips the use of the first load, then the
  // clock read, and issues the preload at 3 + s. Its line arrives at 3 + s + kAddress + kMiss,
  // which is kFirstUse + 2 + s. The load itself looks it up at kFirstUse + 2 + kAddress.
  for (const std::uint32_t switched : {1U, 2U, 3U, 4U, 20U}) {
    SCOPED_TRACE(switched);
    const ProbeRun run(two_loads(), memory_with("run-ahead", {"lookahead.switch_cycles=" +
                                                              std::to_string(switched)}));
    EXPECT_EQ(run.cycles(0), kFirstUse + 1) << "running ahead does not delay the first load";
    const std::uint32_t arrival = 2 + switched;
    const bool is_in_time = arrival <= 2 + kAddress;
    EXPECT_EQ(run.counter("l1.hits"), is_in_time ? 1U : 0U);
    // A load that finds its line on the way gets the data when they arrive.
    const std::uint32_t usable = is_in_time ? 2 + kAddress + kL1 : arrival;
    EXPECT_EQ(run.cycles(1), usable - 1 + 1);
  }
}

TEST(LookaheadTiming, ThrowsAwayWhatItHasComputed) {
  for (const std::string policy : {"none", "run-ahead", "execute-ahead"}) {
    Probe probe = two_loads("add.u32 %r13, %lane, 7;\nmul.lo.u32 %r13, %r13, %r11;\n");
    probe.body +=
        "mad.lo.u32 %r14, %r13, 3, %r12;\nmul.wide.u32 %rd1, %lane, 4;\n"
        "add.u64 %rd1, %rd1, %result;\nst.global.u32 [%rd1], %r14;\n";
    ProbeRun run(probe, memory_with(policy));
    const std::vector<std::uint32_t> words = run.result(32);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      EXPECT_EQ(words[lane], (lane + 7) * (1024 + 5) * 3 + 2048 + 5) << policy;
    }
  }
}

/// Cycles from the second clock read to the third, if the second load's line has been preloaded in
/// time, and if nothing has been preloaded.
constexpr std::uint32_t kHit = 1 + kAddress + kL1 + 1;
constexpr std::uint32_t kNoPreload = 1 + kAddress + kMiss + 1;

/// The time of the second load with code between it and the first load.
std::uint32_t second_load(const std::string& policy, const std::string& between,
                          const Settings& settings = {}) {
  return ProbeRun(two_loads(between), memory_with(policy, settings)).cycles(1);
}

TEST(LookaheadTiming, WaitsForResultsOfInstructionsAhead) {
  // The address of the second load depends on a chain of `length` multiplications, each of which
  // takes 30 cycles. The chain runs ahead, and then the preload issues. Afterwards the warp
  // executes the chain again.
  const auto run = [](int length, const std::string& policy) {
    const std::string chain = "mov.u32 %r20, %lane;\n" +
                              repeat(length, "mul.lo.u32 %r20, %r20, %settled;\n") +
                              "sub.u32 %r20, %r20, %lane;\nmul.wide.u32 %l3, %r20, 4;\n"
                              "add.u64 %l3, %l3, %l1;\n";
    return ProbeRun(
        {.body = kBase + "mov.u32 %r30, %lane;\n" + clock(0) + "ld.global.u32 %r1, " + line(1) +
                 ";\n" + clock(1) + "add.u32 %r11, %r1, 5;\n" + clock(2) + chain +
                 "ld.global.u32 %r2, [%l3+8193];\nadd.u32 %r12, %r2, 5;\n" + clock(3),
         .stamps = 4,
         .keep = kKept},
        memory_with(policy, {"units.integer.latency=30"}));
  };
  for (const int length : {1, 5}) {
    const ProbeRun none = run(length, "none");
    const ProbeRun ahead = run(length, "run-ahead");
    EXPECT_EQ(ahead.cycles(1), none.cycles(1));
    EXPECT_EQ(none.cycles(2) - ahead.cycles(2), kMiss - kL1) << length;
  }
  // 13 instructions take longer than the wait, so the preload does not issue.
  EXPECT_EQ(run(13, "none").cycles(2), run(13, "run-ahead").cycles(2));
}

TEST(LookaheadTiming, EndsAfterItsReach) {
  // The use of the first load, the clock read, and the preload.
  EXPECT_EQ(second_load("run-ahead", "", {"lookahead.reach=2"}), kNoPreload);
  EXPECT_EQ(second_load("run-ahead", "", {"lookahead.reach=3"}), kHit);
}

TEST(LookaheadTiming, FollowsBranchesWhoseConditionIsKnown) {
  const std::string detour = "bra AROUND;\n" + repeat(70, "add.u32 %r13, %r13, %r12;\n") +
                             "st.global.u32 [%result], %r13;\nAROUND:\n";
  const std::string known = "@%p2 ";
  const std::string unknown = "setp.gt.u32 %p1, %r11, 5;\n@%p1 ";
  EXPECT_EQ(second_load("run-ahead", known + detour), kHit);
  EXPECT_EQ(second_load("run-ahead", unknown + detour), kNoPreload);
  EXPECT_EQ(second_load("execute-ahead", unknown + detour), kNoPreload);
}

TEST(LookaheadTiming, RunAheadHaltsAtBarriersAndSkipsStores) {
  const std::string store = "st.global.u32 [%result], %lane;\n";
  EXPECT_EQ(second_load("run-ahead", store), kHit);
  EXPECT_EQ(second_load("run-ahead", "bar.sync 0;\n"), kNoPreload);
  EXPECT_EQ(second_load("execute-ahead", "bar.sync 0;\n"), kHit) << "it skips the barrier";
}

/// As two_loads(), but the address of the second load is a word of shared memory, to which
/// `before` and `between` store.
std::uint32_t load_by_shared_word(const std::string& policy, const std::string& before,
                                  const std::string& between) {
  return ProbeRun({.setup = "mov.u32 %r40, words;\nmov.u32 %r41, 8193;\n",
                   .body = kBase + before + clock(0) + "ld.global.u32 %r1, " + line(1) +
                           ";\nadd.u32 %r11, %r1, 5;\n" + clock(3) + between +
                           "ld.volatile.shared.u32 %r42, [%r40];\ncvt.u64.u32 %l2, %r42;\n"
                           "add.u64 %l2, %l2, %l1;\n" +
                           kWaitForAddress + clock(1) +
                           "ld.global.u32 %r2, [%l2];\nadd.u32 %r12, %r2, 5;\n" + clock(2),
                   .stamps = 4,
                   .keep = kKept + Settings{"%r51"},
                   .declarations = ".shared .align 4 .b8 words[128];\n"},
                  memory_with(policy))
      .cycles(1);
}

TEST(LookaheadTiming, SharedMemoryIsUnknownAfterSkippedStore) {
  const std::string store = "st.shared.u32 [%r40], %r41;\n";
  for (const std::string policy : {"run-ahead", "execute-ahead"}) {
    EXPECT_EQ(load_by_shared_word(policy, store, ""), kHit) << policy;
    EXPECT_EQ(load_by_shared_word(policy, "", store), kNoPreload) << policy;
    EXPECT_EQ(load_by_shared_word(policy, store, store), kNoPreload) << policy;
  }
  EXPECT_EQ(load_by_shared_word("execute-ahead", store, "bar.sync 0;\n"), kNoPreload)
      << "other warps may store before the barrier";
}

/// As two_loads(), but the address of the second load is a word of global memory, in a line that is
/// in the L1 if `resident`.
std::uint32_t load_by_global_word(const std::string& policy, bool resident,
                                  const std::string& between = "", const std::string& before = "") {
  return ProbeRun(
             {.setup = resident ? "ld.global.u32 %r43, [%data+12304];\n" : "mov.u32 %r43, 0;\n",
              .body = kBase + before + clock(0) + "ld.global.u32 %r1, " + line(1) +
                      ";\nadd.u32 %r11, %r1, 5;\n" + clock(3) + clock(4) + between +
                      "ld.global.u32 %r44, " + line(3) +
                      ";\nmul.wide.u32 %l2, %r44, 8;\nadd.u64 %l2, %l2, %l1;\n" + kWaitForAddress +
                      clock(1) + "ld.global.u32 %r2, [%l2+1];\nadd.u32 %r12, %r2, 5;\n" + clock(2),
              .stamps = 5,
              .keep = kKept + Settings{"%r43", "%r51"}},
             memory_with(policy))
      .cycles(1);
}

TEST(LookaheadTiming, ExecutedLoadHasAValueIfItHits) {
  EXPECT_EQ(load_by_global_word("execute-ahead", true), kHit);
  EXPECT_EQ(load_by_global_word("execute-ahead", false), kNoPreload);
  EXPECT_EQ(load_by_global_word("run-ahead", true), kNoPreload) << "a preload has no value";
  EXPECT_EQ(load_by_global_word("execute-ahead", true, "st.global.u32 [%result], %lane;\n"),
            kNoPreload)
      << "the skipped store may be to the same address";
  EXPECT_EQ(load_by_global_word("execute-ahead", true, "", "red.global.add.u32 [%result], 1;\n"),
            kNoPreload)
      << "the atomic in flight may be to the same address";
}

TEST(LookaheadTiming, ValueIsUnknownIfSomeThreadsHaveIt) {
  // %r20 is a value from memory that is on its way. Some or all lanes overwrite it with a constant.
  const auto run = [](int lanes) {
    return ProbeRun({.body = kBase + "setp.lt.u32 %p1, %lane, " + std::to_string(lanes) + ";\n" +
                             clock(0) + "ld.global.u32 %r20, " + line(0) +
                             ";\nadd.u32 %r11, %r20, 5;\n@%p1 mov.u32 %r20, 8193;\n" +
                             "cvt.u64.u32 %l2, %r20;\nadd.u64 %l2, %l2, %l1;\n" + kWaitForAddress +
                             clock(1) + "@%p1 ld.global.u32 %r2, [%l2];\nadd.u32 %r12, %r2, 5;\n" +
                             clock(2),
                     .stamps = 3,
                     .keep = kKept + Settings{"%r51"}},
                    memory_with("run-ahead"))
        .cycles(1);
  };
  EXPECT_EQ(run(32), kHit);
  EXPECT_EQ(run(31), kNoPreload);
}

TEST(LookaheadTiming, IssuesOnlyInCyclesInWhichNoWarpIssuesNormally) {
  // Warp 0 waits for its first load and could issue the preload of the second. Warp 1 issues one
  // instruction in each cycle: `rounds` times ten independent ones.
  const auto run = [](int rounds, const std::string& policy) {
    return ProbeRun(
        {.setup = "setp.eq.u32 %p4, %warp, 1;\n" + repeat(10, "mov.u32 %r2#, %lane;\n"),
         .body = kBase + "bar.sync 0;\n@%p4 bra SECOND;\n" + clock(0) + "ld.global.u32 %r1, " +
                 line(1) + ";\nadd.u32 %r11, %r1, 5;\n" + clock(1) + "ld.global.u32 %r2, " +
                 line(2) + ";\nadd.u32 %r12, %r2, 5;\n" + clock(2) + "bra AFTER;\nSECOND:\n" +
                 clock(0) + repeat(rounds, repeat(10, "mad.lo.u32 %r2#, %r2#, %r50, %r50;\n")) +
                 clock(1) + "mov.u32 %c2, 0;\nAFTER:\n",
         .stamps = 3,
         .keep = kKept + registers("%r2", 10)},
        memory_with(policy, {"schedule.schedulers=1", "units.integer.latency=5"}), 2);
  };
  std::vector<std::uint32_t> second_loads;
  for (const int rounds : {4, 5, 20}) {
    const ProbeRun none = run(rounds, "none");
    const ProbeRun ahead = run(rounds, "run-ahead");
    EXPECT_EQ(ahead.cycles(0, 1), none.cycles(0, 1)) << "warp 1 is not delayed";
    EXPECT_EQ(ahead.cycles(0, 0), none.cycles(0, 0)) << "nor is the first load of warp 0";
    EXPECT_LT(ahead.cycles(1, 0), none.cycles(1, 0)) << "the second load has been preloaded";
    second_loads.push_back(ahead.cycles(1, 0));
  }
  // The preload issues when warp 1 has issued its instructions.
  EXPECT_EQ(second_loads[1] - second_loads[0], 10U);
  EXPECT_EQ(second_loads[2] - second_loads[1], 150U);
}

TEST(Lookahead, CountsInstructionsAheadOnTheirOwn) {
  const ProbeRun none(two_loads(), memory_with("none"));
  const ProbeRun ahead(two_loads(), memory_with("run-ahead"));
  for (const char* const name :
       {"sm.warp_instructions", "sm.thread_instructions", "lanes.32", "scheduler.selected",
        "warp.selected", "lsu.global_loads", "lsu.load_segments", "lsu.constant_loads",
        "lsu.global_stores", "branch.branches", "branch.jumps"}) {
    EXPECT_EQ(ahead.counter(name), none.counter(name)) << name;
  }
  EXPECT_GT(ahead.counter("lookahead.warp_instructions"), 0U);
  EXPECT_EQ(ahead.counter("lookahead.thread_instructions"),
            32 * ahead.counter("lookahead.warp_instructions"));
  EXPECT_EQ(ahead.counter("scheduler.ahead"), ahead.counter("lookahead.warp_instructions"));
  // The hardware does the work.
  EXPECT_EQ(ahead.counter("l1.accesses") - none.counter("l1.accesses"),
            ahead.counter("lookahead.loads"));
}

/// The counters of instructions that the program executes: timing does not change them.
bool counts_normal_instructions(const std::string& name) {
  return name == "sm.warp_instructions" || name == "sm.thread_instructions" ||
         name == "scheduler.selected" || name == "warp.selected" || name.starts_with("lanes.") ||
         (name.starts_with("lsu.") && name.ends_with("s") && !name.ends_with("_cycles")) ||
         name.starts_with("branch.");
}

class LookaheadPolicy : public testing::TestWithParam<std::string> {};

TEST_P(LookaheadPolicy, ChangesNoResultAndNoCountOfNormalInstructions) {
  const Machine without = load_machine("preexec");
  const Machine with = load_machine("preexec", {"lookahead.policy=" + GetParam()});
  std::uint64_t issued_ahead = 0;
  for (const std::string& workload :
       tested_workloads({"matrix-multiply", "reduction", "scan", "spmv", "histogram"})) {
    SCOPED_TRACE(workload);
    const WorkloadOnChip normal = run_on_chip(without, workload);
    const WorkloadOnChip ahead = run_on_chip(with, workload);
    EXPECT_TRUE(ahead.result.check.passed());
    ASSERT_EQ(ahead.runs.size(), normal.runs.size());
    for (std::size_t i = 0; i < ahead.runs.size(); ++i) {
      issued_ahead += counter_of(ahead.runs[i], ahead.counters, "lookahead.warp_instructions");
      for (const CounterName& counter : normal.counters) {
        if (!counts_normal_instructions(counter.name)) continue;
        EXPECT_EQ(counter_of(ahead.runs[i], ahead.counters, counter.name),
                  counter_of(normal.runs[i], normal.counters, counter.name))
            << counter.name;
      }
    }
  }
  EXPECT_GT(issued_ahead, 0U);
}

TEST_P(LookaheadPolicy, ExecutesWhatTheFunctionalRunExecutes) {
  const std::vector<std::string> some{"bfs", "convolution-texture", "histogram"};
  const Settings active_set{"schedule.policy=active-set", "l1.prefetch.policy=stride"};
  for (const bool is_default : {true, false}) {
    const Settings settings = is_default ? Settings{} : active_set;
    const std::vector<std::string> names = is_default && !kSanitized ? workloads_to_run() : some;
    const Machine machine =
        load_machine("preexec", settings + Settings{"lookahead.policy=" + GetParam()});
    for (const std::string& workload : names) {
      SCOPED_TRACE(workload);
      if (find_misfit("preexec", workload)) continue;
      const WorkloadOnChip timed = run_on_chip(machine, workload);
      EXPECT_TRUE(timed.result.check.passed());
      // The order of atomics decides how many instructions sort a bucket.
      if (workload == "bucket-sort") continue;
      const workload::RunResult untimed = run_untimed(machine, workload);
      ASSERT_EQ(timed.runs.size(), untimed.launches.size());
      for (std::size_t i = 0; i < timed.runs.size(); ++i) {
        const auto& expected = untimed.launches[i].result;
        EXPECT_EQ(timed.runs[i].warp_instructions, expected.warp_instructions);
        EXPECT_EQ(timed.runs[i].thread_instructions, expected.thread_instructions);
      }
    }
  }
}

TEST_P(LookaheadPolicy, GivesSameRunForAnyNumberOfHostThreads) {
  const Machine machine = load_machine("preexec", {"lookahead.policy=" + GetParam()});
  for (const std::string& workload : tested_workloads({"matrix-multiply", "bfs", "reduction"})) {
    SCOPED_TRACE(workload);
    const WorkloadOnChip first = run_on_chip(machine, workload);
    for (const std::uint32_t threads : {2U, 4U}) {
      const WorkloadOnChip again = run_on_chip(machine, workload, {.threads = threads});
      EXPECT_EQ(difference(first.runs, again.runs, first.counters), "") << threads;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, LookaheadPolicy, testing::Values("run-ahead", "execute-ahead"),
                         [](const auto& tested) { return as_test_name(tested.param); });

TEST(Lookahead, WarpsThatFollowInTheSlotAreNotDisturbed) {
  // One block of one warp is resident at a time. Each waits for one line, and preloads two others,
  // which arrive when the context that asked for them has been thrown away.
  const std::string copy = device::test::kernel_of(R"(
  ld.volatile.global.u32 %r5, [%rd2];
  add.u32 %r6, %r5, 1;
  mul.wide.u32 %rd3, %r1, 128;
  add.u64 %rd4, %rd1, %rd3;
  ld.global.u32 %r7, [%rd4+65536];
  ld.global.u32 %r8, [%rd4+131072];
  add.u32 %r6, %r6, %r7;
  add.u32 %r6, %r6, %r8;
  add.u32 %r6, %r6, %r1;
  st.global.u32 [%rd2], %r6;
  ret;)");
  for (const std::string policy : {"run-ahead", "execute-ahead"}) {
    ChipRun run(copy,
                Settings{"chip.sms=1", "sm.warps=1", "l1.mshrs=4", "lookahead.policy=" + policy});
    const device::DevicePointer words = run.zeros<std::uint32_t>(1 << 18);
    run.launch("k", {20}, {32}, words);
    const std::vector<std::uint32_t> result = run.download<std::uint32_t>(words, 20 * 32);
    for (std::uint32_t i = 0; i < result.size(); ++i) EXPECT_EQ(result[i], i + 1) << policy;
    EXPECT_GE(run.counter("lookahead.contexts"), 20U);
  }
}

/// The message with which a machine with these settings is rejected.
std::string rejection(const Settings& settings) {
  try {
    machine_of(Settings{"lookahead.policy=run-ahead"} + settings);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Lookahead, RejectsMachinesOnWhichItDoesNotWork) {
  EXPECT_EQ(rejection({}), "");
  EXPECT_THAT(rejection({"divergence.policy=large-warp", "divergence.large_warp=256"}),
              HasSubstr("divergence.policy 'large-warp': the second context is a copy"));
  EXPECT_THAT(rejection({"dependence.policy=stall-on-miss"}),
              HasSubstr("dependence.policy 'stall-on-miss': a warp that runs ahead must know"));
  EXPECT_THAT(rejection({"units.bypass=yes"}), HasSubstr("units.bypass 'yes': when a register"));
  EXPECT_THAT(rejection({"redundancy.policy=observe-only"}),
              HasSubstr("redundancy.policy 'observe-only': it observes the values"));
  EXPECT_THAT(rejection({"branch.policy=static"}),
              HasSubstr("branch.policy 'static': a warp has one buffer"));
  EXPECT_THAT(rejection({"operands.policy=register-cache", "operands.active_only=no"}),
              HasSubstr("operands.policy 'register-cache': the levels above"));
}

}  // namespace
}  // namespace heddle::gpu::test
