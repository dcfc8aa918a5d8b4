// ExecutionUnits::execute_slices(), with which only some of a warp's slices occupy the unit. A
// slice is the part of a warp that enters a unit in one cycle.

#include <gtest/gtest.h>

#include "sm/units/execution_units.h"

namespace heddle::sm {
namespace {

ExecutionUnits units_of(const UnitDescription& integer, bool chained = false) {
  UnitsDescription description;
  description.integer = integer;
  description.chained = chained;
  return ExecutionUnits(description);
}

TEST(Slices, OccupyUnitAndLeaveLatencyOfWholeWarp) {
  for (const std::uint32_t slices : {1U, 2U, 3U}) {
    ExecutionUnits units = units_of({.lanes = 8, .latency = 10, .interval = 3});
    // Without slices left out, the fourth would start 9 cycles after the first.
    EXPECT_EQ(units.execute_slices(UnitKind::integer, Cycle(100), 1, slices),
              Cycle(100 + 3 * 3 + 10));
    EXPECT_EQ(units.free_from(UnitKind::integer), Cycle(100 + 3 * slices));
  }
}

TEST(Slices, BehaveAsWholeWarpIfNoneIsLeftOut) {
  for (const bool chained : {false, true}) {
    for (const std::uint32_t lanes : {1U, 8U, 32U}) {
      for (const std::uint32_t slices : {32 / lanes, 32 / lanes + 1, 32U}) {
        for (const std::uint32_t expansion : {1U, 4U}) {
          ExecutionUnits whole = units_of({.lanes = lanes, .latency = 7, .interval = 2}, chained);
          ExecutionUnits some = units_of({.lanes = lanes, .latency = 7, .interval = 2}, chained);
          EXPECT_EQ(some.execute_slices(UnitKind::integer, Cycle(9), expansion, slices),
                    whole.execute(UnitKind::integer, Cycle(9), expansion));
          EXPECT_EQ(some.free_from(UnitKind::integer), whole.free_from(UnitKind::integer));
        }
      }
    }
  }
}

TEST(Slices, RepeatForExpandedInstruction) {
  ExecutionUnits units = units_of({.lanes = 8, .latency = 10});
  // Four instructions of one slice each. In a whole warp, the last would start in cycle 3 * 4, and
  // its last slice 3 cycles later.
  EXPECT_EQ(units.execute_slices(UnitKind::integer, Cycle(0), 4, 1), Cycle(3 * 4 + 3 + 10));
  EXPECT_EQ(units.free_from(UnitKind::integer), Cycle(4));
  // The next one waits for the unit only.
  EXPECT_EQ(units.execute_slices(UnitKind::integer, Cycle(0), 1, 1), Cycle(4 + 3 + 10));
}

TEST(Slices, LeaveLatencyOfChainedUnit) {
  // Readers of the same width need the first slice's results first. Those of twice the width need
  // the third and fourth slice two cycles after they can start.
  for (const std::uint32_t reader : {8U, 16U}) {
    UnitsDescription description;
    for (UnitDescription* unit :
         {&description.integer, &description.fp32, &description.fp64, &description.special}) {
      *unit = {.lanes = 8, .latency = 10};
    }
    description.special.lanes = reader;
    description.chained = true;
    const std::uint32_t lag = reader == 8 ? 0 : 2;
    ExecutionUnits units(description);
    EXPECT_EQ(units.execute(UnitKind::integer, Cycle(0), 1), Cycle(10 + lag));
    EXPECT_EQ(units.execute_slices(UnitKind::integer, Cycle(4), 1, 2), Cycle(14 + lag));
    EXPECT_EQ(units.execute_slices(UnitKind::integer, Cycle(6), 1, 1), Cycle(16 + lag));
    EXPECT_EQ(units.free_from(UnitKind::integer), Cycle(7));
  }
}

}  // namespace
}  // namespace heddle::sm
