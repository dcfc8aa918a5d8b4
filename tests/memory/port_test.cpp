#include "memory/port.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>
#include <vector>

namespace heddle::memory {
namespace {

std::uint64_t ceiling(std::uint64_t a, std::uint64_t b) { return a / b + (a % b > 0 ? 1 : 0); }

TEST(Port, StartsTransferAtOnceWhenFree) {
  Port port({.bytes = 32, .cycles = 1});
  EXPECT_EQ(port.free_from(), Cycle(0));
  EXPECT_EQ(port.book(Cycle(7), 32), Cycle(8));
  EXPECT_EQ(port.free_from(), Cycle(8));
  EXPECT_EQ(port.book(Cycle(8), 64), Cycle(10));
  EXPECT_EQ(port.book(Cycle(100), 1), Cycle(101));
}

TEST(Port, SerialisesTransfers) {
  Port port({.bytes = 32, .cycles = 1});
  EXPECT_EQ(port.book(Cycle(10), 128), Cycle(14));
  EXPECT_EQ(port.book(Cycle(10), 32), Cycle(15));
  EXPECT_EQ(port.book(Cycle(14), 32), Cycle(16));
  EXPECT_EQ(port.book(Cycle(16), 32), Cycle(17));
  EXPECT_EQ(port.book(Cycle(18), 32), Cycle(19));
}

TEST(Port, StartsBackToBackTransferMidCycle) {
  Port port({.bytes = 2, .cycles = 1});
  EXPECT_EQ(port.book(Cycle(0), 3), Cycle(2));
  EXPECT_EQ(port.free_from(), Cycle(1));
  EXPECT_EQ(port.book(Cycle(0), 3), Cycle(3));
  EXPECT_EQ(port.free_from(), Cycle(3));
  EXPECT_EQ(port.book(Cycle(0), 1), Cycle(4));
  // The second half of cycle 3 is free, which is enough for this transfer.
  EXPECT_EQ(port.book(Cycle(3), 1), Cycle(4));
  // A transfer that may not start before cycle 5 leaves the half cycle before it unused.
  EXPECT_EQ(port.book(Cycle(4), 1), Cycle(5));
  EXPECT_EQ(port.book(Cycle(5), 2), Cycle(6));
}

TEST(Port, KeepsExactRatio) {
  Port port({.bytes = 8, .cycles = 3});
  EXPECT_EQ(port.book(Cycle(0), 8), Cycle(3));
  EXPECT_EQ(port.book(Cycle(3), 1), Cycle(4));  // The transfer ends at 3 + 3/8,
  EXPECT_EQ(port.book(Cycle(3), 4), Cycle(5));  // at 4 + 7/8,
  EXPECT_EQ(port.book(Cycle(3), 3), Cycle(6));  // and exactly at 6.
  EXPECT_EQ(port.free_from(), Cycle(6));
}

TEST(Port, ReachesExactBandwidthWhenSaturated) {
  for (const PortParameters rate :
       {PortParameters{32, 1}, PortParameters{8, 3}, PortParameters{125, 8}, PortParameters{1, 5},
        PortParameters{16, 16}, PortParameters{7, 13}}) {
    for (const std::uint32_t size : {1U, 3U, 32U, 136U}) {
      Port port(rate);
      for (std::uint64_t n = 1; n <= 3000; ++n) {
        const Cycle passed = port.book(Cycle(0), size);
        ASSERT_EQ(passed, Cycle(ceiling(n * size * rate.cycles, rate.bytes)))
            << n << " x " << size << " bytes at " << rate.bytes << "/" << rate.cycles;
      }
      EXPECT_EQ(port.busy_cycles(), Cycles(ceiling(3000ULL * size * rate.cycles, rate.bytes)));
    }
  }
}

TEST(Port, ExcludesGapsFromBusyCycles) {
  Port port({.bytes = 2, .cycles = 1});
  EXPECT_EQ(port.busy_cycles(), Cycles(0));
  port.book(Cycle(10), 4);
  EXPECT_EQ(port.busy_cycles(), Cycles(2));
  port.book(Cycle(50), 1);
  EXPECT_EQ(port.busy_cycles(), Cycles(3));
  port.book(Cycle(60), 1);  // The two half cycles count as one cycle.
  EXPECT_EQ(port.busy_cycles(), Cycles(3));
}

TEST(Port, DoesNotOverflowForLargestNumbers) {
  constexpr std::uint32_t kMax = ~std::uint32_t{0};
  Port slow({.bytes = 1, .cycles = kMax});
  EXPECT_EQ(slow.book(Cycle(0), kMax), Cycle(std::uint64_t{kMax} * kMax));
  Port odd({.bytes = kMax, .cycles = kMax - 1});
  EXPECT_EQ(odd.book(Cycle(0), kMax - 1), Cycle(kMax - 1));
  EXPECT_EQ(odd.book(Cycle(0), kMax), Cycle(2ULL * kMax - 2));
}

TEST(Port, RejectsZeroBandwidth) {
  EXPECT_THROW(Port({.bytes = 0, .cycles = 1}), InputError);
  EXPECT_THROW(Port({.bytes = 1, .cycles = 0}), InputError);
}

struct Transfer {
  std::uint64_t earliest;
  std::uint64_t size;
};

/// A model of Port that steps tick by tick. A cycle has `rate.bytes` ticks, and a byte takes
/// `rate.cycles` ticks. Returns the result of book() for each transfer.
std::vector<std::uint64_t> step_through(const PortParameters& rate, std::deque<Transfer> waiting,
                                        std::uint64_t& busy_ticks) {
  std::vector<std::uint64_t> passed;
  std::uint64_t remaining_ticks = 0;
  for (std::uint64_t tick = 0; !waiting.empty() || remaining_ticks > 0; ++tick) {
    if (remaining_ticks == 0) {
      if (tick < waiting.front().earliest * rate.bytes) continue;
      remaining_ticks = waiting.front().size * rate.cycles;
      waiting.pop_front();
    }
    ++busy_ticks;
    if (--remaining_ticks == 0) passed.push_back(ceiling(tick + 1, rate.bytes));
  }
  return passed;
}

TEST(Port, AgreesWithTickByTickModel) {
  std::mt19937 random(1);
  for (const PortParameters rate :
       {PortParameters{32, 1}, PortParameters{3, 2}, PortParameters{4, 6}, PortParameters{5, 7}}) {
    for (const std::uint32_t gap : {1U, 8U, 40U}) {
      Port port(rate);
      std::deque<Transfer> transfers;
      std::uint64_t nominal = 0;
      for (int i = 0; i < 2000; ++i) {
        nominal += random() % (gap + 1);
        // A quarter of the transfers may begin before the transfer that was booked before them.
        const std::uint64_t earlier = random() % 4 == 0 ? random() % 6 : 0;
        transfers.push_back(
            {.earliest = nominal - std::min(nominal, earlier), .size = 1 + random() % 20});
      }
      std::uint64_t busy_ticks = 0;
      const std::vector<std::uint64_t> expected = step_through(rate, transfers, busy_ticks);
      for (std::size_t i = 0; i < transfers.size(); ++i) {
        ASSERT_EQ(
            port.book(Cycle(transfers[i].earliest), static_cast<std::uint32_t>(transfers[i].size)),
            Cycle(expected[i]))
            << "transfer " << i << " at " << rate.bytes << "/" << rate.cycles;
      }
      EXPECT_EQ(port.busy_cycles(), Cycles(ceiling(busy_ticks, rate.bytes)));
    }
  }
}

TEST(IssueSlot, StartsOncePerInterval) {
  IssueSlot slot(Cycles(4));
  EXPECT_EQ(slot.book(Cycle(3)), Cycle(3));
  EXPECT_EQ(slot.free_from(), Cycle(7));
  EXPECT_EQ(slot.book(Cycle(3)), Cycle(7));
  EXPECT_EQ(slot.book(Cycle(10)), Cycle(11));
  EXPECT_EQ(slot.book(Cycle(15)), Cycle(15));
  EXPECT_EQ(slot.book(Cycle(20)), Cycle(20));
  EXPECT_EQ(slot.busy_cycles(), Cycles(20));
}

TEST(IssueSlot, StartsSeveralTimesBackToBack) {
  IssueSlot slot(Cycles(2));
  EXPECT_EQ(slot.book(Cycle(1), 5), Cycle(1));
  EXPECT_EQ(slot.book(Cycle(10)), Cycle(11));
  EXPECT_EQ(slot.busy_cycles(), Cycles(12));
}

TEST(IssueSlot, RejectsZeroInterval) { EXPECT_THROW(IssueSlot(Cycles(0)), InputError); }

TEST(IssueSlot, AgreesWithTableOfCycles) {
  std::mt19937 random(2);
  for (const std::uint32_t interval : {1U, 2U, 8U}) {
    IssueSlot slot{Cycles(interval)};
    std::vector<bool> taken(200'000);
    std::size_t last = 0;
    std::uint64_t nominal = 0;
    for (int i = 0; i < 5000; ++i) {
      nominal += random() % (2 * interval + 1);
      const std::uint32_t starts = random() % 3 == 0 ? 1 + random() % 4 : 1;
      std::size_t start = std::max<std::size_t>(nominal, last);
      while (taken[start]) ++start;
      for (std::size_t n = 0; n < std::size_t{starts} * interval; ++n) taken[start + n] = true;
      last = start;
      ASSERT_EQ(slot.book(Cycle(nominal), starts), Cycle(start)) << "booking " << i;
    }
    EXPECT_EQ(slot.busy_cycles().count,
              static_cast<std::uint64_t>(std::count(taken.begin(), taken.end(), true)));
  }
}

}  // namespace
}  // namespace heddle::memory
