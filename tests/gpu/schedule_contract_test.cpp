// The contract of scheduling policies: when they are called, what they see of their multiprocessor,
// and how their counters are reported. The policies are those of watching_policies.cpp.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device/ptx_text.h"
#include "exec/fault/fault.h"
#include "gpu/chip_run.h"
#include "gpu/traced_run.h"
#include "gpu/workload_on_chip.h"

namespace heddle::gpu::test {
namespace {

const Settings kOne{"chip.sms=1", "schedule.schedulers=1"};

Settings withhold_until(std::uint64_t cycle) {
  return {"schedule.policy=withhold-until", "schedule.until=" + std::to_string(cycle)};
}

std::string storing_kernel() { return device::test::kernel_of("st.global.u32 [%rd2], %r1;\nret;"); }

/// A run of one warp, which stores once.
class StoringWarp : public ChipRun {
 public:
  explicit StoringWarp(const Settings& settings) : ChipRun(storing_kernel(), kOne + settings) {
    launch("k", {1}, {32}, zeros<std::uint32_t>(32));
  }
};

void expect_adds_up(ChipRun& run) {
  const Machine& machine = run.chip().machine();
  EXPECT_EQ(sum_of(run.last_launch(), run.chip().counters(), "warp."),
            run.counter("sm.resident_warp_cycles"));
  EXPECT_EQ(sum_of(run.last_launch(), run.chip().counters(), "scheduler."),
            run.cycles() * machine.chip.sms * machine.sm.schedule.schedulers);
}

TEST(TimedSchedulingPolicy, ReleasesWarpsExactlyAtItsCycle) {
  // The warp is ready long before, and nothing else happens on the chip. The chip's components run
  // independently for one epoch at a time. The tested cycles span several epochs, so that some are
  // the first or the last of an epoch.
  const std::uint64_t first = 2000;
  const std::uint64_t launch = StoringWarp(withhold_until(first)).cycles();
  for (std::uint64_t cycle = first; cycle < first + 250; ++cycle) {
    const StoringWarp run(withhold_until(cycle));
    ASSERT_EQ(run.counter("schedule.released_at"), cycle);
    ASSERT_LT(run.counter("schedule.withheld_at"), cycle);
    ASSERT_EQ(run.cycles(), launch + (cycle - first)) << cycle;
  }
}

TEST(TimedSchedulingPolicy, ReleasesWarpsExactlyInsideAnActiveSet) {
  const std::uint64_t launch = StoringWarp(withhold_until(2000)).cycles();
  for (const std::uint64_t cycle : {2000U, 2033U, 2099U, 2100U, 2101U}) {
    const StoringWarp run(withhold_until(cycle) +
                          Settings{"schedule.policy=active-set", "schedule.inner=withhold-until"});
    EXPECT_EQ(run.counter("schedule.released_at"), cycle);
    EXPECT_EQ(run.cycles(), launch + (cycle - 2000));
  }
}

TEST(TimedSchedulingPolicy, IsCalledOnTimeWhileTheChipIsIdle) {
  // One load takes thousands of cycles. Without the policy, the chip would skip these cycles.
  ChipRun run(
      device::test::kernel_of(
          "ld.global.u32 %r5, [%rd2];\nadd.u32 %r5, %r5, 1;\nst.global.u32 [%rd2], %r5;\nret;"),
      kOne +
          Settings{"dram.overhead=20000", "schedule.policy=miss-throttle", "schedule.period=777"});
  const auto out = run.zeros<std::uint32_t>(32);
  run.launch("k", {1}, {32}, out);
  EXPECT_GT(run.cycles(), 20000U);
  EXPECT_EQ(run.counter("schedule.late"), 0U);
  EXPECT_GE(run.counter("schedule.looks") + 1, run.cycles() / 777);
}

TEST(TimedSchedulingPolicy, DoesNotHideADeadlock) {
  // Two warps, each at a different barrier that needs both.
  ChipRun run(device::test::kernel_of("setp.ge.u32 %p1, %r4, 32;\n@%p1 bra OTHER;\n"
                                      "bar.sync 0, 64;\nret;\nOTHER:\nbar.sync 1, 64;\nret;"),
              kOne + Settings{"schedule.policy=miss-throttle", "schedule.period=10"});
  const auto out = run.zeros<std::uint32_t>(64);
  try {
    run.launch("k", {1}, {64}, out);
    FAIL() << "expected a deadlock: neither barrier can complete";
  } catch (const exec::SimulatedFault& fault) {
    EXPECT_EQ(fault.kind(), exec::FaultKind::deadlock);
  }
}

// -- view of the multiprocessor

/// Each thread loads four times from its own lines; each load waits for the one before.
std::string streaming_kernel() {
  std::string body = "mul.wide.u32 %rd3, %r1, 512;\nadd.u64 %rd3, %rd1, %rd3;\nmov.u32 %r7, 0;\n";
  for (int i = 0; i < 4; ++i) {
    body += "ld.global.u32 %r5, [%rd3+" + std::to_string(i * 128) + "];\n";
    body += "add.u32 %r7, %r7, %r5;\ncvt.u64.u32 %rd4, %r5;\nadd.u64 %rd3, %rd3, %rd4;\n";
  }
  return device::test::kernel_of(body + "st.global.u32 [%rd2], %r7;\nret;");
}

class Streaming {
 public:
  Streaming(std::uint32_t threads, const Settings& settings)
      : run(streaming_kernel(),
            machine_of(kOne + Settings{"icache.bytes=0", "schedule.policy=miss-throttle"} +
                       settings),
            {.trace = trace_.trace()}) {
    run.launch("k", {1}, {threads}, run.zeros<std::uint32_t>(threads * 128));
    events = trace_.events();
  }

 private:
  TraceText trace_;

 public:
  ChipRun run;
  std::vector<TracedEvent> events;
};

TEST(SchedulingPolicyViewOfL1, IsExactInTheCycleOfTheLook) {
  // The policy looks at the L1 every 11 cycles and counts what it sees. No line is loaded twice, so
  // there are no hits. A load occupies the L1 for 32 cycles, so several looks fall into one load.
  for (const char* throttle : {"schedule.most_misses=1000000", "schedule.most_misses=8"}) {
    for (const std::uint32_t threads : {32U, 256U}) {
      SCOPED_TRACE(std::string(throttle) + ", " + std::to_string(threads));
      const std::uint64_t period = 11;
      Streaming streamed(threads, {"schedule.period=11", throttle});
      std::set<std::uint64_t> distinct_misses;
      for (std::uint64_t look = 1; look < 64; ++look) {
        const auto before = [&](std::string_view event) {
          return static_cast<std::uint64_t>(std::count_if(
              streamed.events.begin(), streamed.events.end(), [&](const TracedEvent& each) {
                return each.event == event && each.cycle < look * period;
              }));
        };
        const auto seen = [&](const std::string& what) {
          return streamed.run.counter("schedule." + what + "_" + std::to_string(look));
        };
        ASSERT_EQ(seen("misses"), before("l1_miss")) << look;
        ASSERT_EQ(seen("accesses"), before("l1_miss") + before("l1_merged")) << look;
        ASSERT_EQ(seen("hits"), 0U) << look;
        distinct_misses.insert(seen("misses"));
      }
      EXPECT_GE(distinct_misses.size(), 4U);
      EXPECT_EQ(streamed.run.counter("schedule.late"), 0U);
    }
  }
}

TEST(SchedulingPolicyViewOfL1, AllowsThrottlingOfLoads) {
  Streaming unthrottled(1024, {"schedule.period=131"});
  Streaming throttled(1024, {"schedule.period=131", "schedule.most_misses=8"});
  EXPECT_EQ(unthrottled.run.counter("warp.withheld"), 0U);
  EXPECT_GT(throttled.run.counter("warp.withheld"), 0U);
  EXPECT_EQ(unthrottled.run.counter("l1.misses"), throttled.run.counter("l1.misses"));
  expect_adds_up(unthrottled.run);
  expect_adds_up(throttled.run);
}

TEST(SchedulingPolicyViewOfL1, DoesNotChangeTheSimulation) {
  for (const char* machine : {"warpman", "preexec"}) {
    for (const std::string& workload : tested_workloads({"bfs", "histogram", "reduction"})) {
      SCOPED_TRACE(std::string(machine) + ", " + workload);
      const WorkloadOnChip blind =
          run_on_chip(load_machine(machine, {"schedule.policy=round-robin"}), workload);
      const WorkloadOnChip watching =
          run_on_chip(load_machine(machine, {"schedule.policy=onlooker"}), workload);
      EXPECT_EQ(difference(blind.runs, watching.runs, blind.counters), "");
    }
  }
}

TEST(SchedulingPolicyViewOfWarps, ReportsReadyWarpsAndReasonsOfWaits) {
  // The first of four warps loads; the others wait for it at a barrier.
  ChipRun run(device::test::kernel_of(R"(
  setp.ge.u32 %p1, %r4, 32;
  @%p1 bra MEET;
  ld.global.u32 %r5, [%rd2];
  add.u32 %r5, %r5, 1;
  st.global.u32 [%rd2], %r5;
MEET:
  bar.sync 0;
  ret;)"),
              kOne + Settings{"dram.overhead=20000", "schedule.policy=miss-throttle",
                              "schedule.period=1000"});
  const auto out = run.zeros<std::uint32_t>(128);
  run.launch("k", {1}, {128}, out);
  EXPECT_EQ(run.counter("schedule.ready_4"), 0U);
  EXPECT_EQ(run.counter("schedule.at_barrier_4"), 3U);
  EXPECT_EQ(run.counter("schedule.for_memory_4"), 1U);
}

TEST(SchedulingPolicyViewOfWarps, DistinguishesLoadsFromStores) {
  const std::string ptx = device::test::kernel_of(
      "st.global.u32 [%rd2], %r1;\nld.global.u32 %r5, [%rd2+256];\n"
      "st.global.u32 [%rd2+256], %r5;\nret;");
  const auto first_event = [&](const Settings& settings, std::string_view name) {
    TraceText trace;
    ChipRun run(ptx, machine_of(kOne + withhold_until(5000) + settings), {.trace = trace.trace()});
    const auto out = run.zeros<std::uint32_t>(128);
    run.launch("k", {1}, {32}, out);
    const auto events = trace.events();
    const auto found = std::find_if(events.begin(), events.end(), [&](const TracedEvent& event) {
      return event.event == name && event.cause == "global";
    });
    return found == events.end() ? 0 : found->cycle;
  };
  const Settings loads{"schedule.only_loads=true"};
  EXPECT_GE(first_event({}, "lsu_store"), 5000U);
  EXPECT_GE(first_event({}, "lsu_load"), 5000U);
  EXPECT_LT(first_event(loads, "lsu_store"), 1000U);
  EXPECT_GE(first_event(loads, "lsu_load"), 5000U);
}

TEST(SchedulingPolicy, IsNotifiedOfLongWaits) {
  const auto waits = [](const std::string& body) {
    ChipRun run(device::test::kernel_of(body), kOne + withhold_until(0));
    const auto out = run.zeros<std::uint32_t>(64);
    run.launch("k", {1}, {64}, out);
    return std::pair(run.counter("schedule.barrier_waits"), run.counter("schedule.other_waits"));
  };
  const auto at_barrier = waits("bar.sync 0;\nret;");
  const auto for_memory =
      waits("ld.global.u32 %r5, [%rd2];\nadd.u32 %r5, %r5, 1;\nst.global.u32 [%rd2], %r5;\nret;");
  EXPECT_EQ(at_barrier.first, 3U)
      << "the first warp waits for the second, and both wait for the latency";
  EXPECT_EQ(for_memory.first, 0U);
  EXPECT_GE(for_memory.second, at_barrier.second + 2);
}

// -- counters

TEST(SchedulingPolicyCounters, AreSummedOverSchedulersAndMultiprocessors) {
  ChipRun run(storing_kernel(),
              withhold_until(0) + Settings{"chip.sms=3", "schedule.schedulers=4"});
  const auto out = run.zeros<std::uint32_t>(8 * 256);
  run.launch("k", {8}, {256}, out);
  EXPECT_EQ(run.counter("schedule.picked"), run.last_launch().warp_instructions);
  EXPECT_EQ(run.counter("schedule.picked"), run.counter("scheduler.selected"));
}

TEST(WithheldWarps, AreCountedAsWithheldOnly) {
  const StoringWarp earlier(withhold_until(3000));
  StoringWarp later(withhold_until(3500));
  EXPECT_GT(earlier.counter("warp.withheld"), 2000U);
  EXPECT_EQ(later.counter("warp.withheld"), earlier.counter("warp.withheld") + 500);
  EXPECT_EQ(later.counter("scheduler.withheld"), later.counter("warp.withheld"));
  EXPECT_EQ(later.counter("warp.not_selected"), 0U);
  for (const char* throttle : {"scheduler.lg_throttle", "scheduler.math_pipe_throttle"}) {
    EXPECT_EQ(later.counter(throttle), earlier.counter(throttle)) << throttle;
  }
  expect_adds_up(later);
}

TEST(WithheldWarps, AreThoseThatAnActiveSetPassesOver) {
  ChipRun run(device::test::kernel_of("add.u32 %r5, %r1, 1;\nadd.u32 %r6, %r1, 2;\n"
                                      "add.u32 %r7, %r5, %r6;\nst.global.u32 [%rd2], %r7;\nret;"),
              kOne + Settings{"schedule.policy=active-set", "schedule.active_warps=1"});
  const auto out = run.zeros<std::uint32_t>(256);
  run.launch("k", {1}, {256}, out);
  EXPECT_GT(run.counter("warp.withheld"), 0U);
  EXPECT_EQ(run.counter("warp.not_selected"), 0U)
      << "only one warp is active, so none loses arbitration";
  expect_adds_up(run);
}

}  // namespace
}  // namespace heddle::gpu::test
