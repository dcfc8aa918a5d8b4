#include "gpu/team.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace heddle::gpu {
namespace {

TEST(Team, RunsEachItemOnce) {
  for (const std::uint32_t threads : {1U, 2U, 3U, 8U}) {
    Team team(threads);
    for (std::uint32_t count = 0; count < 50; ++count) {
      std::vector<std::atomic<int>> done(count);
      team.run(
          count, [&](std::uint32_t i) { ++done[i]; },
          count % 3 == 0 ? Team::Order::backwards : Team::Order::forwards);
      for (const auto& times : done) EXPECT_EQ(times, 1) << threads << " threads, " << count;
    }
  }
}

TEST(Team, WorksWithFewerThreadsThanRequested) {
  for (const std::uint32_t possible : {0U, 1U, 3U}) {
    std::uint32_t started = 0;
    Team team(8, [&](std::function<void()> serve) {
      if (started == possible) {
        throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
      }
      ++started;
      return std::jthread(std::move(serve));
    });
    EXPECT_EQ(team.size(), possible + 1);
    for (int step = 0; step < 20; ++step) {
      std::vector<std::atomic<int>> done(40);
      team.run(40, [&](std::uint32_t i) { ++done[i]; });
      for (const auto& times : done) EXPECT_EQ(times, 1);
    }
  }
}

TEST(Team, RunsItemsInTheRequestedOrderOnOneThread) {
  Team team(1);
  std::vector<std::uint32_t> order;
  team.run(3, [&](std::uint32_t i) { order.push_back(i); });
  team.run(
      3, [&](std::uint32_t i) { order.push_back(i); }, Team::Order::backwards);
  EXPECT_EQ(order, (std::vector<std::uint32_t>{0, 1, 2, 2, 1, 0}));
}

TEST(Team, MakesWritesOfOneStepVisibleToTheNext) {
  Team team(2);
  std::vector<std::uint32_t> values(15, 0);
  for (std::uint32_t step = 1; step <= 2000; ++step) {
    std::vector<std::uint32_t> next(values.size());
    team.run(15, [&](std::uint32_t i) { next[i] = values[(i + 7) % 15] + 1; });
    values = next;
  }
  for (const std::uint32_t value : values) EXPECT_EQ(value, 2000u);
}

TEST(Team, RebalancesWorkOfASlowMember) {
  // The first of two threads has the first half of the items. It blocks in item 0 until all other
  // items are done, so the second thread must execute the rest of the first half, too.
  Team team(2);
  std::atomic<int> others = 0;
  team.run(8, [&](std::uint32_t i) {
    if (i != 0) {
      ++others;
      return;
    }
    while (others != 7) std::this_thread::yield();
  });
  EXPECT_EQ(others, 7);
}

}  // namespace
}  // namespace heddle::gpu
