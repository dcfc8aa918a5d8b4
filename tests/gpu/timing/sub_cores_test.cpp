// Sub-cores: warps of different sub-cores share no scheduler, unit, register bank or fetch port.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.h"
#include "gpu/timing/probe.h"

namespace heddle::gpu::test {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A warp occupies a unit for four cycles, so one warp can keep a unit busy.
const Settings kNarrowUnits{"units.integer.lanes=8", "units.fp32.lanes=8", "units.shared_alu=no"};

/// Multiprocessors with this number of sub-cores, of one scheduler each.
Settings sub_cores(int count) {
  return kNarrowUnits + Settings{"schedule.schedulers=1", "sm.sub_cores=" + std::to_string(count)};
}

constexpr int kLength = 10;
constexpr std::uint32_t kCyclesAlone = 4 * (kLength + 1);  ///< The first clock read occupies, too.

/// Independent instructions of one unit. The barrier lets all warps begin in the same cycle.
Probe independents() {
  return {.setup = repeat(kLength, "ld.global.u32 %r2#, [%data+0x#00];\n"),
          .body = "bar.sync 0;\n" + clock(0) +
                  repeat(kLength, "mad.lo.u32 %r1#, %r2#, %r2#, %lane;\n") + clock(1),
          .keep = registers("%r", kLength, 10)};
}

/// The cycles between the clock reads of each warp.
std::vector<std::uint32_t> cycles_of_warps(const Settings& settings, std::uint32_t warps) {
  const ProbeRun run(independents(), settings, warps);
  std::vector<std::uint32_t> cycles;
  for (std::uint32_t warp = 0; warp < warps; ++warp) cycles.push_back(run.cycles(0, warp));
  return cycles;
}

TEST(SubCoreTiming, WarpOfItsOwnSubCoreIsAsFastAsAlone) {
  EXPECT_THAT(cycles_of_warps(sub_cores(1), 1), ElementsAre(kCyclesAlone));
  EXPECT_THAT(cycles_of_warps(sub_cores(4), 4), Each(kCyclesAlone));
}

TEST(SubCoreTiming, WarpsOfOneSubCoreShareItsUnit) {
  // The unit alternates between two warps from the second clock read on.
  EXPECT_THAT(cycles_of_warps(sub_cores(1), 2), Each(2 * kCyclesAlone));
  // Warps 0 and 4 are in sub-core 0.
  EXPECT_THAT(
      cycles_of_warps(sub_cores(4), 5),
      ElementsAre(2 * kCyclesAlone, kCyclesAlone, kCyclesAlone, kCyclesAlone, 2 * kCyclesAlone));
}

TEST(SubCoreTiming, PipesOfOneSubCoreServeAllItsWarps) {
  // With four pipes in one sub-core, warps 0 and 4 share a scheduler, but not a pipe: five warps
  // share four pipes.
  const Settings one =
      kNarrowUnits + Settings{"schedule.schedulers=4", "units.integer.pipes=4", "fetch.ports=4"};
  EXPECT_THAT(cycles_of_warps(one, 4), Each(kCyclesAlone));
  const std::vector<std::uint32_t> cycles = cycles_of_warps(one, 5);
  EXPECT_LT(*std::max_element(cycles.begin(), cycles.end()), 2 * kCyclesAlone);
}

TEST(SubCoreTiming, RegisterBanksServeOnlyTheirSubCore) {
  // Each instruction reads three registers from the only bank and writes one: four cycles, as many
  // as in a unit of eight lanes.
  const Settings one_bank =
      Settings{"operands.policy=banked", "operands.banks=1",       "operands.ports=1rw",
               "operands.collectors=8",  "operands.read_cycles=1", "units.integer.lanes=32"};
  const Probe probe{.setup = repeat(3, "ld.global.u32 %r2#, [%data+0x#00];\n"),
                    .body = "bar.sync 0;\n" + clock(0) +
                            repeat(kLength, "mad.lo.u32 %r1#, %r20, %r21, %r22;\n") +
                            "bar.sync 0;\n" + clock(1),
                    .keep = registers("%r", kLength, 10)};
  const std::uint32_t alone = ProbeRun(probe, sub_cores(1) + one_bank, 1).cycles();
  EXPECT_EQ(ProbeRun(probe, sub_cores(2) + one_bank, 2).cycles(), alone);
  EXPECT_GE(ProbeRun(probe, sub_cores(1) + one_bank, 2).cycles(), 2 * alone - 8);
}

/// Runs code of many kinds with as many warps as sub-cores or schedulers. Returns every clock
/// value.
std::vector<std::uint32_t> stamps_of_mixture(const Settings& settings) {
  std::string body = clock(0);
  for (int i = 1; i < 10; ++i) {
    body +=
        "mad.lo.u32 %r20, %r20, %lane, %warp;\n"
        "fma.rn.f32 %f20, %f20, %f20, %f20;\n"
        "ex2.approx.f32 %f21, %f20;\n"
        "setp.gt.u32 %p1, %r20, 1000;\n"
        "@%p1 add.u32 %r21, %r20, %warp;\n"
        "@%p1 bra SKIP" +
        std::to_string(i) + ";\nfma.rn.f32 %f22, %f21, %f20, %f20;\nSKIP" + std::to_string(i) +
        ":\n" + clock(i);
  }
  const ProbeRun run({.setup = "cvt.rn.f32.u32 %f20, %thread;\nmov.u32 %r20, %thread;\n",
                      .body = body,
                      .stamps = 10,
                      .keep = {"%r20", "%r21", "%f20", "%f21", "%f22"}},
                     settings, 4);
  std::vector<std::uint32_t> stamps;
  for (std::uint32_t warp = 0; warp < 4; ++warp) {
    for (int i = 0; i < 10; ++i) stamps.push_back(run.stamp(i, warp));
  }
  return stamps;
}

TEST(SubCoreTiming, EqualsOneSubCoreOfTheSameSumIfWarpsNeverMeet) {
  // Four warps: each has a scheduler, a fetch port and collectors for itself, whether these are in
  // one sub-core or in several. Units accept a warp per cycle, so a warp needs one pipe only.
  const Settings rest{"units.integer.lanes=32", "units.fp32.lanes=32",
                      "units.special.lanes=32", "units.shared_alu=no",
                      "operands.policy=banked", "operands.conflicts=within-instruction",
                      "operands.collectors=64", "dependence.policy=scoreboard"};
  const auto divided = [&](int count) {
    const std::string share = std::to_string(4 / count);
    return rest + Settings{"sm.sub_cores=" + std::to_string(count),
                           "schedule.schedulers=" + share,
                           "fetch.ports=" + share,
                           "units.integer.pipes=" + share,
                           "units.fp32.pipes=" + share,
                           "units.special.pipes=" + share};
  };
  EXPECT_EQ(stamps_of_mixture(divided(4)), stamps_of_mixture(divided(1)));
  EXPECT_EQ(stamps_of_mixture(divided(2)), stamps_of_mixture(divided(1)));
}

std::string error_of(const Settings& settings) {
  try {
    machine_of(settings);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(SubCores, RejectWarpsThatCannotBeDivided) {
  EXPECT_THAT(error_of({"sm.sub_cores=5", "schedule.schedulers=1"}),
              HasSubstr("cannot have equally many warps"));
  EXPECT_THAT(error_of({"sm.sub_cores=4", "divergence.policy=large-warp"}),
              HasSubstr("divergence.policy 'large-warp'"));
  EXPECT_THAT(error_of({"sm.sub_cores=8", "sm.warps=8", "schedule.schedulers=2"}),
              HasSubstr("2 schedulers have only 1 warps (sm.warps / sm.sub_cores)"));
  EXPECT_EQ(error_of({"sm.sub_cores=8", "sm.warps=8", "schedule.schedulers=1"}), "no error");
}

}  // namespace
}  // namespace heddle::gpu::test
