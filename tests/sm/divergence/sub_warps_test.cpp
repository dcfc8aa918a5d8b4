#include "sm/divergence/sub_warps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <utility>

namespace heddle::sm {
namespace {

std::vector<StaticWarp> rows_of(const std::vector<std::uint32_t>& masks) {
  std::vector<StaticWarp> rows;  // A row: a static warp of the large warp.
  for (const std::uint32_t mask : masks) rows.push_back({.path = LaneMask(mask)});
  return rows;
}

std::vector<std::uint32_t> masks_of(const std::vector<Pass>& passes) {
  std::vector<std::uint32_t> masks;
  for (const Pass& pass : passes) masks.push_back(pass.lanes.bits());
  return masks;
}

TEST(SubWarps, AreAsManyAsThreadsInFullestColumn) {
  // As in figure 7 of the paper: 32 threads in 8 rows of four columns, which have 3, 3, 4 and 3
  // active threads. The first column is bit 0.
  const std::vector<StaticWarp> rows =
      rows_of({0b1100, 0b0010, 0b0101, 0b0010, 0b1001, 0b0100, 0b0111, 0b1000});
  std::vector<Pass> passes;
  pack_sub_warps(rows, passes);
  EXPECT_EQ(masks_of(passes), (std::vector<std::uint32_t>{0b1111, 0b1111, 0b1111, 0b0100}));
}

TEST(SubWarps, EqualRowsIfRowsAreFull) {
  const std::vector<StaticWarp> rows = rows_of({~0U, ~0U, ~0U});
  std::vector<Pass> passes;
  pack_sub_warps(rows, passes);
  ASSERT_EQ(passes.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(passes[i].lanes, LaneMask::all());
    EXPECT_EQ(passes[i].static_warp, &rows[i]);
  }
}

TEST(SubWarps, MergeRowsInDifferentLanes) {
  const std::vector<StaticWarp> rows = rows_of({0x0000ffff, 0xffff0000});
  std::vector<Pass> passes;
  pack_sub_warps(rows, passes);
  ASSERT_EQ(passes.size(), 1U);
  EXPECT_EQ(passes[0].lanes, LaneMask::all());
  EXPECT_EQ(passes[0].static_warp, nullptr) << "the pass has threads of two rows";
}

TEST(SubWarps, AreNoneWithoutThreads) {
  const std::vector<StaticWarp> rows = rows_of({0, 0});
  std::vector<Pass> passes{{.lanes = LaneMask::all()}};
  pack_sub_warps(rows, passes);
  EXPECT_TRUE(passes.empty());
}

TEST(SubWarps, TakeNextThreadOfEveryColumnInEachCycle) {
  // A column is one lane of all rows. The test examines one column after another, cycle by cycle.
  std::mt19937 random(17);
  for (int round = 0; round < 3000; ++round) {
    std::vector<std::uint32_t> masks(1 + random() % 32);
    for (std::uint32_t& mask : masks) {
      mask = static_cast<std::uint32_t>(random());
      for (std::uint32_t thinner = random() % 4; thinner > 0; --thinner) {
        mask &= static_cast<std::uint32_t>(random());
      }
      if (random() % 8 == 0) mask = ~0U;
      if (random() % 8 == 0) mask = 0;
    }
    const std::vector<StaticWarp> rows = rows_of(masks);
    std::vector<Pass> passes;
    pack_sub_warps(rows, passes);

    std::array<std::size_t, 32> next{};  // The next row to examine, by column.
    for (std::size_t cycle = 0;; ++cycle) {
      std::uint32_t expected = 0;
      std::vector<std::size_t> source_rows;
      for (std::size_t column = 0; column < 32; ++column) {
        while (next[column] < masks.size() && (masks[next[column]] >> column & 1) == 0) {
          ++next[column];
        }
        if (next[column] == masks.size()) continue;
        expected |= 1U << column;
        source_rows.push_back(next[column]++);
      }
      if (expected == 0) {
        ASSERT_EQ(passes.size(), cycle);
        break;
      }
      ASSERT_LT(cycle, passes.size());
      ASSERT_EQ(passes[cycle].lanes.bits(), expected) << "round " << round << ", cycle " << cycle;
      const bool is_one_row =
          std::all_of(source_rows.begin(), source_rows.end(),
                      [&](std::size_t row) { return row == source_rows.front(); });
      ASSERT_EQ(passes[cycle].static_warp, is_one_row ? &rows[source_rows.front()] : nullptr);
    }
  }
}

}  // namespace
}  // namespace heddle::sm
