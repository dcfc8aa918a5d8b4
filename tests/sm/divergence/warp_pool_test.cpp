#include "sm/divergence/warp_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace heddle::sm {
namespace {

using exec::FormedThreads;

ThreadGroup group(std::uint32_t row, std::uint32_t lanes, std::uint32_t passed = 0) {
  return {.threads = FormedThreads::of_static_warp(row, LaneMask(lanes), 40),
          .passed_count = passed};
}

/// For each lane with a thread, the static warp (the 32 consecutive threads of a block) to which
/// the thread belongs.
std::map<int, std::uint32_t> threads_of(const ThreadGroup& group) {
  std::map<int, std::uint32_t> rows;
  for (const FormedThreads::Part& part : group.threads.parts) {
    for (LaneMask lanes = part.lanes; !lanes.empty(); lanes = lanes.without_lowest()) {
      EXPECT_TRUE(rows.emplace(lanes.lowest(), part.static_warp).second)
          << "a lane has at most one thread";
    }
  }
  EXPECT_EQ(static_cast<int>(rows.size()), group.threads.lanes.count());
  return rows;
}

TEST(WarpPool, FindsYoungestWarpAtInstruction) {
  WarpPool pool;
  pool.add(5, 0, 40);
  pool.add(2, 0, 40);
  pool.add(7, 0, 44);
  EXPECT_EQ(pool.youngest(0, 40), 2);
  EXPECT_EQ(pool.youngest(0, 44), 7);
  EXPECT_EQ(pool.youngest(0, 48), kNoWarp);
}

TEST(WarpPool, FindsOlderWarpAfterYoungestIsScheduled) {
  WarpPool pool;
  for (const WarpSlot warp : {1U, 9U, 4U}) pool.add(warp, 0, 40);
  pool.remove(4);
  EXPECT_EQ(pool.youngest(0, 40), 9);
  pool.remove(1);
  EXPECT_EQ(pool.youngest(0, 40), 9);
  pool.remove(9);
  EXPECT_EQ(pool.youngest(0, 40), kNoWarp);
}

TEST(WarpPool, KeepsLaunchesApart) {
  WarpPool pool;
  pool.add(0, 1, 40);
  EXPECT_EQ(pool.youngest(2, 40), kNoWarp);
  pool.add(1, 2, 40);
  EXPECT_EQ(pool.youngest(1, 40), 0);
  EXPECT_EQ(pool.youngest(2, 40), 1);
}

TEST(WarpPool, FindsYoungestAmongRandomWarps) {
  // Compares with a list of all waiting warps, in the order in which they were added.
  struct Waiting {
    WarpSlot warp;
    std::uint32_t grid, pc;
  };
  std::mt19937 random(3);
  WarpPool pool;
  std::vector<Waiting> waiting;
  for (int step = 0; step < 20000; ++step) {
    const auto warp = static_cast<WarpSlot>(random() % kMaxWarps);
    const auto found = std::find_if(waiting.begin(), waiting.end(),
                                    [&](const Waiting& other) { return other.warp == warp; });
    if (found != waiting.end()) {
      pool.remove(warp);
      waiting.erase(found);
    } else {
      // Some of these values differ only in their high bits.
      const auto pc = static_cast<std::uint32_t>(random() % 4 * 256 + random() % 3);
      waiting.push_back({warp, static_cast<std::uint32_t>(random() % 2), pc});
      pool.add(warp, waiting.back().grid, pc);
    }
    const auto pc = static_cast<std::uint32_t>(random() % 4 * 256 + random() % 3);
    const auto grid = static_cast<std::uint32_t>(random() % 2);
    WarpSlot expected = kNoWarp;
    for (const Waiting& other : waiting) {
      if (other.pc == pc && other.grid == grid) expected = other.warp;
    }
    ASSERT_EQ(pool.youngest(grid, pc), expected) << "step " << step;
  }
}

TEST(ThreadGroup, JoinsInFreeLanes) {
  ThreadGroup from = group(1, 0x00ff), into = group(2, 0xff00);
  EXPECT_TRUE(join(from, into));
  EXPECT_TRUE(from.threads.lanes.empty());
  EXPECT_TRUE(threads_of(from).empty());
  EXPECT_EQ(into.threads.pc, 40U);
  for (const auto& [lane, row] : threads_of(into)) EXPECT_EQ(row, lane < 8 ? 1U : 2U);
  EXPECT_EQ(into.threads.lanes, LaneMask(0xffff));
}

TEST(ThreadGroup, KeepsThreadsWhoseLanesAreOccupied) {
  ThreadGroup from = group(1, 0x0ff0), into = group(2, 0xff00);
  EXPECT_TRUE(join(from, into));
  EXPECT_EQ(from.threads.lanes, LaneMask(0x0f00));
  for (const auto& [lane, row] : threads_of(from)) EXPECT_EQ(row, 1U) << lane;
  EXPECT_EQ(into.threads.lanes, LaneMask(0xfff0));
  for (const auto& [lane, row] : threads_of(into)) EXPECT_EQ(row, lane < 8 ? 1U : 2U);
}

TEST(ThreadGroup, DoesNotJoinIfAllLanesAreOccupied) {
  ThreadGroup from = group(1, 0x0f00, 1), into = group(2, 0xff00, 5);
  EXPECT_FALSE(join(from, into));
  EXPECT_EQ(from.threads.lanes, LaneMask(0x0f00));
  EXPECT_EQ(into.threads.lanes, LaneMask(0xff00));
  EXPECT_EQ(into.passed_count, 5U) << "no thread joined";
}

TEST(ThreadGroup, KeepsFewestPassedPostDominatorsWhenJoined) {
  ThreadGroup behind = group(1, 0x00ff, 2), ahead = group(3, 0xf0000, 9),
              into = group(2, 0xff00, 4);
  EXPECT_TRUE(join(ahead, into));
  EXPECT_EQ(into.passed_count, 4U);
  EXPECT_TRUE(join(behind, into));
  EXPECT_EQ(into.passed_count, 2U);
}

TEST(ThreadGroup, LosesNoThreadAndChangesNoLaneWhenJoined) {
  // Compares with a table of lanes, each of which is empty or has a thread of a static warp.
  using Table = std::array<std::optional<std::uint32_t>, 32>;
  std::mt19937 random(8);
  for (int round = 0; round < 2000; ++round) {
    std::array<ThreadGroup, 2> groups;
    std::array<Table, 2> tables;
    for (std::size_t i = 0; i < 2; ++i) {
      groups[i].threads.pc = 40;
      for (int piece = 0; piece < 6; ++piece) {
        const auto row = static_cast<std::uint32_t>(random() % 48);
        const LaneMask lanes = LaneMask(static_cast<std::uint32_t>(random() & random() & random()))
                                   .without(groups[i].threads.lanes);
        if (lanes.empty()) continue;
        groups[i].threads.add({row, lanes});
        for (LaneMask rest = lanes; !rest.empty(); rest = rest.without_lowest()) {
          tables[i][static_cast<std::size_t>(rest.lowest())] = row;
        }
      }
    }
    join(groups[0], groups[1]);
    for (std::size_t lane = 0; lane < 32; ++lane) {
      if (!tables[1][lane]) tables[1][lane] = std::exchange(tables[0][lane], std::nullopt);
    }
    for (std::size_t i = 0; i < 2; ++i) {
      const std::map<int, std::uint32_t> threads = threads_of(groups[i]);
      for (int lane = 0; lane < 32; ++lane) {
        const auto found = threads.find(lane);
        const std::optional<std::uint32_t> row =
            found == threads.end() ? std::nullopt : std::optional(found->second);
        ASSERT_EQ(row, tables[i][static_cast<std::size_t>(lane)]) << "round " << round;
      }
    }
  }
}

}  // namespace
}  // namespace heddle::sm
