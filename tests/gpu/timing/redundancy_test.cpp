// The interface of redundancy policies. A pass is one issue of up to 32 threads. Before a pass
// executes, the policy makes a plan, which decides the resources that the pass uses. The test
// policy makes plans for passes whose threads all have the same source values.

#include "sm/redundancy/redundancy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "gpu/divergence_setups.h"
#include "gpu/timing/probe.h"
#include "gpu/workload_on_chip.h"

namespace heddle::gpu::test {
namespace {

/// The plan for a pass whose active threads all have the same source values.
struct SameValuesParameters {
  std::uint32_t slices = 1;
  std::uint32_t skipped = 1;
  std::uint32_t copies = 0;
  std::uint32_t held = 0;

  void declare(config::Declarations& parameters) {
    parameters.number("slices", slices, {.least = 0, .most = 32}, "slices that occupy the unit");
    parameters.number("skipped", skipped, {.least = 1, .most = 99},
                      "cycles until the result when the unit is skipped");
    parameters.number("copies", copies, {.least = 0, .most = 9}, "copies issued before it");
    parameters.number("held", held, {.least = 0, .most = 99}, "cycles without issue after it");
  }
};

class SameValues final : public sm::Redundancy {
 public:
  explicit SameValues(const SameValuesParameters& parameters)
      : same_{.slices = parameters.slices,
              .skip_latency = Cycles(parameters.skipped),
              .copies = parameters.copies,
              .interval = Cycles(1 + parameters.held)} {}

  sm::Plan plan(const sm::PassValues& before, Cycle) override {
    ++planned_;
    if (!before.instruction().is_repeatable || !all_same(before, before.reads())) return {};
    ++planned_same_;
    return same_;
  }
  void observe_executed(const sm::PassValues& after, Cycle) override {
    ++executed_;
    const bool accesses = after.instruction().kind == sm::InstructionKind::load;
    if (accesses && has_one_address(after)) ++broadcast_loads_;
    if (!after.writes().empty() && all_same(after, after.writes())) ++same_results_;
  }
  void declare(CounterList& counters) override {
    counters.add("planned", planned_, "passes", "");
    counters.add("planned_same", planned_same_, "passes", "whose threads have the same values");
    counters.add("executed", executed_, "passes", "");
    counters.add("broadcast_loads", broadcast_loads_, "passes", "that load from one address");
    counters.add("same_results", same_results_, "passes", "whose threads have the same results");
  }

 private:
  static bool all_same(const sm::PassValues& values, std::span<const std::uint16_t> numbers) {
    return std::all_of(numbers.begin(), numbers.end(),
                       [&](std::uint16_t number) { return values.is_uniform(number); });
  }
  static bool has_one_address(const sm::PassValues& values) {
    for (LaneMask lanes = values.active(); !lanes.empty(); lanes = lanes.without_lowest()) {
      if (values.address(lanes.lowest()) != values.address(values.active().lowest())) return false;
    }
    return true;
  }

  sm::Plan same_;
  std::uint64_t planned_ = 0;
  std::uint64_t planned_same_ = 0;
  std::uint64_t executed_ = 0;
  std::uint64_t broadcast_loads_ = 0;
  std::uint64_t same_results_ = 0;
};

const sm::RedundancyRegistry::Entry redundancy_entry{
    "same-values", "for tests: plans for passes whose threads have the same values",
    [](const SameValuesParameters& parameters, const sm::RedundancyDescription&) {
      return std::make_unique<SameValues>(parameters);
    }};

/// Units that accept a warp per cycle, except fp32 with `lanes` lanes.
Settings fp32_of(int lanes, const Settings& more = {}) {
  return Settings{"units.integer.lanes=32", "units.fp64.lanes=32", "units.special.lanes=32",
                  "units.shared_alu=no", "redundancy.policy=same-values"} +
         Settings{"units.fp32.lanes=" + std::to_string(lanes)} + more;
}

/// Values of %f20 to %f29: equal in all lanes (kSameInAllLanes), or different in each
/// (kDifferentPerLane).
const std::string kSameInAllLanes = repeat(10, "ld.global.f32 %f2#, [%data+0x#00];\n");
const std::string kDifferentPerLane = "mul.wide.u32 %l1, %lane, 4;\nadd.u64 %l1, %l1, %data;\n" +
                                      repeat(10, "ld.global.f32 %f2#, [%l1+0x#00];\n");

/// Independent instructions between two clock reads.
ProbeRun stream(const std::string& values, const std::string& instruction, int length,
                const Settings& settings) {
  return ProbeRun({.setup = values,
                   .body = clock(0) + repeat(length, instruction) + clock(1),
                   .keep = registers("%f", 10, 10) + registers("%f", 10, 20)},
                  settings);
}
const std::string kMultiplyAdd = "fma.rn.f32 %f1#, %f2#, %f2#, %f2#;\n";

std::uint32_t cycles_of_chain(const std::string& values, const Settings& settings) {
  return ProbeRun({.setup = values,
                   .body = clock(0) + repeat(5, "fma.rn.f32 %f20, %f20, %f20, %f20;\n") + clock(1),
                   .keep = {"%f20"}},
                  settings)
      .cycles();
}

TEST(RedundancyPlan, UniformInstructionTakesOneSlice) {
  for (const int lanes : {4, 8, 16, 32}) {
    const std::uint32_t all = 32 / static_cast<std::uint32_t>(lanes);
    EXPECT_EQ(stream(kSameInAllLanes, kMultiplyAdd, 6, fp32_of(lanes)).cycles(), 1 + 5 * 1 + 1)
        << lanes;
    EXPECT_EQ(stream(kDifferentPerLane, kMultiplyAdd, 6, fp32_of(lanes)).cycles(), 1 + 5 * all + 1)
        << lanes;
  }
  const Settings none = fp32_of(8, {"redundancy.policy=none"});
  EXPECT_EQ(stream(kSameInAllLanes, kMultiplyAdd, 6, none).cycles(), 1 + 5 * 4 + 1);
}

TEST(RedundancyPlan, TakesThePlannedNumberOfSlices) {
  for (const std::uint32_t slices : {1U, 2U, 3U, 4U, 5U, 32U}) {
    const Settings some = fp32_of(8, {"redundancy.slices=" + std::to_string(slices)});
    EXPECT_EQ(stream(kSameInAllLanes, kMultiplyAdd, 6, some).cycles(),
              1 + 5 * std::min(slices, 4U) + 1);
  }
}

TEST(RedundancyPlan, ResultHasTheLatencyOfAllSlices) {
  const Settings latency{"units.fp32.latency=8"};
  for (const char* slices : {"1", "3", "4"}) {
    const Settings some =
        fp32_of(8, latency + Settings{std::string("redundancy.slices=") + slices});
    EXPECT_EQ(cycles_of_chain(kSameInAllLanes, some), 1 + 4 * (8 + 3) + 1) << slices;
    EXPECT_EQ(cycles_of_chain(kDifferentPerLane, some), 1 + 4 * (8 + 3) + 1) << slices;
  }
}

TEST(RedundancyPlan, SkippedUnitStaysFree) {
  const Settings skipped =
      fp32_of(8, {"redundancy.slices=0", "redundancy.skipped=3", "units.fp32.latency=8"});
  EXPECT_EQ(cycles_of_chain(kSameInAllLanes, skipped), 1 + 4 * 3 + 1);
  EXPECT_EQ(cycles_of_chain(kDifferentPerLane, skipped), 1 + 4 * (8 + 3) + 1);
  EXPECT_EQ(stream(kSameInAllLanes, kMultiplyAdd, 6, skipped).counter("units.fp32.instructions"),
            0);
}

TEST(RedundancyPlan, IgnoresInactiveLanes) {
  const std::string same_in_seven =
      kDifferentPerLane + "setp.lt.u32 %p1, %lane, 7;\n" +
      repeat(10,
             "ld.global.f32 %f3#, [%data+0x#00];\nselp.f32 %f2#, %f3#, %f2#, %p1;\n"
             "mov.f32 %f1#, %f3#;\n");
  const std::string guarded = "@%p1 " + kMultiplyAdd;
  EXPECT_EQ(stream(same_in_seven, guarded, 6, fp32_of(8)).cycles(), 1 + 5 * 1 + 1);
  EXPECT_EQ(stream(same_in_seven, kMultiplyAdd, 6, fp32_of(8)).cycles(), 1 + 5 * 4 + 1);
}

TEST(RedundancyPlan, SeesSourcesBeforeAndResultsAfterExecution) {
  // All products are 0 and overwrite a factor's register.
  const std::string to_zero = "mul.rn.f32 %f2#, %f2#, 0f00000000;\n";
  const ProbeRun with = stream(kDifferentPerLane, to_zero, 6, fp32_of(8));
  const ProbeRun without = stream(kDifferentPerLane, to_zero, 0, fp32_of(8));
  EXPECT_EQ(with.cycles(), 1 + 5 * 4 + 1);
  EXPECT_EQ(with.counter("redundancy.planned_same"), without.counter("redundancy.planned_same"));
  EXPECT_EQ(with.counter("redundancy.same_results"),
            without.counter("redundancy.same_results") + 6);
  const auto& instructions = with.chip().program().instructions;
  EXPECT_TRUE(std::any_of(instructions.begin(), instructions.end(), [](const auto& each) {
    return each.operation == code::Operation::mul_lo && each.type == ValueType::f32 &&
           each.destinations[0].index == each.sources[0].index;
  })) << "expected a product that overwrites its factor";
}

TEST(RedundancyPlan, IsNotifiedOfEveryExecutedInstruction) {
  const ProbeRun run = stream(kSameInAllLanes, kMultiplyAdd, 6, fp32_of(8));
  EXPECT_EQ(run.counter("redundancy.executed"), run.counter("sm.warp_instructions"));
}

TEST(RedundancyPlan, SeesAddressesOfLoads) {
  const ProbeRun same = stream(kSameInAllLanes, kMultiplyAdd, 0, fp32_of(8));
  const ProbeRun different = stream(kDifferentPerLane, kMultiplyAdd, 0, fp32_of(8));
  EXPECT_EQ(same.counter("redundancy.broadcast_loads"),
            different.counter("redundancy.broadcast_loads") + 10);
}

TEST(RedundancyPlan, CopyTakesAnIssueSlotAndTheIntegerUnit) {
  const auto run = [](const std::string& values, int copies) {
    return stream(values, kMultiplyAdd, 6,
                  fp32_of(8, {"redundancy.copies=" + std::to_string(copies)}));
  };
  for (const int copies : {0, 1, 2}) {
    const ProbeRun same = run(kSameInAllLanes, copies);
    EXPECT_EQ(same.cycles(), 6 * (copies + 1) + 1);
    EXPECT_EQ(same.counter("scheduler.selected"), same.counter("sm.warp_instructions"));
    // The policy also makes such plans for other uniform instructions.
    EXPECT_EQ(same.counter("units.integer.instructions"),
              run(kSameInAllLanes, 0).counter("units.integer.instructions") +
                  static_cast<std::uint64_t>(copies) * same.counter("redundancy.planned_same"));
  }
}

TEST(RedundancyPlan, HoldsTheSchedulerForThePlannedCycles) {
  for (const std::uint32_t held : {0U, 1U, 3U, 9U}) {
    const Settings settings = fp32_of(32, {"redundancy.held=" + std::to_string(held)});
    EXPECT_EQ(stream(kSameInAllLanes, kMultiplyAdd, 6, settings).cycles(), 1 + 6 * (1 + held));
    EXPECT_EQ(stream(kDifferentPerLane, kMultiplyAdd, 6, settings).cycles(), 1 + 6);
  }
}

// -- threads of several rows ----------------------------------------------------------------------

/// The number of passes that were planned, and of those with the same values in all threads.
struct PlanCounts {
  std::uint64_t planned;
  std::uint64_t same;
};

/// The plans for ten additions of a large warp of eight rows (a row is 32 threads). The additions
/// add a uniform value to %r9, which `values` sets; threads with %p1 from `condition` execute them.
PlanCounts plans_in_large_warp(const std::string& values, const std::string& condition) {
  const auto run = [&](int instructions) {
    return ProbeRun(
        {.setup = "ld.global.u32 %r8, [%data+64];\nmov.u32 %c0, 0;\n" + values + condition,
         .body = "@!%p1 bra MEET;\n" + clock(0) + repeat(instructions, "add.u32 %r9, %r9, %r8;\n") +
                 "MEET:\n",
         .stamps = 1,
         .keep = {"%r9"}},
        load_machine("large-warps",
                     Settings{"icache.bytes=0", "divergence.policy=large-warp",
                              "divergence.large_warp=256", "redundancy.policy=same-values"}),
        8);
  };
  const ProbeRun more = run(15), less = run(5);
  const auto counted = [&](const std::string& name) {
    return more.counter("redundancy." + name) - less.counter("redundancy." + name);
  };
  return {.planned = counted("planned"), .same = counted("planned_same")};
}

const std::string kUniformValue = "ld.global.u32 %r9, [%data+128];\n";
const std::string kValuePerRow = "mad.lo.u32 %r9, %warp, 3, %r8;\n";
const std::string kAllLanes = "setp.lt.u32 %p1, %lane, 32;\n";
/// %p1 is true for the first half of the lanes of even rows and for the second half of odd ones.
const std::string kComplementaryHalves =
    "shr.u32 %r1, %lane, 4;\nand.b32 %r2, %warp, 1;\nsetp.eq.u32 %p1, %r1, %r2;\n";

TEST(RedundancyPlan, EachPassOfALargeWarpHasItsOwnPlan) {
  const PlanCounts rows = plans_in_large_warp(kValuePerRow, kAllLanes);
  EXPECT_EQ(rows.planned, 10 * 8);
  EXPECT_EQ(rows.same, 10 * 8) << "each pass is a row";
}

TEST(RedundancyPlan, PackedPassSeesValuesOfAllItsRows) {
  const PlanCounts different_rows = plans_in_large_warp(kValuePerRow, kComplementaryHalves);
  EXPECT_EQ(different_rows.planned, 10 * 4);
  EXPECT_EQ(different_rows.same, 0);
  const PlanCounts equal_rows = plans_in_large_warp(kUniformValue, kComplementaryHalves);
  EXPECT_EQ(equal_rows.planned, 10 * 4);
  EXPECT_EQ(equal_rows.same, 10 * 4);
}

TEST(RedundancyPlan, ChangesNoResultUnderAnyDivergencePolicy) {
  std::vector<DivergenceSetup> setups = divergence_setups();
  for (const std::string& machine : kStackMachines) setups.push_back({machine, {}});
  std::vector<std::string> names{"bfs"};
  if (!kSanitized) names.insert(names.end(), {"reduction", "histogram"});
  for (const DivergenceSetup& setup : setups) {
    const Machine machine = load_machine(
        setup.machine, setup.settings + Settings{"redundancy.policy=same-values",
                                                 "redundancy.copies=1", "redundancy.held=2"});
    for (const std::string& name : names) {
      const WorkloadOnChip run = run_on_chip(machine, name);
      EXPECT_TRUE(run.result.check.passed()) << name << " on " << setup.name();
      EXPECT_GT(counter_of(run.runs.front(), run.counters, "redundancy.planned_same"), 0)
          << name << " on " << setup.name();
    }
  }
}

}  // namespace
}  // namespace heddle::gpu::test
