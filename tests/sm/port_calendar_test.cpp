#include "sm/port_calendar.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace heddle::sm {
namespace {

TEST(PortCalendar, BooksFreeCycle) {
  PortCalendar port;
  EXPECT_EQ(port.book(Cycle(0)), Cycle(0));
  EXPECT_EQ(port.book(Cycle(1)), Cycle(1));
  EXPECT_EQ(port.book(Cycle(63)), Cycle(63));
  EXPECT_EQ(port.book(Cycle(64)), Cycle(64));
  EXPECT_EQ(port.book(Cycle(1'000'000)), Cycle(1'000'000));
}

TEST(PortCalendar, SkipsBookedCycles) {
  PortCalendar port;
  port.book(Cycle(62));
  port.book(Cycle(63));
  port.book(Cycle(65));
  EXPECT_EQ(port.first_free(Cycle(62)), Cycle(64));
  EXPECT_EQ(port.book(Cycle(62)), Cycle(64)) << "first_free() does not book";
  EXPECT_EQ(port.book(Cycle(62)), Cycle(66));
}

TEST(PortCalendar, LaterBookingLeavesEarlierCyclesFree) {
  PortCalendar port;
  port.book(Cycle(500));
  EXPECT_EQ(port.book(Cycle(499)), Cycle(499));
  EXPECT_EQ(port.book(Cycle(499)), Cycle(501));
  EXPECT_EQ(port.book(Cycle(10)), Cycle(10));
}

TEST(PortCalendar, KeepsBookingsNearlyAWindowApart) {
  PortCalendar port;
  // The calendar stores blocks of 64 cycles. `later` is in the last block before the one that
  // replaces the block of cycle 7.
  const std::uint64_t later = PortCalendar::kWindow - 64 + 7;
  port.book(Cycle(7));
  port.book(Cycle(later));
  EXPECT_EQ(port.book(Cycle(7)), Cycle(8));
  EXPECT_EQ(port.book(Cycle(later)), Cycle(later + 1));
}

TEST(PortCalendar, KeepsLaterOfTwoBookingsAWindowApart) {
  PortCalendar port;
  const std::uint64_t later = 7 + PortCalendar::kWindow;
  port.book(Cycle(7));
  port.book(Cycle(later));
  EXPECT_EQ(port.book(Cycle(7)), Cycle(7));
  EXPECT_EQ(port.book(Cycle(later)), Cycle(later + 1));
}

TEST(PortCalendar, MatchesSetOfCycles) {
  for (const std::uint64_t spread : {4u, 40u, 300u, 2000u}) {
    PortCalendar port;
    std::set<std::uint64_t> booked;
    std::mt19937 random(static_cast<unsigned>(spread));
    std::uint64_t now = 0;
    for (int i = 0; i < 20'000; ++i) {
      now += random() % 3;
      std::uint64_t cycle = now + (random() % 2 == 0 ? random() % spread : 0);
      const Cycle got = port.book(Cycle(cycle));
      while (!booked.insert(cycle).second) ++cycle;
      ASSERT_EQ(got, Cycle(cycle)) << "booking " << i << ", spread " << spread;
    }
  }
}

}  // namespace
}  // namespace heddle::sm
