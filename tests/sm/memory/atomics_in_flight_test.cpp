#include "sm/memory/atomics_in_flight.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "sm/memory/atomic_rows.h"

namespace heddle::sm {
namespace {

using Offsets = AtomicRows::Offsets;
constexpr std::uint64_t kNowhere = AtomicRows::kNowhere;
constexpr WarpSlot kWarp = 5;

Offsets nowhere() {
  Offsets offsets{};
  offsets.fill(kNowhere);
  return offsets;
}
Offsets only(std::size_t lane, std::uint64_t offset) {
  Offsets offsets = nowhere();
  offsets[lane] = offset;
  return offsets;
}

class AtomicsInFlightTest : public testing::Test {
 protected:
  /// Lane 3 of row 0 has an atomic of 4 bytes at 100 in flight.
  std::uint32_t send_one() {
    for (std::uint32_t row = 0; row < 2; ++row) {
      rows.aim(row, 0, row == 0 ? only(3, 100) : nowhere());
      rows.aim(row, 1, nowhere());
    }
    rows.start();
    const std::uint32_t number = rows.capture(atomics, 0);
    atomics.sent(kWarp, number);
    return number;
  }
  bool meets(std::uint32_t row, const Offsets& offsets, std::uint32_t bytes,
             WarpSlot warp = kWarp) {
    return atomics.meets(warp, rows.about_to_access(row, offsets), bytes);
  }

  AtomicRows rows;
  AtomicsInFlight atomics;
};

TEST_F(AtomicsInFlightTest, AThreadMeetsItsOwnAtomicToTheByte) {
  send_one();
  EXPECT_TRUE(atomics.any(kWarp));
  EXPECT_FALSE(meets(0, only(3, 96), 4));
  EXPECT_TRUE(meets(0, only(3, 96), 8));
  EXPECT_FALSE(meets(0, only(3, 99), 1));
  EXPECT_TRUE(meets(0, only(3, 100), 1));
  EXPECT_TRUE(meets(0, only(3, 103), 1));
  EXPECT_FALSE(meets(0, only(3, 104), 1));
}

TEST_F(AtomicsInFlightTest, NobodyMeetsTheAtomicsOfOthers) {
  send_one();
  EXPECT_FALSE(meets(0, only(4, 100), 4)) << "another lane";
  EXPECT_FALSE(meets(1, only(3, 100), 4)) << "another row";
  EXPECT_FALSE(meets(0, only(3, 100), 4, kWarp + 1)) << "another slot";
  EXPECT_FALSE(atomics.any(kWarp + 1));
}

TEST_F(AtomicsInFlightTest, WhatHasBeenTakenBackIsMetByNobody) {
  atomics.take_back(kWarp, send_one());
  EXPECT_FALSE(atomics.any(kWarp));
  EXPECT_FALSE(meets(0, only(3, 100), 4));
}

TEST_F(AtomicsInFlightTest, ANumberIsFreeAgainWhenItsAtomicIsTakenBackOrDiscarded) {
  const std::uint32_t first = send_one();
  const std::uint32_t second = atomics.add(rows.row(1));
  EXPECT_NE(first, second);
  atomics.discard(second);
  EXPECT_EQ(atomics.add(rows.row(0)), second);
  atomics.take_back(kWarp, first);
  EXPECT_EQ(atomics.add(rows.row(1)), first);
  EXPECT_EQ(atomics[first].row, &rows.row(1));
}

TEST_F(AtomicsInFlightTest, OldValuesGoToTheRowsThatTheyBelongTo) {
  // All lanes of both rows add to the same word, the second row first.
  Offsets same{};
  same.fill(16);
  for (std::uint32_t row = 0; row < 2; ++row) {
    rows.aim(row, 0, same);
    rows.aim(row, 1, nowhere());
  }
  rows.start();
  const std::uint32_t first = rows.capture(atomics, 0), second = rows.capture(atomics, 1);
  atomics[first].next_of_instruction = kNoAtomic;
  atomics[second].next_of_instruction = first;
  atomics.sent(kWarp, second);
  for (const std::uint32_t number : {second, first}) {
    atomics[number].perform(atomics[number].work.lanes());
  }
  atomics.take_back(kWarp, second);
  EXPECT_FALSE(atomics.any(kWarp));
  rows.run_to_the_end();
  for (std::size_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(rows.old_value(1, lane, 0), lane);
    EXPECT_EQ(rows.old_value(0, lane, 0), 32 + lane);
  }
}

TEST_F(AtomicsInFlightTest, AreMetWhereBytesAreShared) {
  // Against sets of bytes, by row and lane, while two instructions of both rows are in flight.
  std::mt19937 random(31);
  const auto any_offsets = [&](std::uint32_t bytes) {
    Offsets offsets = nowhere();
    for (std::uint64_t& offset : offsets) {
      if (random() % 2 == 0) offset = random() % (64 / bytes) * bytes;
    }
    return offsets;
  };
  int met = 0, missed = 0;
  for (int round = 0; round < 400; ++round) {
    std::array<std::array<Offsets, 2>, 2> aims;  // By atomic and row.
    for (std::size_t number = 0; number < 2; ++number) {
      for (std::uint32_t row = 0; row < 2; ++row) {
        aims[number][row] = any_offsets(AtomicRows::kBytes[number]);
        rows.aim(row, number, aims[number][row]);
      }
    }
    rows.start();
    std::array<std::uint32_t, 2> instructions{};
    for (std::uint32_t& instruction : instructions) {
      const std::uint32_t first = rows.capture(atomics, 0);
      instruction = rows.capture(atomics, 1);
      atomics[first].next_of_instruction = kNoAtomic;
      atomics[instruction].next_of_instruction = first;
      atomics.sent(kWarp, instruction);
    }
    std::set<std::size_t> in_flight = {0, 1};
    while (true) {
      ASSERT_EQ(atomics.any(kWarp), !in_flight.empty());
      for (int access = 0; access < 5; ++access) {
        const auto row = static_cast<std::uint32_t>(random() % 2);
        const std::uint32_t bytes = 1U << random() % 5;
        Offsets offsets = any_offsets(bytes);
        // Mostly so few that there is a chance not to meet any.
        for (std::uint64_t& offset : offsets) offset = random() % 8 == 0 ? offset : kNowhere;
        bool expected = false;
        for (const std::size_t number : in_flight) {
          for (std::size_t lane = 0; lane < 32; ++lane) {
            const std::uint64_t there = aims[number][row][lane];
            if (there == kNowhere || offsets[lane] == kNowhere) continue;
            std::set<std::uint64_t> taken;
            for (std::uint64_t i = 0; i < AtomicRows::kBytes[number]; ++i) taken.insert(there + i);
            for (std::uint64_t i = 0; i < bytes; ++i) {
              expected = expected || taken.count(offsets[lane] + i) == 1;
            }
          }
        }
        ASSERT_EQ(meets(row, offsets, bytes), expected) << "round " << round;
        ++(expected ? met : missed);
      }
      if (in_flight.empty()) break;
      // They may come back in either order.
      const std::size_t number = in_flight.size() == 1 ? *in_flight.begin() : random() % 2;
      atomics.take_back(kWarp, instructions[number]);
      in_flight.erase(number);
    }
  }
  EXPECT_GT(met, 500);
  EXPECT_GT(missed, 500);
}

}  // namespace
}  // namespace heddle::sm
