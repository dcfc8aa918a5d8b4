// A bypass from the last to the first stage of the arithmetic units (Xiang, Toward Efficient SIMT
// Execution, section 4.4.1). The tests check the cycle in which the reader of a result issues. A
// slice is the part of a warp's threads that enters a unit in one cycle.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "base/error.h"
#include "gpu/timing/probe.h"

namespace heddle::gpu::test {
namespace {

constexpr const char* kScoreboards[] = {"scoreboard", "commit-scoreboard"};

/// Units with `stages` execution stages and two cycles of register file access.
Settings units(std::uint32_t stages, std::uint32_t lanes, const std::string& policy,
               const Settings& more = {}) {
  const std::string latency = "latency=" + std::to_string(stages + 2);
  const std::string lane_count = "lanes=" + std::to_string(lanes);
  return Settings{"units.integer." + latency,   "units.integer." + lane_count,
                  "units.fp32." + latency,      "units.fp32." + lane_count,
                  "units.bypass=yes",           "units.register_cycles=2",
                  "dependence.policy=" + policy} +
         more;
}

/// Cycles between two clocks, with two instructions in between; the second reads the first one's
/// result.
std::uint32_t cycles_of_pair(const Settings& settings) {
  return ProbeRun({.setup = "mul.lo.u32 %r6, %lane, 3;\n",
                   .body = clock(0) +
                           "mad.lo.u32 %r1, %r6, %r6, %lane;\n"
                           "mad.lo.u32 %r2, %r1, %r1, %r6;\n" +
                           clock(1),
                   .keep = {"%r2"}},
                  settings)
      .cycles();
}

TEST(BypassOfFigure38, LetsAReaderFollowAtOnceWithFewerStagesThanSlices) {
  for (const char* policy : kScoreboards) {
    EXPECT_EQ(cycles_of_pair(units(3, 8, policy)), 4 + 4 + 4) << policy;
  }
}

TEST(BypassOfFigure38, LetsAReaderFollowAtOnceWithAsManyStagesAsSlices) {
  for (const char* policy : kScoreboards) {
    EXPECT_EQ(cycles_of_pair(units(4, 8, policy)), 4 + 4 + 4) << policy;
    // Without the bypass, each thread also waits for the register file. With chained units, there
    // is no further delay.
    EXPECT_EQ(cycles_of_pair(units(4, 8, policy,
                                   {"units.bypass=no", "units.chained=yes", "units.fp64.lanes=8"})),
              4 + (4 + 2) + 4)
        << policy;
    EXPECT_EQ(cycles_of_pair(units(4, 8, policy, {"units.bypass=no"})), 4 + (3 + 4 + 2) + 4)
        << policy << ": unchained units wait for the last threads";
  }
}

TEST(BypassOfFigure38, MakesAReaderWaitForAllStagesWhenThereAreMore) {
  for (const char* policy : kScoreboards) {
    EXPECT_EQ(cycles_of_pair(units(8, 8, policy)), 4 + 8 + 4) << policy;
    EXPECT_EQ(cycles_of_pair(units(8, 32, policy)), 1 + 8 + 1) << policy;
    EXPECT_EQ(cycles_of_pair(units(8, 32, policy, {"units.bypass=no"})), 1 + 10 + 1) << policy;
  }
}

TEST(BypassTiming, ShortensEveryInstructionWithoutAScoreboard) {
  for (const auto& [stages, lanes, each] :
       {std::tuple(3U, 8U, 4U), {4U, 8U, 4U}, {8U, 8U, 8U}, {8U, 32U, 8U}}) {
    EXPECT_EQ(cycles_of_pair(units(stages, lanes, "stall-on-miss")), 3 * each);
  }
  EXPECT_EQ(cycles_of_pair(units(8, 32, "stall-on-miss", {"units.bypass=no"})), 3 * 10U);
}

TEST(BypassTiming, ReaderOfAnotherWidthWaitsForTheLastSlice) {
  // An fp64 instruction enters its unit in 8 slices, one per cycle. Its reader is an fp64
  // instruction or one of another unit.
  const auto cycles = [](const std::string& reader, const std::string& kept) {
    return ProbeRun({.setup = "ld.global.f64 %d1, [%data];\n",
                     .body = clock(0) + "fma.rn.f64 %d2, %d1, %d1, %d1;\n" + reader + clock(1),
                     .keep = {"%d2", kept}},
                    units(8, 32, "scoreboard", {"units.fp64.lanes=4", "units.fp64.latency=12"}))
        .cycles();
  };
  EXPECT_EQ(cycles("fma.rn.f64 %d3, %d2, %d2, %d1;\n", "%d3"), 1 + 10 + 1);
  EXPECT_EQ(cycles("cvt.rn.f32.f64 %f3, %d2;\n", "%f3"), 1 + 10 + 1);
  // Both halves are moved; the reader waits for the second.
  EXPECT_EQ(cycles("mov.b64 {%r1, %r2}, %d2;\nxor.b32 %r3, %r1, %r2;\n", "%r3"),
            1 + (7 + 10) + 1 + 8 + 1);
}

TEST(BypassTiming, SpecialFunctionsAndMemoryReadTheRegisterFile) {
  for (const char* policy : {"scoreboard", "commit-scoreboard", "stall-on-miss"}) {
    const bool stalls = policy == std::string("stall-on-miss");
    const std::uint32_t first = stalls ? 8 : 1;
    const auto cycles = [&](const std::string& pair, const std::string& kept) {
      return ProbeRun({.setup = "ld.global.f32 %f1, [%data];\nand.b32 %r6, %lane, 60;\n"
                                "mov.u32 %r7, word;\nst.shared.u32 [%r7], %lane;\n",
                       .body = clock(0) + pair + clock(1),
                       .keep = {kept},
                       .declarations = ".shared .b32 word[64];\n"},
                      units(8, 32, policy,
                            {"units.special.lanes=32", "units.special.latency=20",
                             "scratchpad.latency=15"}))
          .cycles();
    };
    EXPECT_EQ(cycles("fma.rn.f32 %f2, %f1, %f1, %f1;\nex2.approx.f32 %f3, %f2;\n", "%f3"),
              first + 10 + (stalls ? 20 : 1))
        << policy;
    EXPECT_EQ(cycles("xor.b32 %r1, %r6, 64;\nld.shared.u32 %r2, [%r1];\n", "%r2"),
              first + 10 + (stalls ? 15 : 1))
        << policy;
    EXPECT_EQ(cycles("ex2.approx.f32 %f2, %f1;\nfma.rn.f32 %f3, %f2, %f2, %f1;\n", "%f3"),
              (stalls ? 10 : 1) + 20 + first)
        << policy << ": results of special functions are not forwarded either";
  }
}

TEST(BypassTiming, WriterOfTheSameRegisterDoesNotWaitLonger) {
  for (const char* policy : kScoreboards) {
    const ProbeRun run(
        {.setup = "mul.lo.u32 %r1, %lane, 3;\n",
         .body = clock(0) + repeat(5, "mad.lo.u32 %r1, %r1, %r1, %lane;\n") + clock(1),
         .keep = {"%r1"}},
        units(8, 32, policy));
    EXPECT_EQ(run.cycles(), 1U + 4 * 8 + 1) << policy;
  }
}

TEST(BypassTiming, RejectsMachinesThatCannotForward) {
  const auto refusal = [](const Settings& settings) -> std::string {
    try {
      machine_of(Settings{"units.bypass=yes"} + settings);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal({}), "");
  EXPECT_THAT(refusal({"dependence.policy=barrel"}),
              testing::HasSubstr("fetched only when the previous"));
  EXPECT_THAT(refusal({"units.fp32.latency=2"}), testing::HasSubstr("no stage to execute in"));
  EXPECT_EQ(refusal({"units.fp32.latency=3"}), "");
}

}  // namespace
}  // namespace heddle::gpu::test
