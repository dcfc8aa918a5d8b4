#include "sm/selection/selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sm/hazards_fixture.h"
#include "sm/schedule/fake_core.h"

namespace heddle::sm {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

/// Two schedulers: one for the even warp slots and one for the odd ones. A picked warp occupies its
/// unit for four cycles.
class SelectionTest : public HazardsFixture {
 protected:
  Selection& selection() {
    if (!selection_) selection_.emplace(warps, schedulers, std::span(&hazards(), 1), &wrong_paths);
    return *selection_;
  }
  /// Selects in cycle `now`. Returns the picked warps, in order.
  std::vector<std::pair<WarpSlot, IssueKind>> select(std::uint64_t now) {
    std::vector<std::pair<WarpSlot, IssueKind>> picked;
    cycle = selection().select(Cycle(now), [&](WarpSlot warp, IssueKind kind) {
      picked.emplace_back(warp, kind);
      const std::uint32_t pc = kind == IssueKind::normal ? warps[warp].pc : wrong_paths.pc(warp);
      units.execute(grid.table[pc].unit, Cycle(now), 1);
      if (kind == IssueKind::normal) {
        warps.issue(warp);
      } else {
        wrong_paths.issue(warp);
      }
    });
    return picked;
  }

  WarpSchedulers schedulers{{.schedulers = 2}, 1, warps.all(), test::unseen_core()};
  WrongPaths wrong_paths{WrongPaths::kMaxInstructions};
  IssueCycle cycle;  ///< The result of the last select().

 private:
  std::optional<Selection> selection_;
};

TEST_F(SelectionTest, LetsEachSchedulerPickOneWarp) {
  make_ready(0, Resource::integer);
  make_ready(1, Resource::fp32);
  make_ready(2, Resource::fp64);
  EXPECT_THAT(select(100), ElementsAre(Pair(0, IssueKind::normal), Pair(1, IssueKind::normal)));
  EXPECT_EQ(cycle.issued, 2u);
  EXPECT_EQ(cycle.idle, 0u);
  EXPECT_EQ(cycle.eligible, set_of(0) | set_of(1) | set_of(2));
}

TEST_F(SelectionTest, LetsLaterSchedulerFindUnitTakenByEarlierOne) {
  make_ready(0, Resource::integer);
  make_ready(1, Resource::integer);
  EXPECT_THAT(select(100), ElementsAre(Pair(0, IssueKind::normal)));
  EXPECT_EQ(cycle.idle, 0b10u);
  EXPECT_EQ(selection().next_change(Cycle(101)), Cycle(104));
  EXPECT_THAT(select(103), IsEmpty());
  EXPECT_THAT(select(104), ElementsAre(Pair(1, IssueKind::normal)));
}

TEST_F(SelectionTest, LetsSchedulersTakeTurns) {
  make_ready(0, Resource::integer);
  make_ready(1, Resource::integer);
  EXPECT_THAT(select(101), ElementsAre(Pair(1, IssueKind::normal)));
}

TEST_F(SelectionTest, AddsWarpsOnWrongPathsWhoseInstructionIsDueAndFindsSpace) {
  const auto integer = static_cast<std::uint32_t>(Resource::integer);
  take_slot_for(warps, grid, 0, Resource::integer);  // It waits for its branch.
  wrong_paths.begin(0, integer, Cycle(102), Cycle(120));
  wrong_paths.add(0, Cycle(0));
  EXPECT_THAT(select(101), IsEmpty());
  EXPECT_EQ(selection().next_change(Cycle(101)), Cycle(102));
  units.execute(UnitKind::integer, Cycle(101), 1);
  EXPECT_THAT(select(104), IsEmpty()) << "the unit is taken until 105";
  EXPECT_THAT(select(105), ElementsAre(Pair(0, IssueKind::wrong_path)));
  EXPECT_EQ(cycle.speculative, 1u);
  EXPECT_EQ(cycle.issued, 0u);
  EXPECT_THAT(select(109), IsEmpty()) << "the path had one instruction";
}

/// Two sub-cores with a scheduler each. Even warp slots belong to the first, odd ones to the
/// second.
class SubCoreSelectionTest : public HazardsFixture {
 protected:
  std::vector<WarpSlot> select(std::uint64_t now) {
    std::vector<WarpSlot> picked;
    selection.select(Cycle(now), [&](WarpSlot warp, IssueKind) {
      picked.push_back(warp);
      warps.issue(warp);
    });
    return picked;
  }

  static constexpr WarpSet kEven = 0x5555;
  std::unique_ptr<Operands> operands = make_operands(OperandDescription());
  ExecutionUnits odd_units = units;
  std::vector<StructuralHazards> both{{kEven, warps, *operands, units, unit()},
                                      {kEven << 1, warps, *operands, odd_units, unit()}};
  WarpSchedulers schedulers{{.schedulers = 1}, 2, warps.all(), test::unseen_core()};
  Selection selection{warps, schedulers, both, nullptr};
};

TEST_F(SubCoreSelectionTest, AsksOnlyForUnitsOfWarpsOwnSubCore) {
  make_ready(0, Resource::integer);
  make_ready(1, Resource::integer);
  odd_units.execute(UnitKind::integer, Cycle(100), 1);
  EXPECT_THAT(select(100), ElementsAre(0));
  EXPECT_EQ(selection.next_change(Cycle(101)), Cycle(104)) << "the odd unit is free again";
  make_ready(2, Resource::integer);
  units.execute(UnitKind::integer, Cycle(104), 1);
  EXPECT_THAT(select(104), ElementsAre(1));
}

TEST_F(SelectionTest, FindsSpaceInQueueThatReadyWarpNeeds) {
  make_ready(0, Resource::global);
  fill(MemoryPath::global, 0);
  EXPECT_FALSE(selection().has_space_for_memory());
  make_ready(1, Resource::shared);
  EXPECT_TRUE(selection().has_space_for_memory());
}

}  // namespace
}  // namespace heddle::sm
