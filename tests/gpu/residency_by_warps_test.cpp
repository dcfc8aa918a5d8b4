// Residency policies that allocate registers and warp slots per warp. The tests check when warps
// and blocks start, and that results do not change.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>

#include "device/ptx_text.h"
#include "exec/fault/fault.h"
#include "gpu/timing/probe.h"
#include "gpu/turning_kernel.h"
#include "gpu/workload_on_chip.h"

namespace heddle::gpu::test {
namespace {

using device::test::kernel_of;
using testing::AllOf;
using testing::HasSubstr;

/// Iteration counts for turning_kernel(): the warps of block 0 end one after another, and the warps
/// of later blocks end soon.
const std::string kStaggered = R"(
  mad.lo.u32 %r7, %r6, 150, 200;
  setp.gt.u32 %p2, %r2, 0;
  @%p2 mov.u32 %r7, 5;
)";

using Warps = std::map<std::pair<std::uint64_t, std::uint32_t>, sm::WarpLifetime>;

/// Runs turning_kernel(turns) on the plain machine with `settings`; returns the lifetimes of warps
/// by block and warp.
Warps lifetimes_of(const std::string& turns, const Settings& settings, std::uint32_t blocks,
                   std::uint32_t warps = 4) {
  ChipRun run(turning_kernel(turns), machine_of(kPlain + settings), {.note_lifetimes = true});
  run.launch("k", {blocks}, {warps * 32}, run.zeros<std::uint32_t>(blocks * warps * 32));
  Warps found;
  for (const sm::WarpLifetime& warp : run.last_launch().lifetimes) {
    found[{warp.block, warp.warp}] = warp;
  }
  EXPECT_EQ(found.size(), std::size_t{blocks} * warps);
  return found;
}

Settings residency(const std::string& policy) { return {"residency.policy=" + policy}; }

/// The first cycle in which at most `remaining` warps of the block are still running.
Cycle end_of_all_but(Warps& warps, std::uint64_t block, std::uint32_t remaining) {
  std::vector<Cycle> ends;
  for (const auto& [key, warp] : warps) {
    if (key.first == block) ends.push_back(warp.end);
  }
  std::sort(ends.begin(), ends.end());
  return ends[ends.size() - 1 - remaining];
}

/// Dispatch latencies that place the end of a warp in different cycles of an epoch, the time for
/// which the chip's components run independently. Here an epoch has 20 cycles.
std::vector<Settings> latencies() {
  std::vector<Settings> all;
  for (std::uint32_t latency = 20; latency < 40; latency += 3) {
    all.push_back({"interconnect.latency=10", "dispatch.latency=" + std::to_string(latency)});
  }
  return all;
}

// -- release by warps ---------------------------------------------------------------------------

TEST(WarpRelease, StartsABlockWhenEndedWarpsHaveFreedSpaceForAllItsWarps) {
  const ChipOptions options{.registers = [](const code::FunctionInfo&) { return 16U; }};
  // There are warp slots for six warps, or registers for seven. Two warps of block 0, or one, must
  // end before block 1 starts.
  for (const char* limit : {"sm.warps=6", "sm.registers=3584"}) {
    for (const Settings& latency : latencies()) {
      SCOPED_TRACE(limit + latency.back());
      ChipRun run(turning_kernel(kStaggered),
                  machine_of(kPlain + residency("warp-release") + Settings{limit} + latency),
                  {.note_lifetimes = true, .registers = options.registers});
      run.launch("k", {2}, {128}, run.zeros<std::uint32_t>(256));
      Warps warps;
      for (const sm::WarpLifetime& warp : run.last_launch().lifetimes) {
        warps[{warp.block, warp.warp}] = warp;
      }
      const Cycles dispatch(run.chip().machine().dispatch.latency);
      const std::uint32_t remaining = std::string(limit) == "sm.warps=6" ? 2 : 3;
      for (std::uint32_t w = 0; w < 4; ++w) {
        EXPECT_EQ((warps[{1, w}].begin), end_of_all_but(warps, 0, remaining) + dispatch);
      }
    }
  }
}

TEST(WarpRelease, KeepsBlockPlaceAndSharedMemoryToTheBlocksEnd) {
  Warps warps = lifetimes_of(kStaggered, residency("warp-release") + Settings{"sm.blocks=1"}, 2);
  EXPECT_EQ((warps[{1, 0}].begin), end_of_all_but(warps, 0, 0) + Cycles(100));
}

TEST(WarpRelease, BlockPolicyWaitsForTheLastWarp) {
  Warps warps = lifetimes_of(kStaggered, residency("block") + Settings{"sm.warps=6"}, 2);
  EXPECT_EQ((warps[{1, 0}].begin), end_of_all_but(warps, 0, 0) + Cycles(100));
}

// -- partial blocks -----------------------------------------------------------------------------

TEST(PartialBlock, StartsWarpsThatFitAndTheOthersAsWarpsEnd) {
  for (const Settings& latency : latencies()) {
    SCOPED_TRACE(latency.back());
    const Settings settings = residency("partial-block") + Settings{"sm.warps=6"} + latency;
    // The warps of block 1 run longest.
    Warps warps =
        lifetimes_of("mad.lo.u32 %r7, %r6, 150, 200;\nmad.lo.u32 %r7, %r2, 900, %r7;", settings, 2);
    const Cycle first = warps[{0, 0}].begin;
    EXPECT_EQ((warps[{1, 0}].begin), first);
    EXPECT_EQ((warps[{1, 1}].begin), first);
    EXPECT_EQ((warps[{1, 2}].begin), (warps[{0, 0}].end) + Cycles(1));
    EXPECT_EQ((warps[{1, 3}].begin), (warps[{0, 1}].end) + Cycles(1));
  }
}

TEST(PartialBlock, StartsTheNextBlockOnceThePendingWarpsHaveStarted) {
  for (const Settings& latency : latencies()) {
    SCOPED_TRACE(latency.back());
    const Settings settings = residency("partial-block") + Settings{"sm.warps=6"} + latency;
    Warps warps =
        lifetimes_of("mad.lo.u32 %r7, %r6, 150, 200;\nmad.lo.u32 %r7, %r2, 900, %r7;", settings, 3);
    const Cycles dispatch(machine_of(settings).dispatch.latency);
    EXPECT_EQ((warps[{2, 0}].begin), (warps[{0, 2}].end) + dispatch)
        << "the first two ends start pending warps of block 1";
    EXPECT_GT((warps[{2, 1}].begin), (warps[{2, 0}].begin));
    EXPECT_EQ((warps[{2, 1}].begin), (warps[{0, 3}].end) + Cycles(1));
  }
}

TEST(PartialBlock, NeedsABlockPlaceAndAllSharedMemory) {
  Warps warps = lifetimes_of(kStaggered,
                             residency("partial-block") + Settings{"sm.warps=6", "sm.blocks=1"}, 2);
  EXPECT_EQ((warps[{1, 0}].begin), end_of_all_but(warps, 0, 0) + Cycles(100));
}

TEST(PartialBlock, StartsNoWarpBeforeTheBlocksFirst) {
  // Warps of block 0 end while the dispatch of block 1 is in flight.
  Warps warps = lifetimes_of("mad.lo.u32 %r7, %r6, 3, 60;",
                             residency("partial-block") + Settings{"sm.warps=5"}, 6);
  for (std::uint64_t block = 0; block < 6; ++block) {
    for (std::uint32_t w = 1; w < 4; ++w) {
      EXPECT_GE((warps[{block, w}].begin), (warps[{block, 0}].begin)) << block;
    }
  }
}

TEST(PartialBlock, CompletesBarriersWithWarpsThatStartLater) {
  const std::string ptx =
      kernel_of("bar.sync 0;\n st.global.u32 [%rd2], %r1;\n bar.sync 0;\n ret;");
  for (const char* policy : {"partial-block", "partial-block-threshold", "partial-block-dueling"}) {
    for (const std::uint32_t warps : {2U, 3U, 5U, 8U}) {
      SCOPED_TRACE(policy + std::to_string(warps));
      const Settings settings{"chip.sms=3", "sm.warps=8", "residency.partial_block_warps=3",
                              "residency.duel_interval=150"};
      ChipRun run(ptx, machine_of(residency(policy) + settings), {.max_cycles = 1'000'000});
      const std::uint32_t threads = 40 * warps * 32;
      const auto out = run.zeros<std::uint32_t>(threads);
      run.launch("k", {40}, {warps * 32}, out);
      const auto words = run.download<std::uint32_t>(out, threads);
      for (std::uint32_t i = 0; i < threads; ++i) ASSERT_EQ(words[i], i);
    }
  }
}

TEST(PartialBlock, ReportsDeadlockOnWarpsThatCannotStart) {
  // A warp of block 0 waits at another barrier than the other warps of its block, so two warps of
  // block 1 never start.
  ChipRun run(kernel_of(R"(
  mov.u32 %r9, %ctaid.x;
  setp.eq.u32 %p1, %r9, 1;
  @%p1 bra LATER;
  setp.gt.u32 %p2, %r4, 95;
  @%p2 bra ELSEWHERE;
  bar.sync 1, 128;
ELSEWHERE:
  bar.sync 2, 128;
LATER:
  bar.sync 0;
  ret;)"),
              machine_of(kPlain + residency("partial-block") + Settings{"sm.warps=6"}));
  try {
    run.launch("k", {2}, {128}, run.zeros<std::uint32_t>(256));
    ADD_FAILURE() << "expected a deadlock, but the kernel completed";
  } catch (const exec::SimulatedFault& fault) {
    EXPECT_EQ(fault.kind(), exec::FaultKind::deadlock);
    EXPECT_THAT(fault.what(),
                AllOf(HasSubstr("barrier 1: 96 of 128 threads have arrived"),
                      HasSubstr("not started, as there is no room for it: block (1,0,0), warps 2 "
                                "to 3")));
  }
}

// -- limits on partial blocks -------------------------------------------------------------------

/// Iteration counts for turning_kernel(): block 1 runs longest.
const std::string kSecondBlockIsLonger =
    "mad.lo.u32 %r7, %r6, 150, 200;\nmad.lo.u32 %r7, %r2, 900, %r7;";

TEST(PartialBlockThreshold, LimitsWarpsStartedFromAPartialBlock) {
  // Block 0 occupies four of six warp slots, and the threshold is five resident warps. One warp of
  // block 1 starts at once, and one more each time a warp of block 0 ends.
  const Settings settings = residency("partial-block-threshold") +
                            Settings{"sm.warps=6", "residency.partial_block_warps=5"};
  Warps warps = lifetimes_of(kSecondBlockIsLonger, settings, 2);
  EXPECT_EQ((warps[{1, 0}].begin), (warps[{0, 0}].begin));
  EXPECT_EQ((warps[{1, 1}].begin), (warps[{0, 0}].end) + Cycles(1));
  EXPECT_EQ((warps[{1, 2}].begin), (warps[{0, 1}].end) + Cycles(1));
  EXPECT_EQ((warps[{1, 3}].begin), (warps[{0, 2}].end) + Cycles(1));
}

TEST(PartialBlockThreshold, StartsABlockAsAWholeIfItHasMoreWarpsThanTheThreshold) {
  // The threshold is three warps, and blocks have four. Block 1 cannot start partially: it starts
  // as a whole when two warps of block 0 have ended.
  const Settings settings =
      residency("partial-block-threshold") +
      Settings{"sm.warps=6", "residency.partial_block_warps=3", "residency.partial_block_reuse=no"};
  Warps warps = lifetimes_of(kSecondBlockIsLonger, settings, 2);
  EXPECT_EQ((warps[{1, 0}].begin), (warps[{0, 1}].end) + Cycles(100));
  EXPECT_EQ((warps[{1, 3}].begin), (warps[{1, 0}].begin));
}

TEST(PartialBlockThreshold, FillsThePlacesOfEndedWarpsOnRequest) {
  // Six warp slots hold one whole block of four warps. Above the threshold of three warps, warps of
  // block 1 take the places of those of block 0 that have ended.
  const Settings settings = residency("partial-block-threshold") +
                            Settings{"sm.warps=6", "residency.partial_block_warps=3",
                                     "residency.partial_block_reuse=yes"};
  Warps warps = lifetimes_of(kSecondBlockIsLonger, settings, 2);
  EXPECT_EQ((warps[{1, 0}].begin), (warps[{0, 0}].end) + Cycles(100));
  EXPECT_EQ((warps[{1, 1}].begin), (warps[{0, 1}].end) + Cycles(1));
  EXPECT_EQ((warps[{1, 2}].begin), (warps[{0, 2}].end) + Cycles(1));
  EXPECT_EQ((warps[{1, 3}].begin), (warps[{0, 3}].end) + Cycles(1));
}

TEST(PartialBlockThreshold, DoesNotLimitWholeBlocks) {
  const Settings settings = residency("partial-block-threshold") +
                            Settings{"sm.warps=8", "residency.partial_block_warps=4"};
  Warps warps = lifetimes_of(kStaggered, settings, 2);
  EXPECT_EQ((warps[{1, 3}].begin), (warps[{0, 0}].begin));
}

TEST(PartialBlockReuse, UsesOnlyPlacesOfEndedWarps) {
  // Warp slots or registers for six warps hold one whole block of four warps. Block 1 may use only
  // what ended warps of block 0 have freed.
  const ChipOptions options{.note_lifetimes = true,
                            .registers = [](const code::FunctionInfo&) { return 16U; }};
  for (const char* limit : {"sm.warps=6", "sm.registers=3072"}) {
    for (const Settings& latency : latencies()) {
      SCOPED_TRACE(limit + latency.back());
      const Machine machine =
          machine_of(kPlain + residency("partial-block-reuse") + Settings{limit} + latency);
      ChipRun run(turning_kernel(kSecondBlockIsLonger), machine, options);
      run.launch("k", {2}, {128}, run.zeros<std::uint32_t>(256));
      Warps warps;
      for (const sm::WarpLifetime& warp : run.last_launch().lifetimes) {
        warps[{warp.block, warp.warp}] = warp;
      }
      EXPECT_EQ((warps[{1, 0}].begin), (warps[{0, 0}].end) + Cycles(machine.dispatch.latency));
      for (std::uint32_t w = 1; w < 4; ++w) {
        EXPECT_EQ((warps[{1, w}].begin),
                  std::max((warps[{0, w}].end) + Cycles(1), (warps[{1, 0}].begin)))
            << w;
      }
    }
  }
}

/// For each multiprocessor, the number of crowded warps: those whose start made more than four
/// warps (one whole block) resident.
std::vector<std::uint32_t> crowded_warps(ChipRun& run, std::uint32_t launches) {
  std::vector<std::uint32_t> crowded(run.chip().machine().chip.sms);
  const auto words = run.zeros<std::uint32_t>(120 * 128);
  for (std::uint32_t launch = 0; launch < launches; ++launch) {
    run.launch("k", {120 / launches}, {128}, words);
    const std::vector<sm::WarpLifetime>& warps = run.last_launch().lifetimes;
    for (const sm::WarpLifetime& each : warps) {
      const auto resident = std::count_if(warps.begin(), warps.end(), [&](const auto& other) {
        return other.sm == each.sm && other.begin <= each.begin && each.begin < other.end;
      });
      if (resident > 4) ++crowded[each.sm];
    }
  }
  return crowded;
}
std::vector<std::uint32_t> crowded_warps(const Settings& settings, const std::string& turns,
                                         std::uint32_t launches = 1) {
  const Machine machine =
      machine_of(kPlain + residency("partial-block-dueling") + Settings{"sm.warps=6"} + settings);
  ChipRun run(turning_kernel(turns), machine, {.note_lifetimes = true});
  return crowded_warps(run, launches);
}

TEST(PartialBlockDueling, DedicatesTwoMultiprocessorsAndLetsTheOthersFollow) {
  // Multiprocessor 0 always admits partial blocks, and multiprocessor 1 never does. The others
  // follow the one that executes more instructions; until the first comparison, they admit partial
  // blocks. Here more resident warps execute more instructions.
  const auto crowded =
      crowded_warps({"chip.sms=4", "residency.duel_interval=500"}, "mov.u32 %r7, 60;");
  EXPECT_GT(crowded[0], 5U);
  EXPECT_EQ(crowded[1], 0U);
  EXPECT_GT(crowded[2], 5U);
  EXPECT_GT(crowded[3], 5U);
}

/// Iteration counts for turning_kernel() with which partial blocks bring no gain. Multiprocessor 1,
/// which never admits partial blocks, executes more instructions because its blocks run longer.
const std::string kSecondExecutesMore = R"(
  mov.u32 %r7, 10;
  mov.u32 %r10, %smid;
  setp.eq.u32 %p2, %r10, 1;
  @%p2 mov.u32 %r7, 400;
  @%p2 bra LOOP;
  ld.volatile.global.u32 %r11, [%rd2];
  ld.volatile.global.u32 %r12, [%rd2];
  add.u32 %r7, %r12, %r7;
)";

TEST(PartialBlockDueling, FollowersStopWhenPartialBlocksDoNotPay) {
  const auto crowded =
      crowded_warps({"chip.sms=3", "residency.duel_interval=400"}, kSecondExecutesMore);
  const auto never_compared =
      crowded_warps({"chip.sms=3", "residency.duel_interval=1000000"}, kSecondExecutesMore);
  EXPECT_GT(crowded[0], 5U);
  EXPECT_EQ(crowded[1], 0U);
  EXPECT_LT(crowded[2], never_compared[2] / 4);
}

TEST(PartialBlockDueling, ContinuesAComparisonAcrossLaunches) {
  // Ten launches, each shorter than the interval.
  const auto crowded =
      crowded_warps({"chip.sms=3", "residency.duel_interval=20000"}, kSecondExecutesMore, 10);
  const auto never_compared =
      crowded_warps({"chip.sms=3", "residency.duel_interval=1000000"}, kSecondExecutesMore, 10);
  EXPECT_GT(crowded[0], 5U);
  EXPECT_EQ(crowded[1], 0U);
  EXPECT_GT(crowded[2], 0U) << "before the first comparison";
  EXPECT_LT(crowded[2], never_compared[2]);
}

TEST(PartialBlock, RunsMoreLongWarpsAtOnceThanWholeBlocks) {
  // Section 2 of the paper: one of a block's eight warps is long. With whole blocks, six long warps
  // run at once. If others may use the places of ended warps, the limit is the number of block
  // slots or of warp slots.
  const auto most_at_once = [](const std::string& policy, std::uint32_t blocks) {
    Warps warps = lifetimes_of(
        R"(
  setp.eq.u32 %p2, %r6, 0;
  mov.u32 %r7, 5;
  @%p2 mov.u32 %r7, 4000;
)",
        residency(policy) + Settings{"sm.warps=48", "sm.blocks=" + std::to_string(blocks)}, 100, 8);
    std::ptrdiff_t most = 0;
    for (const auto& [key, each] : warps) {
      if (key.second != 0) continue;
      most =
          std::max(most, std::count_if(warps.begin(), warps.end(), [&, &each = each](auto& other) {
                     return other.first.second == 0 && other.second.begin <= each.begin &&
                            each.begin < other.second.end;
                   }));
    }
    return most;
  };
  EXPECT_EQ(most_at_once("block", 8), 6);
  EXPECT_EQ(most_at_once("partial-block", 8), 8);
  EXPECT_EQ(most_at_once("partial-block", 48), 48);
  EXPECT_EQ(most_at_once("partial-block-reuse", 48), 48);
}

// -- programs -----------------------------------------------------------------------------------

class ResidencyByWarps : public testing::TestWithParam<const char*> {};

TEST_P(ResidencyByWarps, RunsWorkloadsCorrectlyForAnyNumberOfHostThreads) {
  const Machine machine = load_machine(
      "warpman", residency(GetParam()) + Settings{"chip.sms=4", "residency.duel_interval=300"});
  for (const char* workload : {"ray-tracing", "hotspot", "radix-sort", "stencil"}) {
    SCOPED_TRACE(workload);
    const WorkloadOnChip one = run_on_chip(machine, workload);
    EXPECT_TRUE(one.result.check.passed());
    const workload::RunResult untimed = run_untimed(machine, workload);
    ASSERT_EQ(one.runs.size(), untimed.launches.size());
    for (std::size_t i = 0; i < one.runs.size(); ++i) {
      EXPECT_EQ(one.runs[i].thread_instructions, untimed.launches[i].result.thread_instructions);
      EXPECT_LE(counter_of(one.runs[i], one.counters, "sm.register_cycles"),
                counter_of(one.runs[i], one.counters, "sm.active_cycles") *
                    machine.sm.residency.registers);
    }
    const WorkloadOnChip more = run_on_chip(machine, workload, {.threads = 3});
    EXPECT_EQ(difference(one.runs, more.runs, one.counters), "");
    if (kSanitized) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Policies, ResidencyByWarps,
                         testing::Values("warp-release", "partial-block-reuse", "partial-block",
                                         "partial-block-threshold", "partial-block-dueling"),
                         [](const auto& each) { return as_test_name(each.param); });

}  // namespace
}  // namespace heddle::gpu::test
