// Blocks whose warps start at different times, as resources become free (see half_blocks.h).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/error.h"
#include "device/ptx_text.h"
#include "exec/fault/fault.h"
#include "gpu/divergence_setups.h"
#include "gpu/half_blocks.h"
#include "gpu/timing/probe.h"
#include "gpu/turning_kernel.h"
#include "gpu/workload_on_chip.h"

namespace heddle::gpu::test {
namespace {

using device::test::kernel_of;
using device::test::module_of;
using testing::AllOf;
using testing::HasSubstr;

/// Two schedulers with a pipe each, so that warps in neighbouring warp slots do not delay each
/// other.
const Settings kTwoSchedulers{"schedule.schedulers=2", "units.integer.pipes=2",
                              "units.fp32.pipes=2"};

/// Machines with half blocks, under every divergence policy that is compatible with them.
std::vector<DivergenceSetup> setups_with_half_blocks() {
  return {{"warpman", kHalfBlocks},
          {"preexec", kHalfBlocks},
          {"large-warps", kHalfBlocks},
          {"large-warps", kHalfBlocks + kMajority},
          {"large-warps", kHalfBlocks + kPostDominator}};
}

void expect_all_stored(ChipRun& run, device::DevicePointer out, std::uint32_t threads) {
  const auto words = run.download<std::uint32_t>(out, threads);
  for (std::uint32_t i = 0; i < threads; ++i) ASSERT_EQ(words[i], i + 1);
}

std::map<std::uint32_t, sm::WarpLifetime> lifetimes_by_warp(const KernelRun& run) {
  std::map<std::uint32_t, sm::WarpLifetime> found;
  for (const sm::WarpLifetime& lifetime : run.lifetimes) found[lifetime.warp] = lifetime;
  return found;
}

// -- start of warps -----------------------------------------------------------------------------

TEST(PartialBlocks, StartRemainingWarpsInOrderAsOthersEnd) {
  // Warps 0 and 1 run for long. Whenever one of the others ends, the next warp starts.
  ChipRun run(turning_kernel("setp.lt.u32 %p2, %r6, 2;\n selp.u32 %r7, 900, 40, %p2;"),
              machine_of(kPlain + kHalfBlocks), {.note_lifetimes = true});
  const auto out = run.zeros<std::uint32_t>(192);
  run.launch("k", {1}, {192}, out);
  expect_all_stored(run, out, 192);
  auto warps = lifetimes_by_warp(run.last_launch());
  ASSERT_EQ(warps.size(), 6U);
  std::vector<Cycle> ends;
  for (std::uint32_t w = 0; w < 3; ++w) {
    EXPECT_EQ(warps[w].begin.number, run.chip().machine().dispatch.latency);
  }
  for (const auto& [number, warp] : warps) ends.push_back(warp.end);
  std::sort(ends.begin(), ends.end());
  for (std::uint32_t w = 3; w < 6; ++w) {
    EXPECT_EQ(warps[w].begin, ends[w - 3] + Cycles(1)) << "warp " << w;
  }
  EXPECT_EQ(Cycle(run.cycles()), ends.back());
}

TEST(PartialBlocks, StartAWarpInTheCycleAfterAnEnd) {
  // Warp 0 ends early, warp 1 runs for long on another scheduler. Words 0 to 2 are the warps' first
  // clocks; word 64 is the last clock of warp 0.
  ChipRun run(module_of(R"(
.visible .entry k(.param .u64 p)
{
  .reg .pred %p<4>;
  .reg .b32 %r<20>;
  .reg .b64 %rd<8>;
  mov.u32 %r1, %clock;
  mov.u32 %r2, %tid.x;
  shr.u32 %r2, %r2, 5;
  ld.param.u64 %rd1, [p];
  mul.wide.u32 %rd2, %r2, 4;
  add.u64 %rd2, %rd1, %rd2;
  st.global.u32 [%rd2], %r1;
  setp.ne.u32 %p1, %r2, 1;
  mov.u32 %r4, 500;
LOOP:
  @%p1 bra DONE;
  sub.u32 %r4, %r4, 1;
  setp.eq.u32 %p1, %r4, 0;
  bra LOOP;
DONE:
  mov.u32 %r5, %clock;
  st.global.u32 [%rd2+256], %r5;
  ret;
}
)"),
              kPlain + kHalfBlocks + kTwoSchedulers);
  const auto out = run.zeros<std::uint32_t>(128);
  run.launch("k", {1}, {96}, out);
  const auto words = run.download<std::uint32_t>(out, 128);
  // The store waits 8 cycles for the clock value. The exit issues in the next cycle, and the warp
  // ends a cycle later. Warp 2 starts in the cycle after that, and its fetch takes one cycle.
  EXPECT_EQ(words[2], words[64] + 8 + 1 + 1 + 1 + 1);
  EXPECT_LT(words[2], words[65]);
}

TEST(PartialBlocks, ReusePlacesOfWarpsOfOtherBlocks) {
  // Each of two blocks has two warps, of which only the first starts at once. The first warp of
  // block 1 ends much later than that of block 0.
  ChipRun run(turning_kernel("mul.lo.u32 %r7, %r2, 1000;"),
              machine_of(kPlain + kHalfBlocks + Settings{"sm.warps=2", "sm.blocks=2"}),
              {.note_lifetimes = true});
  const auto out = run.zeros<std::uint32_t>(128);
  run.launch("k", {2}, {64}, out);
  expect_all_stored(run, out, 128);
  std::map<std::pair<std::uint64_t, std::uint32_t>, sm::WarpLifetime> warps;
  for (const sm::WarpLifetime& warp : run.last_launch().lifetimes) {
    warps[{warp.block, warp.warp}] = warp;
  }
  ASSERT_EQ(warps.size(), 4U);
  EXPECT_EQ((warps[{0, 1}].begin), (warps[{0, 0}].end + Cycles(1)));
  EXPECT_EQ((warps[{1, 1}].begin), (warps[{0, 1}].end + Cycles(1)));
  EXPECT_LT((warps[{1, 1}].begin), (warps[{1, 0}].end));
}

TEST(PartialBlocks, StartAWarpAfterAnEndInAnyCycleOfAnEpoch) {
  // A warp ends when its second load returns, and this load waits for the first load's bank
  // conflicts. An epoch, the time for which the chip's components run independently, has 20 cycles
  // here. The dispatch latencies move the warp's end through all of them.
  const std::string ptx = kernel_of(R"(
  mov.u32 %r10, s;
  shl.b32 %r11, %r4, 7;
  and.b32 %r11, %r11, 4095;
  add.u32 %r11, %r10, %r11;
  ld.volatile.shared.u32 %r5, [%r11];
  ld.volatile.shared.u32 %r6, [%r10];
  ret;)",
                                    ".shared .align 4 .b32 s[1024];\n");
  for (std::uint32_t latency = 20; latency < 40; ++latency) {
    SCOPED_TRACE(latency);
    const Settings settings{"interconnect.latency=10", "scratchpad.latency=1",
                            "dispatch.latency=" + std::to_string(latency)};
    ChipRun run(ptx, machine_of(kPlain + kHalfBlocks + settings), {.note_lifetimes = true});
    run.launch("k", {1}, {64}, run.zeros<std::uint32_t>(64));
    const auto warps = lifetimes_by_warp(run.last_launch());
    ASSERT_EQ(warps.size(), 2U);
    EXPECT_EQ(warps.at(1).begin, warps.at(0).end + Cycles(1));
  }
}

// -- barriers -----------------------------------------------------------------------------------

/// A probe for a block of three warps. Warp 0 ends at once, so that warp 2 starts. Between two
/// reads of the clock, warp 1 executes `early` and warp 2 executes `late`.
Probe meeting(const std::string& early, const std::string& late) {
  return {.setup = "setp.eq.u32 %p1, %warp, 0;\nsetp.eq.u32 %p2, %warp, 2;\n",
          .body = clock(0) + clock(1) + "@%p1 bra done;\n@%p2 bra late;\n" + clock(0) + early +
                  clock(1) + "bra done;\nlate:\n" +
                  repeat(50, "mad.lo.u32 %r1, %r1, %lane, %lane;\n") + clock(0) + late + clock(1) +
                  "done:\n",
          .keep = {"%r1"}};
}

TEST(PartialBlocks, WaitAtANamedBarrierForALaterWarp) {
  for (const std::uint32_t latency : {1U, 9U, 100U}) {
    SCOPED_TRACE(latency);
    const ProbeRun run(meeting("bar.sync 1, 64;\n", "bar.sync 1, 64;\n"),
                       kHalfBlocks + Settings{"barrier.latency=" + std::to_string(latency)}, 3);
    EXPECT_GT(run.stamp(0, 2), run.stamp(0, 1) + 200) << "warp 2 starts and arrives much later";
    // The last warp reaches the barrier a cycle after it reads the clock. The two released warps
    // continue in successive cycles.
    const std::uint32_t released = run.stamp(0, 2) + 1 + latency;
    EXPECT_EQ(std::min(run.stamp(1, 1), run.stamp(1, 2)), released);
    EXPECT_EQ(std::max(run.stamp(1, 1), run.stamp(1, 2)), released + 1);
  }
}

TEST(PartialBlocks, LetALateWarpArriveWithoutWaiting) {
  const ProbeRun run(meeting("bar.sync 1, 64;\n", "bar.arrive 1, 64;\n"),
                     kHalfBlocks + kTwoSchedulers + Settings{"barrier.latency=9"}, 3);
  EXPECT_EQ(run.stamp(1, 1), run.stamp(0, 2) + 1 + 9);
  EXPECT_EQ(run.cycles(0, 2), 1 + 9);
}

TEST(PartialBlocks, WaitAtABarrierForWarpsThatHaveNotStarted) {
  // Warp 0 ends. Warps 1 and 2 meet at the barrier, and each then writes the other's value.
  const std::string ptx = kernel_of(R"(
  mov.u32 %r10, s;
  setp.lt.u32 %p1, %r4, 32;
  @%p1 exit;
  shl.b32 %r11, %r4, 2;
  add.u32 %r11, %r10, %r11;
  add.u32 %r12, %r1, 1000;
  st.shared.u32 [%r11], %r12;
  bar.sync 0;
  xor.b32 %r13, %r4, 96;
  shl.b32 %r13, %r13, 2;
  add.u32 %r13, %r10, %r13;
  ld.shared.u32 %r14, [%r13];
  st.global.u32 [%rd2], %r14;
  ret;)",
                                    ".shared .align 4 .b32 s[128];\n");
  for (const DivergenceSetup& setup : setups_with_half_blocks()) {
    SCOPED_TRACE(setup.name());
    ChipRun run(ptx, setup.load(), {.max_cycles = 1'000'000});
    const auto out = run.zeros<std::uint32_t>(96 * 20);
    run.launch("k", {20}, {96}, out);
    const auto words = run.download<std::uint32_t>(out, 96 * 20);
    for (std::uint32_t i = 0; i < words.size(); ++i) {
      const std::uint32_t thread = i % 96;
      const std::uint32_t other = i - thread + (thread ^ 96U);
      ASSERT_EQ(words[i], thread < 32 ? 0 : other + 1000) << i;
    }
  }
}

TEST(PartialBlocks, DeadlockWhenAllStartedWarpsWaitForUnstartedOnes) {
  for (const DivergenceSetup& setup : setups_with_half_blocks()) {
    SCOPED_TRACE(setup.name());
    std::optional<std::string> first;
    for (const std::uint32_t threads : {1U, 2U, 3U}) {
      ChipRun run(kernel_of("bar.sync 0;\n st.global.u32 [%rd2], %r1;\n ret;"), setup.load(),
                  {.threads = threads, .max_cycles = 1'000'000});
      const auto out = run.zeros<std::uint32_t>(256);
      try {
        run.launch("k", {2}, {128}, out);
        ADD_FAILURE() << "expected a deadlock, but the kernel completed";
      } catch (const exec::SimulatedFault& fault) {
        EXPECT_EQ(fault.kind(), exec::FaultKind::deadlock);
        EXPECT_THAT(fault.what(),
                    AllOf(HasSubstr("block (0,0,0) can never finish"),
                          HasSubstr("barrier 0: 64 of 128 threads have arrived"),
                          HasSubstr("waiting: warps 0 to 1; not waiting there: warps 2 to 3"),
                          HasSubstr("waiting at barrier 0 since cycle"),
                          HasSubstr("not started, as there is no room for it: block (0,0,0), "
                                    "warps 2 to 3"),
                          HasSubstr("0 of 4 warps have finished")));
        EXPECT_EQ(first.value_or(fault.what()), fault.what());
        first = fault.what();
      }
    }
  }
}

TEST(PartialBlocks, DescribeWarpStatesInADeadlock) {
  // Warp 0 ends; warps 1 and 2 wait for warp 3, which cannot start.
  ChipRun run(kernel_of("setp.lt.u32 %p1, %r4, 32;\n @%p1 exit;\n bar.sync 0;\n ret;"),
              machine_of(kHalfBlocks));
  try {
    run.launch("k", {1}, {128}, run.zeros<std::uint32_t>(128));
    ADD_FAILURE() << "expected a deadlock, but the kernel completed";
  } catch (const exec::SimulatedFault& fault) {
    EXPECT_THAT(fault.what(), AllOf(HasSubstr("barrier 0: 64 of 96 threads have arrived"),
                                    HasSubstr("1 of 4 warps have finished"),
                                    HasSubstr(": block (0,0,0), warps 1 to 2\n"),
                                    HasSubstr("not started, as there is no room for it: block "
                                              "(0,0,0), warp 3")));
  }
}

// -- results and counters ----------------------------------------------------------------------

TEST(PartialBlocks, StartAndEndEveryWarpOnce) {
  const std::string ptx = turning_kernel("mul.lo.u32 %r7, %r1, 7919;\n and.b32 %r7, %r7, 63;");
  for (const DivergenceSetup& setup : setups_with_half_blocks()) {
    SCOPED_TRACE(setup.name());
    for (const std::uint32_t threads : {32U, 160U, 1024U}) {
      SCOPED_TRACE(threads);
      constexpr std::uint32_t kBlocks = 37;
      ChipRun run(ptx, setup.load(), {.note_lifetimes = true});
      const auto out = run.zeros<std::uint32_t>(kBlocks * threads);
      const KernelRun& done = run.launch("k", {kBlocks}, {threads}, out);
      expect_all_stored(run, out, kBlocks * threads);
      ASSERT_EQ(done.lifetimes.size(), kBlocks * threads / 32);
      std::uint64_t cycles = 0;
      for (const sm::WarpLifetime& lifetime : done.lifetimes) {
        cycles += (lifetime.end - lifetime.begin).count;
      }
      const Machine& machine = run.chip().machine();
      EXPECT_EQ(run.counter("sm.resident_warp_cycles"), cycles);
      EXPECT_EQ(sum_of(done, run.chip().counters(), "scheduler."),
                done.cycles.count * machine.chip.sms * machine.sm.schedule.schedulers);
      if (machine.sm.divergence.policy == "stack") {
        EXPECT_EQ(sum_of(done, run.chip().counters(), "warp."), cycles);
      }
      EXPECT_LE(run.counter("sm.resident_warp_cycles"),
                run.counter("sm.active_cycles") * machine.sm.residency.warps);
      EXPECT_LE(run.counter("sm.register_cycles"),
                run.counter("sm.active_cycles") * machine.sm.residency.registers);
    }
  }
}

TEST(PartialBlocks, AllowBlocksLargerThanAMultiprocessor) {
  // A block has 32 warps with 64 registers per thread. The multiprocessor has warp slots or
  // registers for 16 warps.
  const ChipOptions options{.registers = [](const code::FunctionInfo&) { return 64U; }};
  for (const char* limit : {"sm.warps=16", "sm.registers=32768"}) {
    SCOPED_TRACE(limit);
    ChipRun run(turning_kernel("mov.u32 %r7, %r6;"),
                machine_of(kHalfBlocks + Settings{"chip.sms=2", "sm.registers=131072", limit}),
                options);
    const auto out = run.zeros<std::uint32_t>(5 * 1024);
    run.launch("k", {5}, {1024}, out);
    expect_all_stored(run, out, 5 * 1024);
    EXPECT_EQ(run.last_launch().occupancy.blocks, 1U);
    // The limiting resource is fully used, except between a warp's end and the next warp's start,
    // and at the end of a block.
    EXPECT_GT(run.counter("sm.resident_warp_cycles"), run.counter("sm.active_cycles") * 8);
    EXPECT_LE(run.counter("sm.resident_warp_cycles"), run.counter("sm.active_cycles") * 16);
    EXPECT_LE(run.counter("sm.register_cycles"), run.counter("sm.active_cycles") * 32768);
  }
}

TEST(PartialBlocks, RunWorkloadsCorrectlyForAnyNumberOfHostThreads) {
  std::vector<std::string> workloads{"bfs", "stencil"};
  if (!kSanitized) {
    workloads.insert(workloads.end(), {"vector-add", "black-scholes", "ray-tracing"});
  }
  for (const DivergenceSetup& setup : setups_with_half_blocks()) {
    SCOPED_TRACE(setup.name());
    const Machine machine = setup.load();
    for (const std::string& workload : workloads) {
      SCOPED_TRACE(workload);
      const WorkloadOnChip one = run_on_chip(machine, workload);
      EXPECT_TRUE(one.result.check.passed());
      const workload::RunResult untimed = run_untimed(machine, workload);
      ASSERT_EQ(one.runs.size(), untimed.launches.size());
      for (std::size_t i = 0; i < one.runs.size(); ++i) {
        EXPECT_EQ(one.runs[i].thread_instructions, untimed.launches[i].result.thread_instructions);
      }
      for (const std::uint32_t threads : host_threads({2, 3})) {
        const WorkloadOnChip more = run_on_chip(machine, workload, {.threads = threads});
        EXPECT_EQ(difference(one.runs, more.runs, one.counters), "") << threads << " threads";
      }
    }
  }
}

TEST(PartialBlocks, RejectLargeWarps) {
  try {
    machine_of(kHalfBlocks + large_warps_of(256));
    ADD_FAILURE() << "expected an error: large warps need whole blocks";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("'large-warp'"), HasSubstr("'half-blocks'"),
                                    HasSubstr("would neither start nor end together")));
  }
}

}  // namespace
}  // namespace heddle::gpu::test
