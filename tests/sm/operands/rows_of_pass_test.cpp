#include "sm/operands/rows_of_pass.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <queue>
#include <random>
#include <utility>
#include <vector>

#include "exec/block/warp.h"
#include "sm/divergence/sub_warps.h"

namespace heddle::sm {
namespace {

/// Rows at an instruction, which some of the threads on their paths execute.
class RowsAtWork {
 public:
  explicit RowsAtWork(std::size_t count) : warps_(std::make_unique<exec::Warp[]>(count)) {
    for (std::size_t i = 0; i < count; ++i) rows.push_back({.warp = &warps_[i]});
  }
  void set(std::size_t row, std::uint32_t home, std::uint32_t path, std::uint32_t active) {
    rows[row].home = home;
    rows[row].path = LaneMask(path);
    rows[row].warp->context.active = active;
  }
  std::span<const RowLanes> of(RowsOfPass& tested, const Pass& pass, std::size_t number) const {
    return tested.of({{0, table_, table_[0]}, rows, pass, number});
  }
  std::vector<Row> rows;

 private:
  static IssueTable table_of_one() {
    code::Program program;
    program.instructions.resize(1);
    return IssueTable(program);
  }
  std::unique_ptr<exec::Warp[]> warps_;
  IssueTable table_ = table_of_one();
};

TEST(RowsOfPass, AreTheOneWhereItsThreadsAreOfOne) {
  RowsAtWork work(2);
  work.set(0, 7, 0xff, 0x0f);
  work.set(1, 9, 0xf0f0, 0xff00);
  RowsOfPass tested;
  const auto first = work.of(tested, {.lanes = LaneMask(0xff), .row = work.rows.data()}, 0);
  ASSERT_EQ(first.size(), 1U);
  EXPECT_EQ(first[0].home, 7);
  EXPECT_EQ(first[0].path, LaneMask(0xff));
  EXPECT_EQ(first[0].active, LaneMask(0x0f));
  // A pass may have some of a row's threads.
  const auto second = work.of(tested, {.lanes = LaneMask(0xf000), .row = &work.rows[1]}, 1);
  ASSERT_EQ(second.size(), 1U);
  EXPECT_EQ(second[0].home, 9);
  EXPECT_EQ(second[0].path, LaneMask(0xf000));
  EXPECT_EQ(second[0].active, LaneMask(0xf000));
}

TEST(RowsOfPass, AreNotThoseOfTheInstructionBefore) {
  RowsAtWork work(2);
  RowsOfPass tested;
  work.set(0, 0, 0b01, 0b01);
  work.set(1, 1, 0b11, 0b11);
  ASSERT_EQ(work.of(tested, {.lanes = LaneMask(0b11)}, 0).size(), 2U);
  ASSERT_EQ(work.of(tested, {.lanes = LaneMask(0b01)}, 1).size(), 1U);
  work.set(0, 4, 0b100, 0);
  work.set(1, 5, 0b011, 0b001);
  const auto rows = work.of(tested, {.lanes = LaneMask(0b111)}, 0);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].home, 4);
  EXPECT_EQ(rows[0].path, LaneMask(0b100));
  EXPECT_EQ(rows[0].active, LaneMask());
  EXPECT_EQ(rows[1].home, 5);
  EXPECT_EQ(rows[1].path, LaneMask(0b011));
  EXPECT_EQ(rows[1].active, LaneMask(0b001));
}

TEST(RowsOfPass, HaveTheThreadsOfTheSubWarps) {
  // Against a queue of threads for each column, of which each pass takes one.
  struct Thread {
    std::uint32_t home;
    bool executes;
  };
  std::mt19937 random(29);
  const auto any_mask = [&] { return static_cast<std::uint32_t>(random()); };
  RowsOfPass tested;
  std::vector<Pass> sub_warps;
  for (int round = 0; round < 500; ++round) {
    const std::size_t count = 2 + random() % 7;
    RowsAtWork work(count);
    std::array<std::queue<Thread>, 32> columns;
    for (std::size_t row = 0; row < count; ++row) {
      const std::uint32_t path = random() % 4 == 0 ? ~0U : any_mask() & any_mask();
      // What others have set does not matter.
      const std::uint32_t active = random() % 2 == 0 ? ~0U : any_mask();
      const auto home = static_cast<std::uint32_t>(10 * row + random() % 10);
      work.set(row, home, path, active);
      for (std::size_t lane = 0; lane < 32; ++lane) {
        if ((path >> lane & 1) != 0) columns[lane].push({home, (active >> lane & 1) != 0});
      }
    }
    pack_sub_warps(work.rows, sub_warps);
    for (std::size_t i = 0; i < sub_warps.size(); ++i) {
      const auto rows = work.of(tested, sub_warps[i], i);
      for (std::size_t lane = 0; lane < 32; ++lane) {
        std::vector<std::pair<std::uint32_t, bool>> found, expected;
        for (const RowLanes& row : rows) {
          const int at = static_cast<int>(lane);
          if (row.path.contains(at)) found.emplace_back(row.home, row.active.contains(at));
        }
        if (!columns[lane].empty()) {
          const Thread thread = columns[lane].front();
          columns[lane].pop();
          expected.emplace_back(thread.home, thread.executes);
        }
        ASSERT_EQ(found, expected) << "round " << round << ", pass " << i << ", lane " << lane;
      }
    }
    for (const auto& column : columns) ASSERT_TRUE(column.empty());
  }
}

}  // namespace
}  // namespace heddle::sm
