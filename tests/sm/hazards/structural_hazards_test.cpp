#include "sm/hazards/structural_hazards.h"

#include <gtest/gtest.h>

#include "sm/hazards_fixture.h"

namespace heddle::sm {
namespace {

class StructuralHazardsTest : public HazardsFixture {
 protected:
  WarpSet stuck_warps(std::uint64_t now) {
    return hazards().stuck_warps(warps.ready(), Cycle(now));
  }
};

TEST_F(StructuralHazardsTest, ReportsNoStuckWarpIfNothingIsBusy) {
  make_all_ready();
  EXPECT_EQ(stuck_warps(0), 0u);
  EXPECT_TRUE(hazards().has_space_for_memory());
}

TEST_F(StructuralHazardsTest, ReportsWarpStuckOnlyWhileItsUnitIsBusy) {
  make_all_ready();
  for (const auto& [resource, kind] : kUnitResources) {
    const auto start = static_cast<std::uint64_t>(100 * (1 + static_cast<int>(kind)));
    units.execute(kind, Cycle(start), 1);
    EXPECT_EQ(stuck_warps(start + 3), warp_for(resource));
    EXPECT_EQ(stuck_warps(start + 4), 0u);
  }
}

TEST_F(StructuralHazardsTest, LetsInstructionIssueReadLatencyBeforeUnitIsFree) {
  describe_operands({"policy=banked", "read_cycles=3"});
  make_ready(0, Resource::fp32);
  units.execute(UnitKind::fp32, Cycle(100), 2);
  EXPECT_EQ(stuck_warps(104), set_of(0));
  EXPECT_EQ(stuck_warps(105), 0u) << "three cycles before 108";
  EXPECT_EQ(hazards().next_space(Cycle(100)), Cycle(105));
}

TEST_F(StructuralHazardsTest, ReportsWarpStuckWhileItsMemoryQueueIsFull) {
  for (const auto& [resource, path] : kMemoryResources) {
    const WarpSlot warp = static_cast<WarpSlot>(resource);
    make_ready(warp, resource);
    EXPECT_EQ(stuck_warps(0), 0u);
    EXPECT_TRUE(hazards().has_space_for_memory());
    fill(path, 0);
    EXPECT_EQ(stuck_warps(0), set_of(warp));
    EXPECT_FALSE(hazards().has_space_for_memory());
    warps.issue(warp);
  }
}

TEST_F(StructuralHazardsTest, IgnoresSpaceInQueueThatNoWarpNeeds) {
  make_ready(0, Resource::integer);
  EXPECT_FALSE(hazards().has_space_for_memory());
}

TEST_F(StructuralHazardsTest, ReportsWarpsStuckIfNoCollectorIsFree) {
  describe_operands({"policy=banked", "collectors=1", "banks=1", "read_cycles=2"});
  make_all_ready();
  collect(3, 50);  // It reads a register in each of cycles 50, 51 and 52.
  EXPECT_TRUE(hazards().are_collectors_full(Cycle(53)));
  EXPECT_EQ(stuck_warps(53), warps.ready() & ~warp_for(Resource::none));
  EXPECT_FALSE(hazards().are_collectors_full(Cycle(54)));
  EXPECT_EQ(stuck_warps(54), 0u);
}

TEST_F(StructuralHazardsTest, ReportsOnlyWarpsOfGivenSet) {
  make_ready(1, Resource::fp64);
  make_ready(2, Resource::fp64);
  units.execute(UnitKind::fp64, Cycle(10), 1);
  EXPECT_EQ(hazards().stuck_warps(set_of(2), Cycle(10)), set_of(2));
}

TEST_F(StructuralHazardsTest, FindsNextSpaceOfFirstUnitThatIsWaitedFor) {
  units.execute(UnitKind::fp32, Cycle(100), 1);
  units.execute(UnitKind::fp64, Cycle(100), 3);
  EXPECT_EQ(hazards().next_space(Cycle(100)), Cycle::never()) << "no warp waits";
  make_ready(0, Resource::fp64);
  EXPECT_EQ(hazards().next_space(Cycle(100)), Cycle(112));
  make_ready(1, Resource::fp32);
  EXPECT_EQ(hazards().next_space(Cycle(100)), Cycle(104));
  EXPECT_EQ(hazards().next_space(Cycle(103)), Cycle(104));
  EXPECT_EQ(hazards().next_space(Cycle(104)), Cycle(105)) << "there is space at once";
}

TEST_F(StructuralHazardsTest, FindsNextSpaceOfCollector) {
  describe_operands({"policy=banked", "collectors=1", "banks=1", "read_cycles=2"});
  make_ready(0, Resource::global);
  collect(3, 50);
  EXPECT_EQ(hazards().next_space(Cycle(50)), Cycle(54));
  EXPECT_EQ(hazards().next_space(Cycle(53)), Cycle(54));
  EXPECT_EQ(hazards().next_space(Cycle(54)), Cycle::never()) << "memory queues are not considered";
}

TEST_F(StructuralHazardsTest, SortsThrottledWarpsByNeed) {
  make_all_ready();
  const StructuralHazards::ThrottledWarps all = hazards().throttled(warps.ready());
  EXPECT_EQ(all.lg, warp_for(Resource::global));
  EXPECT_EQ(all.mio, warp_for(Resource::shared) | warp_for(Resource::constant) |
                         warp_for(Resource::texture));
  EXPECT_EQ(all.math, warps.ready() & ~all.lg & ~all.mio);
  const StructuralHazards::ThrottledWarps one = hazards().throttled(warp_for(Resource::shared));
  EXPECT_EQ(one.math | one.lg, 0u);
  EXPECT_EQ(one.mio, warp_for(Resource::shared));
}

}  // namespace
}  // namespace heddle::sm
