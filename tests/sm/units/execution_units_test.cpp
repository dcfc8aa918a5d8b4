#include "sm/units/execution_units.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <utility>

#include "base/error.h"

namespace heddle::sm {
namespace {

std::uint64_t counter(ExecutionUnits& units, const std::string& name) {
  CounterList counters;
  units.declare(counters);
  for (const Counter& counter : counters.all()) {
    if (counter.name == name) return *counter.value;
  }
  ADD_FAILURE() << name;
  return 0;
}

ExecutionUnits units_of_width(std::uint32_t lanes, std::uint32_t latency) {
  UnitsDescription description;
  description.integer = {.lanes = lanes, .latency = latency};
  return ExecutionUnits(description);
}

// The widths of 8, 16 and 32 lanes are those of Xiang, Toward Efficient SIMT Execution, tables 1
// and 6. A slice is the part of a warp that enters a unit in one cycle.
TEST(ExecutionUnits, WarpOccupiesUnitForOneCyclePerSlice) {
  for (const auto& [lanes, cycles] : {std::pair{8u, 4u}, {16u, 2u}, {32u, 1u}}) {
    ExecutionUnits units = units_of_width(lanes, 8);
    EXPECT_EQ(units.free_from(UnitKind::integer), Cycle(0));
    units.execute(UnitKind::integer, Cycle(10), 1);
    EXPECT_EQ(units.free_from(UnitKind::integer), Cycle(10 + cycles)) << lanes << " lanes";
  }
}

TEST(ExecutionUnits, ResultsAreUsableWithTheLastSlice) {
  for (const auto& [lanes, usable] : {std::pair{8u, 21u}, {16u, 19u}, {32u, 18u}}) {
    ExecutionUnits units = units_of_width(lanes, 8);
    EXPECT_EQ(units.execute(UnitKind::integer, Cycle(10), 1), Cycle(usable)) << lanes << " lanes";
  }
}

TEST(ExecutionUnits, IntervalSpreadsSlices) {
  UnitsDescription description;
  description.special = {.lanes = 16, .latency = 20, .interval = 4};
  ExecutionUnits units(description);
  EXPECT_EQ(units.execute(UnitKind::special, Cycle(10), 1), Cycle(34));
  EXPECT_EQ(units.free_from(UnitKind::special), Cycle(18));
}

TEST(ExecutionUnits, SquashedInstructionOccupiesUnitForStartedPasses) {
  for (const auto& [until, free] : {std::pair{11u, 14u}, {14u, 14u}, {15u, 18u}, {500u, 90u}}) {
    ExecutionUnits units = units_of_width(8, 8);
    units.execute_wrong_path(UnitKind::integer, Cycle(10), 20, Cycle(until), 5);
    EXPECT_EQ(units.free_from(UnitKind::integer), Cycle(free)) << until;
    EXPECT_EQ(counter(units, "integer.lane_operations"), 5 * (free - 10) / 4) << until;
  }
}

TEST(ExecutionUnits, InstructionWaitsForBusyUnit) {
  ExecutionUnits units = units_of_width(8, 8);
  units.execute(UnitKind::integer, Cycle(10), 1);
  EXPECT_EQ(units.execute(UnitKind::integer, Cycle(12), 1), Cycle(14 + 11));
  EXPECT_EQ(units.free_from(UnitKind::integer), Cycle(18));
}

TEST(ExecutionUnits, ExpandedInstructionGoesThroughUnitRepeatedly) {
  ExecutionUnits units = units_of_width(8, 8);
  EXPECT_EQ(units.execute(UnitKind::integer, Cycle(10), 3), Cycle(10 + 2 * 4 + 11));
  EXPECT_EQ(units.free_from(UnitKind::integer), Cycle(22));
}

TEST(ExecutionUnits, SharedPipesExecuteIntegerAndFp32) {
  UnitsDescription description;
  description.shared_alu = true;
  description.fp32.latency = 6;
  ExecutionUnits shared(description);
  shared.execute(UnitKind::integer, Cycle(10), 1);
  EXPECT_EQ(shared.free_from(UnitKind::fp32), Cycle(11));
  EXPECT_EQ(shared.execute(UnitKind::fp32, Cycle(10), 1), Cycle(17)) << "its own latency";
  EXPECT_EQ(shared.free_from(UnitKind::integer), Cycle(12));
  EXPECT_EQ(shared.free_from(UnitKind::fp64), Cycle(0));
  EXPECT_EQ(shared.free_from(UnitKind::special), Cycle(0));

  description.shared_alu = false;
  ExecutionUnits separate(description);
  separate.execute(UnitKind::integer, Cycle(10), 1);
  EXPECT_EQ(separate.free_from(UnitKind::fp32), Cycle(0));
}

TEST(ExecutionUnits, EachPipeExecutesAnotherWarp) {
  UnitsDescription description;
  description.fp64 = {.lanes = 8, .latency = 10, .pipes = 2};
  ExecutionUnits units(description);
  EXPECT_EQ(units.execute(UnitKind::fp64, Cycle(10), 1), Cycle(23));
  EXPECT_EQ(units.free_from(UnitKind::fp64), Cycle(0)) << "the second pipe";
  EXPECT_EQ(units.execute(UnitKind::fp64, Cycle(11), 1), Cycle(24));
  EXPECT_EQ(units.free_from(UnitKind::fp64), Cycle(14)) << "the pipe that is free first";
  EXPECT_EQ(units.execute(UnitKind::fp64, Cycle(11), 1), Cycle(27));
  EXPECT_EQ(units.free_from(UnitKind::fp64), Cycle(15));
}

// Figure 38c of Xiang, Toward Efficient SIMT Execution: with 8 lanes and 8 stages, a dependent
// instruction follows after 8 cycles, so two warps keep the pipeline busy.
TEST(ExecutionUnits, ChainedDependentInstructionFollowsSliceBySlice) {
  UnitsDescription description;
  description.chained = true;
  for (UnitDescription* unit :
       {&description.integer, &description.fp32, &description.fp64, &description.special}) {
    *unit = {.lanes = 8, .latency = 8};
  }
  ExecutionUnits units(description);
  EXPECT_EQ(units.execute(UnitKind::fp32, Cycle(10), 1), Cycle(18));
}

TEST(ExecutionUnits, ChainedFastReaderDoesNotOvertakeSlowProducer) {
  UnitsDescription description;
  description.chained = true;
  description.integer = description.fp32 = description.fp64 = {.lanes = 16, .latency = 8};
  description.special = {.lanes = 4, .latency = 20};
  ExecutionUnits units(description);
  // A reader with 16 lanes accepts threads 28 to 31 in its second cycle. The producer accepts these
  // threads in its eighth cycle.
  EXPECT_EQ(units.execute(UnitKind::special, Cycle(10), 1), Cycle(10 + 20 + 7 - 1));
  EXPECT_EQ(units.execute(UnitKind::integer, Cycle(10), 1), Cycle(18));
}

TEST(ExecutionUnits, CountsInstructionsAndBusyCyclesPerUnit) {
  ExecutionUnits units = units_of_width(8, 8);
  units.execute(UnitKind::integer, Cycle(10), 1);
  units.execute(UnitKind::integer, Cycle(20), 3);
  units.execute(UnitKind::fp32, Cycle(40), 1);
  EXPECT_EQ(counter(units, "integer.instructions"), 2u);
  EXPECT_EQ(counter(units, "integer.busy_cycles"), 16u);
  EXPECT_EQ(counter(units, "fp32.instructions"), 1u);
  EXPECT_EQ(counter(units, "fp32.busy_cycles"), 1u);
  EXPECT_EQ(counter(units, "special.instructions"), 0u);
}

TEST(ExecutionUnits, CountsLanesOfEachHardwareInstruction) {
  ExecutionUnits units = units_of_width(8, 8);
  units.count_lanes(UnitKind::integer, 1, 32);
  units.count_lanes(UnitKind::integer, 20, 7);
  units.count_lanes(UnitKind::special, 2, 1);
  EXPECT_EQ(counter(units, "integer.lane_operations"), 32u + 20 * 7);
  EXPECT_EQ(counter(units, "special.lane_operations"), 2u);
  EXPECT_EQ(counter(units, "fp32.lane_operations"), 0u);
}

TEST(ExecutionUnits, CountsCyclesInWhichAnyUnitIsActiveOnce) {
  ExecutionUnits units = units_of_width(8, 8);
  units.execute(UnitKind::integer, Cycle(10), 1);  // Cycles 10 to 13.
  units.execute(UnitKind::special, Cycle(12), 1);  // Cycles 12 to 15.
  units.add_active_cycles(Cycle(15), Cycles(2));   // Cycles 15 and 16.
  units.execute(UnitKind::fp64, Cycle(1000), 1);   // Cycle 1000.
  EXPECT_EQ(counter(units, "active_cycles"), 8u);
}

TEST(ExecutionUnits, RejectsInvalidDescriptions) {
  const auto expect_refused = [](UnitDescription unit, bool shared = false) {
    UnitsDescription description;
    description.shared_alu = shared;
    description.integer = unit;
    EXPECT_THROW(ExecutionUnits{description}, InputError);
  };
  expect_refused({.lanes = 0});
  expect_refused({.lanes = 12});
  expect_refused({.lanes = 64});
  expect_refused({.latency = 0});
  expect_refused({.interval = 0});
  expect_refused({.pipes = 0});
  expect_refused({.pipes = 9});
  expect_refused({.pipes = 2}, true);
}

TEST(ActiveCycles, MatchesSetOfCycles) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::mt19937_64 random(seed);
    ActiveCycles active;
    std::set<std::uint64_t> cycles;
    std::uint64_t now = 0;
    for (int step = 0; step < 2000; ++step) {
      // Most intervals are short and dense; there are pauses and long intervals. Intervals begin up
      // to 32 cycles out of order.
      now += random() % 16 == 0 ? random() % 300 : random() % 3;
      const std::uint64_t start = now + 32 - random() % 33;
      const std::uint64_t length = random() % 16 == 0 ? random() % 400 : random() % 5;
      active.add(Cycle(start), Cycles(length));
      for (std::uint64_t cycle = start; cycle < start + length; ++cycle) cycles.insert(cycle);
      ASSERT_EQ(active.count(), cycles.size()) << "seed " << seed << ", step " << step;
    }
  }
}

}  // namespace
}  // namespace heddle::sm
