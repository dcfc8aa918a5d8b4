#include "sm/memory/atomics_in_flight.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "sm/memory/atomic_static_warps.h"

namespace heddle::sm {
namespace {

using Offsets = AtomicStaticWarps::Offsets;
constexpr std::uint64_t kNowhere = AtomicStaticWarps::kNowhere;
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
  /// Sends an atomic of 4 bytes at offset 100 for lane 3 of static warp 0 (a static warp: 32
  /// consecutive threads of a block).
  std::uint32_t send_one() {
    for (std::uint32_t index = 0; index < 2; ++index) {
      static_warps.set_offsets(index, 0, index == 0 ? only(3, 100) : nowhere());
      static_warps.set_offsets(index, 1, nowhere());
    }
    static_warps.start();
    const std::uint32_t number = static_warps.capture(atomics, 0);
    atomics.mark_sent(kWarp, number);
    return number;
  }
  bool overlaps(std::uint32_t index, const Offsets& offsets, std::uint32_t bytes,
                WarpSlot warp = kWarp) {
    return atomics.overlaps(warp, static_warps.prepare_access(index, offsets), bytes);
  }

  AtomicStaticWarps static_warps;
  AtomicsInFlight atomics;
};

TEST_F(AtomicsInFlightTest, FindsOverlapWithOwnAtomicByByte) {
  send_one();
  EXPECT_TRUE(atomics.has_any(kWarp));
  EXPECT_FALSE(overlaps(0, only(3, 96), 4));
  EXPECT_TRUE(overlaps(0, only(3, 96), 8));
  EXPECT_FALSE(overlaps(0, only(3, 99), 1));
  EXPECT_TRUE(overlaps(0, only(3, 100), 1));
  EXPECT_TRUE(overlaps(0, only(3, 103), 1));
  EXPECT_FALSE(overlaps(0, only(3, 104), 1));
}

TEST_F(AtomicsInFlightTest, IgnoresAtomicsOfOtherThreads) {
  send_one();
  EXPECT_FALSE(overlaps(0, only(4, 100), 4)) << "another lane";
  EXPECT_FALSE(overlaps(1, only(3, 100), 4)) << "another static warp";
  EXPECT_FALSE(overlaps(0, only(3, 100), 4, kWarp + 1)) << "another warp slot";
  EXPECT_FALSE(atomics.has_any(kWarp + 1));
}

TEST_F(AtomicsInFlightTest, IgnoresRetiredAtomics) {
  atomics.retire(kWarp, send_one());
  EXPECT_FALSE(atomics.has_any(kWarp));
  EXPECT_FALSE(overlaps(0, only(3, 100), 4));
}

TEST_F(AtomicsInFlightTest, ReusesNumbersOfRetiredAndDiscardedAtomics) {
  const std::uint32_t first = send_one();
  const std::uint32_t second = atomics.add(static_warps.static_warp(1));
  EXPECT_NE(first, second);
  atomics.discard(second);
  EXPECT_EQ(atomics.add(static_warps.static_warp(0)), second);
  atomics.retire(kWarp, first);
  EXPECT_EQ(atomics.add(static_warps.static_warp(1)), first);
  EXPECT_EQ(atomics[first].static_warp, &static_warps.static_warp(1));
}

TEST_F(AtomicsInFlightTest, RetireWritesOldValuesToTheirStaticWarps) {
  // All lanes of both static warps add to the same word. The second static warp comes first.
  Offsets same{};
  same.fill(16);
  for (std::uint32_t index = 0; index < 2; ++index) {
    static_warps.set_offsets(index, 0, same);
    static_warps.set_offsets(index, 1, nowhere());
  }
  static_warps.start();
  const std::uint32_t first = static_warps.capture(atomics, 0),
                      second = static_warps.capture(atomics, 1);
  atomics[first].next_of_instruction = kNoAtomic;
  atomics[second].next_of_instruction = first;
  atomics.mark_sent(kWarp, second);
  for (const std::uint32_t number : {second, first}) {
    atomics[number].perform(atomics[number].work.lanes());
  }
  atomics.retire(kWarp, second);
  EXPECT_FALSE(atomics.has_any(kWarp));
  static_warps.run_to_the_end();
  for (std::size_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(static_warps.old_value(1, lane, 0), lane);
    EXPECT_EQ(static_warps.old_value(0, lane, 0), 32 + lane);
  }
}

TEST_F(AtomicsInFlightTest, OverlapMatchesModelUnderRandomTraffic) {
  // Two atomic instructions are in flight, each with lanes of both static warps. The model has a
  // set of bytes for each static warp and lane.
  std::mt19937 random(31);
  const auto any_offsets = [&](std::uint32_t bytes) {
    Offsets offsets = nowhere();
    for (std::uint64_t& offset : offsets) {
      if (random() % 2 == 0) offset = random() % (64 / bytes) * bytes;
    }
    return offsets;
  };
  int overlapping = 0, separate = 0;
  for (int round = 0; round < 400; ++round) {
    std::array<std::array<Offsets, 2>, 2> targets;  // Indexed by atomic and static warp.
    for (std::size_t number = 0; number < 2; ++number) {
      for (std::uint32_t index = 0; index < 2; ++index) {
        targets[number][index] = any_offsets(AtomicStaticWarps::kBytes[number]);
        static_warps.set_offsets(index, number, targets[number][index]);
      }
    }
    static_warps.start();
    std::array<std::uint32_t, 2> instructions{};
    for (std::uint32_t& instruction : instructions) {
      const std::uint32_t first = static_warps.capture(atomics, 0);
      instruction = static_warps.capture(atomics, 1);
      atomics[first].next_of_instruction = kNoAtomic;
      atomics[instruction].next_of_instruction = first;
      atomics.mark_sent(kWarp, instruction);
    }
    std::set<std::size_t> in_flight = {0, 1};
    while (true) {
      ASSERT_EQ(atomics.has_any(kWarp), !in_flight.empty());
      for (int access = 0; access < 5; ++access) {
        const auto index = static_cast<std::uint32_t>(random() % 2);
        const std::uint32_t bytes = 1U << random() % 5;
        Offsets offsets = any_offsets(bytes);
        // Few active lanes, so that some accesses overlap no atomic.
        for (std::uint64_t& offset : offsets) offset = random() % 8 == 0 ? offset : kNowhere;
        bool expected = false;
        for (const std::size_t number : in_flight) {
          for (std::size_t lane = 0; lane < 32; ++lane) {
            const std::uint64_t target = targets[number][index][lane];
            if (target == kNowhere || offsets[lane] == kNowhere) continue;
            std::set<std::uint64_t> taken;
            for (std::uint64_t i = 0; i < AtomicStaticWarps::kBytes[number]; ++i)
              taken.insert(target + i);
            for (std::uint64_t i = 0; i < bytes; ++i) {
              expected = expected || taken.count(offsets[lane] + i) == 1;
            }
          }
        }
        ASSERT_EQ(overlaps(index, offsets, bytes), expected) << "round " << round;
        ++(expected ? overlapping : separate);
      }
      if (in_flight.empty()) break;
      // The instructions may complete in either order.
      const std::size_t number = in_flight.size() == 1 ? *in_flight.begin() : random() % 2;
      atomics.retire(kWarp, instructions[number]);
      in_flight.erase(number);
    }
  }
  EXPECT_GT(overlapping, 500);
  EXPECT_GT(separate, 500);
}

}  // namespace
}  // namespace heddle::sm
