// The cycles in which arithmetic instructions issue, and in which their results are available. A
// clock read is an integer instruction, which issues and occupies its unit like any other.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "gpu/timing/probe.h"

namespace heddle::gpu::test {
namespace {

struct Unit {
  std::string name;
  std::string prefix;  ///< Of register names: 10 to 19 are results, 20 to 29 are sources.
  std::string type;
  std::string dependent;    ///< An instruction that reads and writes register 20.
  std::string independent;  ///< An instruction that reads register 2# and writes register 1#.

  std::string values() const {
    return repeat(10, "ld.global." + type + " " + prefix + "2#, [%data+0x#00];\n");
  }
  std::string independents(int count) const { return repeat(count, independent); }
};

const Unit kInteger{"integer", "%r", "u32", "mad.lo.u32 %r20, %r20, %r20, %lane;\n",
                    "mad.lo.u32 %r1#, %r2#, %r2#, %lane;\n"};
const Unit kFp32{"fp32", "%f", "f32", "fma.rn.f32 %f20, %f20, %f20, %f20;\n",
                 "fma.rn.f32 %f1#, %f2#, %f2#, %f2#;\n"};
const Unit kFp64{"fp64", "%d", "f64", "fma.rn.f64 %d20, %d20, %d20, %d20;\n",
                 "fma.rn.f64 %d1#, %d2#, %d2#, %d2#;\n"};
const Unit kSpecial{"special", "%f", "f32", "ex2.approx.f32 %f20, %f20;\n",
                    "ex2.approx.f32 %f1#, %f2#;\n"};
const Unit* const kUnits[] = {&kInteger, &kFp32, &kFp64, &kSpecial};

std::string setting(const Unit& unit, const std::string& key, int value) {
  return "units." + unit.name + "." + key + "=" + std::to_string(value);
}

/// Every unit accepts a warp per cycle, and has its own pipes.
Settings wide(Settings more = {}) {
  return Settings{"units.integer.lanes=32", "units.fp32.lanes=32", "units.fp64.lanes=32",
                  "units.special.lanes=32", "units.shared_alu=no"} +
         more;
}

std::uint32_t cycles_of_chain(const Unit& unit, int length, const Settings& settings) {
  return ProbeRun({.setup = unit.values(),
                   .body = clock(0) + repeat(length, unit.dependent) + clock(1),
                   .keep = {unit.prefix + "20"}},
                  settings)
      .cycles();
}

std::uint32_t cycles_of_stream(const Unit& unit, int length, const Settings& settings) {
  return ProbeRun({.setup = unit.values(),
                   .body = clock(0) + unit.independents(length) + clock(1),
                   .keep = registers(unit.prefix, length, 10)},
                  settings)
      .cycles();
}

/// Runs two warps that begin together. Returns the cycles from the first clock read to the issue of
/// the last measured instruction. The barrier after the measured instructions keeps later ones from
/// issuing before both warps are done.
std::uint32_t cycles_of_two_warps(const Unit& unit, int length, const Settings& settings) {
  constexpr std::uint32_t kBarrier = 4;
  const ProbeRun run(
      {.setup = unit.values(),
       .body = "bar.sync 0;\n" + clock(0) + unit.independents(length) + "bar.sync 0;\n" + clock(1),
       .keep = registers(unit.prefix, length, 10)},
      settings + Settings{"barrier.latency=4"}, 2);
  return std::min(run.stamp(1, 0), run.stamp(1, 1)) - kBarrier - 1 -
         std::min(run.stamp(0, 0), run.stamp(0, 1));
}

TEST(UnitTiming, DependentInstructionIssuesALatencyLater) {
  for (const Unit* unit : kUnits) {
    for (const int latency : {1, 2, 3, 8, 18, 63, 64, 65, 200}) {
      // One cycle to the first of 5 instructions, four latencies to the last, one to the clock
      // read.
      EXPECT_EQ(cycles_of_chain(*unit, 5, wide({setting(*unit, "latency", latency)})),
                1 + 4 * latency + 1)
          << unit->name << ", latency " << latency;
    }
  }
}

TEST(UnitTiming, MultiplicationTakesItsHardwareInstructionsAndDelay) {
  constexpr int kSlices = 4;
  constexpr int kLatency = 10;
  for (const int instructions : {1, 3, 4}) {
    for (const int delay : {0, 1, 60}) {
      const Settings settings =
          wide({"units.integer.lanes=8", setting(kInteger, "latency", kLatency),
                setting(kInteger, "multiplication.instructions", instructions),
                setting(kInteger, "multiplication.delay", delay)});
      // The last slice of the last hardware instruction decides when the result is available.
      const int result = kSlices * instructions - 1 + kLatency + delay;
      // The clock reads have slices, too: the first holds up the first multiplication, and the last
      // multiplication holds up the second.
      EXPECT_EQ(cycles_of_chain(kInteger, 5, settings),
                kSlices + 4 * result + kSlices * instructions)
          << instructions << " instructions, " << delay << " cycles";
    }
  }
}

TEST(UnitTiming, IndependentInstructionsIssueBackToBack) {
  for (const Unit* unit : kUnits) {
    for (const int length : {1, 2, 9}) {
      EXPECT_EQ(cycles_of_stream(*unit, length, wide()), length + 1) << unit->name;
    }
  }
}

TEST(UnitTiming, SchedulerIssuesOncePerInterval) {
  for (const int interval : {1, 2, 4}) {
    const Settings settings = wide({"schedule.interval=" + std::to_string(interval)});
    for (const int length : {1, 6}) {
      EXPECT_EQ(cycles_of_stream(kFp32, length, settings), (length + 1) * interval);
    }
  }
}

TEST(UnitTiming, NarrowUnitIsBusyForOneCyclePerSlice) {
  for (const Unit* unit : {&kFp32, &kFp64, &kSpecial}) {
    for (const int lanes : {1, 2, 4, 8, 16, 32}) {
      EXPECT_EQ(cycles_of_stream(*unit, 6, wide({setting(*unit, "lanes", lanes)})),
                1 + 5 * (32 / lanes) + 1)
          << unit->name << " of " << lanes;
    }
  }
}

TEST(UnitTiming, ClockReadsOccupyANarrowIntegerUnit) {
  EXPECT_EQ(cycles_of_stream(kInteger, 6, wide({"units.integer.lanes=8"})), 7 * 4);
  EXPECT_EQ(cycles_of_stream(kInteger, 6, wide({"units.integer.lanes=16"})), 7 * 2);
}

TEST(UnitTiming, TwoWarpsAlternateOnANarrowUnit) {
  for (const Unit* unit : {&kFp32, &kFp64, &kSpecial}) {
    for (const int lanes : {8, 16}) {
      // After two clock reads come 8 instructions, and the last issues 7 turns of the unit after
      // the first.
      EXPECT_EQ(cycles_of_two_warps(*unit, 4, wide({setting(*unit, "lanes", lanes)})),
                2 + 7 * (32 / lanes))
          << unit->name << " of " << lanes;
    }
    // A wide unit leaves no free issue cycle, so the first warp's barrier issues after the last of
    // the instructions.
    EXPECT_EQ(cycles_of_two_warps(*unit, 4, wide()), 2 + 7 + 1) << unit->name;
  }
}

TEST(UnitTiming, NarrowUnitResultIsAvailableWithTheLastSlice) {
  for (const Unit* unit : {&kFp32, &kFp64, &kSpecial}) {
    // A latency of 8, and three more slices after the first.
    EXPECT_EQ(
        cycles_of_chain(*unit, 5, wide({setting(*unit, "lanes", 8), setting(*unit, "latency", 8)})),
        1 + 4 * (8 + 3) + 1)
        << unit->name;
  }
}

TEST(UnitTiming, ChainedUnitsOfEqualWidthForwardEachSlice) {
  const Settings narrow = wide({"units.chained=yes", "units.integer.lanes=8", "units.fp32.lanes=8",
                                "units.fp64.lanes=8", "units.special.lanes=8"});
  EXPECT_EQ(cycles_of_chain(kFp32, 5, narrow + Settings{"units.fp32.latency=8"}), 1 + 4 * 8 + 1);
  // A reader on the special unit, which is wide here, would need all slices at the same time.
  // Results are therefore not forwarded slice by slice.
  EXPECT_EQ(cycles_of_chain(kFp32, 5,
                            narrow + Settings{"units.fp32.latency=8", "units.special.lanes=32"}),
            1 + 4 * (8 + 3) + 1);
}

TEST(UnitTiming, IntervalSeparatesSlices) {
  EXPECT_EQ(cycles_of_stream(kFp32, 6, wide({"units.fp32.interval=3"})), 1 + 5 * 3 + 1);
  EXPECT_EQ(cycles_of_stream(kFp32, 6, wide({"units.fp32.interval=3", "units.fp32.lanes=16"})),
            1 + 5 * 6 + 1);
  // The second half enters the unit 3 cycles after the first.
  EXPECT_EQ(cycles_of_chain(
                kFp32, 5,
                wide({"units.fp32.interval=3", "units.fp32.lanes=16", "units.fp32.latency=10"})),
            1 + 4 * 13 + 1);
}

TEST(UnitTiming, TwoPipesTakeAWarpEach) {
  EXPECT_EQ(cycles_of_stream(kFp32, 6, wide({"units.fp32.pipes=2", "units.fp32.lanes=16"})), 7);
  // Each instruction occupies a pipe for 4 cycles. They issue in cycles 1, 2, 5, 6, 9 and 10, and
  // the clock read in cycle 11.
  EXPECT_EQ(cycles_of_stream(kFp32, 6, wide({"units.fp32.pipes=2", "units.fp32.lanes=8"})), 11);
  EXPECT_EQ(cycles_of_stream(kFp32, 6, wide({"units.fp32.pipes=4", "units.fp32.lanes=8"})), 7);
}

TEST(UnitTiming, TwoSchedulersNeedTwoPipesToIssueTogether) {
  const Settings two = wide({"schedule.schedulers=2", "units.integer.pipes=2"});
  // Both clock reads issue in cycle 0. Then four pairs of instructions follow, or eight single
  // ones.
  EXPECT_EQ(cycles_of_two_warps(kFp32, 4, two + Settings{"units.fp32.pipes=2"}), 4);
  EXPECT_EQ(cycles_of_two_warps(kFp32, 4, two), 8);
}

TEST(UnitTiming, SharedAluSerialisesIntegersAndFloats) {
  const auto cycles = [](const std::string& shared) {
    const std::string pair = kFp32.independent + kInteger.independent;
    return ProbeRun({.setup = kFp32.values() + kInteger.values(),
                     .body = clock(0) + repeat(2, pair) + clock(1),
                     .keep = {"%f10", "%f11", "%r10", "%r11"}},
                    wide({"units.integer.lanes=8", "units.fp32.lanes=8", shared}))
        .cycles();
  };
  // In each pipe, instructions are 4 cycles apart, whichever of a pair goes first.
  EXPECT_EQ(cycles("units.shared_alu=yes"), 5 * 4);
  EXPECT_EQ(cycles("units.shared_alu=no"), 3 * 4);
}

TEST(UnitTiming, WideIntegerTakesTwoSlots) {
  const auto cycles = [](int length) {
    return ProbeRun({.setup = "ld.global.u64 %rd20, [%data+8];\nld.global.u64 %rd21, [%data+16];\n",
                     .body = clock(0) +
                             repeat(length,
                                    "and.b64 %rd20, %rd20, %rd21;\n"
                                    "add.u64 %rd20, %rd20, %rd21;\n") +
                             clock(1),
                     .keep = {"%rd20"}},
                    wide({"units.integer.latency=8"}))
        .cycles();
  };
  // A 64-bit instruction issues in two halves, and its result is available 8 cycles after the
  // second half. The clock read follows the two halves of the last instruction.
  EXPECT_EQ(cycles(1), 1 + 9 + 2);
  EXPECT_EQ(cycles(3), 1 + 5 * 9 + 2);
}

TEST(UnitTiming, DivisionOccupiesItsUnitForTwentyInstructions) {
  const auto cycles = [](const std::string& next, const std::string& kept) {
    return ProbeRun({.setup = kInteger.values() + kFp32.values(),
                     .body = clock(0) + "div.u32 %r40, %r21, %r22;\n" + next + clock(1),
                     .keep = {"%r40", kept}},
                    wide({"units.integer.latency=8"}))
        .cycles();
  };
  // The result is available one latency after the last of the 20 instructions.
  EXPECT_EQ(cycles("mad.lo.u32 %r41, %r40, %r40, %r23;\n", "%r41"), 1 + (19 + 8) + 1);
  EXPECT_EQ(cycles("mad.lo.u32 %r41, %r23, %r23, %r24;\n", "%r41"), 1 + 20 + 1);
  // Here the clock read waits for the unit.
  EXPECT_EQ(cycles("fma.rn.f32 %f41, %f23, %f23, %f24;\n", "%f41"), 1 + 20);
}

TEST(UnitTiming, ExactFloatDivisionUsesArithmeticAndApproximateUsesSpecialUnit) {
  const auto cycles = [](const std::string& division) {
    return ProbeRun({.setup = kFp32.values(),
                     .body = clock(0) + division + " %f40, %f21, %f22;\n" +
                             "fma.rn.f32 %f41, %f40, %f40, %f23;\n" + clock(1),
                     .keep = {"%f41"}},
                    wide({"units.fp32.latency=10", "units.special.latency=30"}))
        .cycles();
  };
  EXPECT_EQ(cycles("div.rn.f32"), 1 + (7 + 10) + 1);
  EXPECT_EQ(cycles("div.approx.f32"), 1 + 30 + 1);
}

TEST(UnitTiming, BranchCountsAsCoreWork) {
  // A shift, a comparison and a branch depend on one another: three active cycles per iteration.
  const auto active = [](std::uint32_t number) {
    return ProbeRun({.setup = "ld.global.u32 %r1, [%data+" + std::to_string(4 * number) + "];\n",
                     .body = clock(0) +
                             "AGAIN:\nshr.u32 %r1, %r1, 1;\nsetp.ne.u32 %p1, %r1, 0;\n"
                             "@%p1 bra AGAIN;\n" +
                             clock(1),
                     .keep = {"%r1"}})
        .counter("units.active_cycles");
  };
  EXPECT_EQ(active(1 << 15) - active(1 << 4), 11 * 3);
}

}  // namespace
}  // namespace heddle::gpu::test
