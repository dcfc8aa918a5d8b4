#include "memory/lane_addresses.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace heddle::memory {
namespace {

TEST(LaneAddresses, RecognisesRunsOfNeighbouringLanes) {
  const auto expect_run = [](std::uint32_t bits, int first, int count) {
    const std::optional<LaneRun> run = as_run(LaneMask(bits));
    ASSERT_TRUE(run.has_value()) << bits;
    EXPECT_EQ(run->first, first);
    EXPECT_EQ(run->count, count);
  };
  expect_run(0xffffffff, 0, 32);
  expect_run(1, 0, 1);
  expect_run(0x80000000, 31, 1);
  expect_run(0xfffffffe, 1, 31);
  expect_run(0x0ff0, 4, 8);
  EXPECT_FALSE(as_run(LaneMask(0b101)).has_value());
  EXPECT_FALSE(as_run(LaneMask(0x80000001)).has_value());
  EXPECT_FALSE(as_run(LaneMask(0x7ffffffd)).has_value());
}

TEST(LaneAddresses, ChecksStepOnlyWithinTheRun) {
  LaneAddresses addresses{};
  for (std::uint64_t lane = 0; lane < kWarpSize; ++lane) addresses[lane] = 1000 + lane * 12;
  for (int first = 0; first < kWarpSize; ++first) {
    for (int count = 1; first + count <= kWarpSize; ++count) {
      EXPECT_TRUE(has_step(addresses, {first, count}, 12));
      EXPECT_EQ(has_step(addresses, {first, count}, 8), count == 1);
      for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
        LaneAddresses changed = addresses;
        changed[lane] ^= std::uint64_t{1} << 63;
        const bool in_run = lane >= static_cast<std::size_t>(first) &&
                            lane < static_cast<std::size_t>(first + count);
        ASSERT_EQ(has_step(changed, {first, count}, 12), !in_run || count == 1)
            << "lanes " << first << " + " << count << ", lane " << lane << " changed";
      }
    }
  }
}

TEST(LaneAddresses, FindsBitsInWhichAddressesOfLanesDiffer) {
  LaneAddresses addresses;
  addresses.fill(0x1000);
  EXPECT_EQ(differing_bits(addresses, LaneMask::all()), 0U);
  addresses[7] = 0x1004;
  addresses[31] = 0x2000;
  EXPECT_EQ(differing_bits(addresses, LaneMask::all()), 0x3004U);
  EXPECT_EQ(differing_bits(addresses, LaneMask::first_lanes(31)), 0x4U);
  EXPECT_EQ(differing_bits(addresses, LaneMask(1U << 31 | 1U << 7)), 0x3004U);
  EXPECT_EQ(differing_bits(addresses, LaneMask(1U << 31)), 0U);
}

TEST(ValueNumbers, NumbersDistinctValuesInOrder) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 5000; ++round) {
    const std::uint64_t different = 1 + random() % 40;
    const std::uint64_t step = random() % 2 == 0 ? 1 : random();
    ValueNumbers numbers;
    std::map<std::uint64_t, std::uint32_t> expected;
    for (int i = 0; i < kWarpSize; ++i) {
      const std::uint64_t value = random() % different * step;
      const auto next = static_cast<std::uint32_t>(expected.size());
      ASSERT_EQ(numbers.size(), next);
      ASSERT_EQ(numbers.number_of(value), expected.emplace(value, next).first->second);
    }
  }
}

}  // namespace
}  // namespace heddle::memory
