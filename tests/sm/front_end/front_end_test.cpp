#include "sm/front_end/front_end.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "base/error.h"

namespace heddle::sm {
namespace {

using ::testing::ElementsAre;

constexpr InstructionCacheDescription kPerfect{.bytes = 0};

struct CacheOwner {
  InstructionCache cache;
};
/// A front end with an instruction cache that it shares with no other.
class LoneFrontEnd : private CacheOwner, public FrontEnd {
 public:
  LoneFrontEnd(const FetchDescription& fetch, const InstructionCacheDescription& description)
      : CacheOwner{InstructionCache(description)}, FrontEnd(fetch, cache) {}

  InstructionCache& instruction_cache() { return cache; }
};

/// The cycles in which a single warp issues `count` instructions from `pc` on, each as soon as
/// possible.
std::vector<std::uint64_t> issue_cycles(FrontEnd& front_end, std::uint32_t pc, int count) {
  std::vector<std::uint64_t> cycles;
  Cycle now = front_end.redirect(0, pc, Cycle(0));
  for (int i = 0; i < count; ++i) {
    cycles.push_back(now.number);
    now = front_end.advance(0, ++pc, now);
  }
  return cycles;
}

std::uint64_t counter_value(LoneFrontEnd& front_end, std::string_view name) {
  CounterList list;
  front_end.instruction_cache().declare(list);
  for (const Counter& counter : list.all()) {
    if (counter.name == name) return *counter.value;
  }
  ADD_FAILURE() << "no counter " << name;
  return 0;
}

TEST(FrontEnd, LetsInstructionIssueLatencyAfterAccess) {
  LoneFrontEnd front_end({.width = 2, .ports = 1, .latency = 3, .buffer = 2}, kPerfect);
  EXPECT_EQ(front_end.redirect(5, 8, Cycle(10)), Cycle(13));
}

TEST(FrontEnd, SustainsStraightLineCodeWithBufferOfTwoFetches) {
  LoneFrontEnd front_end({.width = 2, .ports = 1, .latency = 2, .buffer = 4}, kPerfect);
  EXPECT_THAT(issue_cycles(front_end, 0, 8), ElementsAre(2, 3, 4, 5, 6, 7, 8, 9));
}

TEST(FrontEnd, WaitsForEachFetchWithBufferOfOneFetch) {
  LoneFrontEnd front_end({.width = 2, .ports = 1, .latency = 2, .buffer = 2}, kPerfect);
  // The second instruction of a pair issues in cycle 3, so the next fetch is in cycle 4.
  EXPECT_THAT(issue_cycles(front_end, 0, 6), ElementsAre(2, 3, 6, 7, 10, 11));
}

TEST(FrontEnd, ExposesLongLatencyWithSmallBuffer) {
  LoneFrontEnd front_end({.width = 2, .ports = 1, .latency = 4, .buffer = 4}, kPerfect);
  // Instructions {0,1} are ready in cycle 4 and {2,3} in cycle 5. When 1 has issued in cycle 5,
  // {4,5} are fetched in cycle 6. When 3 has issued in cycle 7, {6,7} are fetched in cycle 8.
  EXPECT_THAT(issue_cycles(front_end, 0, 8), ElementsAre(4, 5, 6, 7, 10, 11, 12, 13));
}

TEST(FrontEnd, FetchesSingleInstructionAfterPreviousHasIssued) {
  LoneFrontEnd front_end({.width = 1, .ports = 1, .latency = 2, .buffer = 1}, kPerfect);
  EXPECT_THAT(issue_cycles(front_end, 0, 4), ElementsAre(2, 5, 8, 11));
}

TEST(FrontEnd, FetchesRestOfGroupFromItsMiddle) {
  LoneFrontEnd small({.width = 4, .ports = 1, .latency = 2, .buffer = 4}, kPerfect);
  EXPECT_THAT(issue_cycles(small, 6, 6), ElementsAre(2, 3, 6, 7, 8, 9));
  LoneFrontEnd large({.width = 4, .ports = 1, .latency = 2, .buffer = 8}, kPerfect);
  EXPECT_THAT(issue_cycles(large, 6, 6), ElementsAre(2, 3, 4, 5, 6, 7));
}

TEST(FrontEnd, HasNextInstructionReadyAfterLateIssue) {
  LoneFrontEnd front_end({.width = 1, .ports = 1, .latency = 3, .buffer = 2}, kPerfect);
  EXPECT_EQ(front_end.redirect(0, 0, Cycle(0)), Cycle(3));
  EXPECT_EQ(front_end.advance(0, 1, Cycle(50)), Cycle(51));
  // Instruction 2 was fetched in cycle 51, when the buffer had space.
  EXPECT_EQ(front_end.advance(0, 2, Cycle(51)), Cycle(54));
}

TEST(FrontEnd, HasTargetFetchedWithBranchReadyInNextCycle) {
  LoneFrontEnd front_end({.width = 1, .ports = 1, .latency = 3, .buffer = 1}, kPerfect);
  EXPECT_EQ(front_end.redirect(0, 8, Cycle(10)), Cycle(13));
  EXPECT_EQ(front_end.redirect(0, 30, front_end.access_for(Cycle(14))), Cycle(14));
  EXPECT_EQ(front_end.redirect(1, 30, Cycle(11)), Cycle(15))
      << "the port is busy with the target in cycle 11";
}

TEST(FrontEnd, KeepsLinesOfProgramsApart) {
  LoneFrontEnd front_end({.width = 2, .ports = 2, .latency = 2, .buffer = 2},
                         {.bytes = 4096, .line_bytes = 64, .ways = 4, .miss_cycles = 50});
  front_end.start(0, 0);
  front_end.start(1, 0);
  front_end.start(2, 1 << 24);
  EXPECT_EQ(front_end.redirect(0, 8, Cycle(0)), Cycle(52));
  EXPECT_EQ(front_end.redirect(1, 8, Cycle(60)), Cycle(62)) << "the line of the same program hits";
  EXPECT_EQ(front_end.redirect(2, 8, Cycle(60)), Cycle(112));
  EXPECT_EQ(front_end.fetch_chosen(2, 8, Cycle(120)), Cycle(122));
  EXPECT_EQ(counter_value(front_end, "misses"), 2U);
}

TEST(FrontEnd, ServesWarpsInTurn) {
  LoneFrontEnd front_end({.width = 2, .ports = 1, .latency = 2, .buffer = 2}, kPerfect);
  EXPECT_EQ(front_end.redirect(0, 0, Cycle(0)), Cycle(2));
  EXPECT_EQ(front_end.redirect(1, 0, Cycle(0)), Cycle(3));
  EXPECT_EQ(front_end.redirect(2, 0, Cycle(0)), Cycle(4));
  EXPECT_EQ(front_end.redirect(3, 0, Cycle(3)), Cycle(5));
}

TEST(FrontEnd, ServesTwoWarpsPerCycleWithTwoPorts) {
  LoneFrontEnd front_end({.width = 2, .ports = 2, .latency = 2, .buffer = 2}, kPerfect);
  EXPECT_EQ(front_end.redirect(0, 0, Cycle(0)), Cycle(2));
  EXPECT_EQ(front_end.redirect(1, 0, Cycle(0)), Cycle(2));
  EXPECT_EQ(front_end.redirect(2, 0, Cycle(0)), Cycle(3));
}

TEST(FrontEnd, LimitsWarpToOneAccessPerCycle) {
  LoneFrontEnd front_end({.width = 1, .ports = 2, .latency = 2, .buffer = 2}, kPerfect);
  EXPECT_EQ(front_end.redirect(0, 0, Cycle(0)), Cycle(2));
  EXPECT_EQ(front_end.redirect(1, 0, Cycle(1)), Cycle(3));
  EXPECT_EQ(front_end.redirect(2, 0, Cycle(1)), Cycle(4))
      << "the second access of warp 0 is in cycle 1, not 0";
}

TEST(FrontEnd, BooksEarlierAccessBeforeLaterOne) {
  LoneFrontEnd front_end({.width = 2, .ports = 1, .latency = 2, .buffer = 2}, kPerfect);
  EXPECT_EQ(front_end.redirect(0, 0, Cycle(50)), Cycle(52));
  EXPECT_EQ(front_end.redirect(1, 0, Cycle(49)), Cycle(51));
  EXPECT_EQ(front_end.redirect(2, 0, Cycle(49)), Cycle(53)) << "cycle 50 is booked";
}

TEST(FrontEnd, ChargesPortForUselessFetches) {
  LoneFrontEnd front_end({.width = 1, .ports = 1, .latency = 2, .buffer = 2}, kPerfect);
  EXPECT_EQ(front_end.redirect(0, 0, Cycle(0)), Cycle(2)) << "instruction 1 is fetched in cycle 1";
  EXPECT_EQ(front_end.redirect(0, 100, Cycle(1)), Cycle(4));
  EXPECT_EQ(front_end.advance(0, 101, Cycle(4)), Cycle(5)) << "the buffer holds no instruction 1";
}

TEST(FrontEnd, ChargesMissOncePerLine) {
  LoneFrontEnd front_end({.width = 2, .ports = 1, .latency = 2, .buffer = 2},
                         {.bytes = 1024, .line_bytes = 32, .ways = 2, .miss_cycles = 20});
  // A line has four instructions.
  EXPECT_THAT(issue_cycles(front_end, 0, 6), ElementsAre(22, 23, 26, 27, 50, 51));
  EXPECT_EQ(counter_value(front_end, "fetches"), 4u) << "the last one for instructions 6 and 7";
  EXPECT_EQ(counter_value(front_end, "misses"), 2u);
  EXPECT_EQ(counter_value(front_end, "hits"), 2u);
}

TEST(FrontEnd, MergesAccessToLineInFlight) {
  LoneFrontEnd front_end({.width = 2, .ports = 2, .latency = 2, .buffer = 2},
                         {.bytes = 1024, .line_bytes = 128, .ways = 2, .miss_cycles = 100});
  EXPECT_EQ(front_end.redirect(0, 0, Cycle(0)), Cycle(102));
  EXPECT_EQ(front_end.redirect(1, 2, Cycle(5)), Cycle(102));
  EXPECT_EQ(front_end.redirect(2, 4, Cycle(99)), Cycle(102));
  EXPECT_EQ(counter_value(front_end, "merges"), 2u);
  EXPECT_EQ(front_end.redirect(3, 6, Cycle(100)), Cycle(102)) << "this access hits";
  EXPECT_EQ(front_end.redirect(4, 8, Cycle(101)), Cycle(103));
  EXPECT_EQ(counter_value(front_end, "merges"), 2u);
  EXPECT_EQ(counter_value(front_end, "hits"), 2u);
  EXPECT_EQ(counter_value(front_end, "misses"), 1u);
}

TEST(FrontEnd, ServesOtherLinesDuringMiss) {
  LoneFrontEnd front_end({.width = 2, .ports = 1, .latency = 2, .buffer = 2},
                         {.bytes = 1024, .line_bytes = 128, .ways = 2, .miss_cycles = 100});
  EXPECT_EQ(front_end.redirect(0, 0, Cycle(0)), Cycle(102));
  EXPECT_EQ(front_end.redirect(1, 16, Cycle(7)), Cycle(109)) << "another line misses";
  EXPECT_EQ(front_end.redirect(1, 0, Cycle(105)), Cycle(107));
}

TEST(FrontEnd, LetsEarlierAccessThatIsBookedLaterMiss) {
  LoneFrontEnd front_end({.width = 2, .ports = 1, .latency = 2, .buffer = 2},
                         {.bytes = 1024, .line_bytes = 128, .ways = 2, .miss_cycles = 100});
  EXPECT_EQ(front_end.redirect(0, 0, Cycle(50)), Cycle(152));
  EXPECT_EQ(front_end.redirect(1, 0, Cycle(10)), Cycle(112));
  EXPECT_EQ(front_end.redirect(2, 0, Cycle(120)), Cycle(122));
}

TEST(FrontEnd, EvictsLeastRecentlyUsedLine) {
  // One set of two lines, of two instructions each.
  LoneFrontEnd front_end({.width = 2, .ports = 1, .latency = 1, .buffer = 2},
                         {.bytes = 32, .line_bytes = 16, .ways = 2, .miss_cycles = 10});
  front_end.redirect(0, 0, Cycle(0));
  front_end.redirect(0, 2, Cycle(100));
  EXPECT_EQ(front_end.redirect(0, 0, Cycle(200)), Cycle(201));
  EXPECT_EQ(front_end.redirect(0, 4, Cycle(300)), Cycle(311)) << "it replaces the second line";
  EXPECT_EQ(front_end.redirect(0, 0, Cycle(400)), Cycle(401));
  EXPECT_EQ(front_end.redirect(0, 2, Cycle(500)), Cycle(511));
}

TEST(FrontEnd, InvalidatesCacheForAnotherProgram) {
  LoneFrontEnd front_end({.width = 2, .ports = 1, .latency = 1, .buffer = 2},
                         {.bytes = 1024, .line_bytes = 128, .ways = 2, .miss_cycles = 10});
  EXPECT_EQ(front_end.redirect(0, 0, Cycle(0)), Cycle(11));
  EXPECT_EQ(front_end.redirect(0, 0, Cycle(20)), Cycle(21));
  front_end.instruction_cache().invalidate();
  EXPECT_EQ(front_end.redirect(0, 0, Cycle(30)), Cycle(41));
}

TEST(FrontEnd, SharesLinesButNotPortsWithOtherFrontEnds) {
  InstructionCache cache({.bytes = 1024, .line_bytes = 128, .ways = 2, .miss_cycles = 100});
  FrontEnd first({.width = 2, .ports = 1, .latency = 2, .buffer = 2}, cache);
  FrontEnd second({.width = 2, .ports = 1, .latency = 2, .buffer = 2}, cache);
  EXPECT_EQ(first.redirect(0, 0, Cycle(0)), Cycle(102));
  EXPECT_EQ(second.redirect(1, 0, Cycle(0)), Cycle(102)) << "it merges with the other's miss";
  EXPECT_EQ(second.redirect(3, 2, Cycle(200)), Cycle(202));
  EXPECT_EQ(first.redirect(2, 4, Cycle(200)), Cycle(202)) << "each front end has its own port";
  EXPECT_EQ(first.redirect(4, 6, Cycle(200)), Cycle(203));
}

TEST(FrontEnd, StopsFetchAtEndOfLine) {
  LoneFrontEnd front_end({.width = 4, .ports = 1, .latency = 1, .buffer = 4},
                         {.bytes = 1024, .line_bytes = 16, .ways = 2, .miss_cycles = 10});
  // Two lines of two instructions are fetched in cycles 0 and 1. When instruction 1 has issued in
  // cycle 12, the third line is fetched in cycle 13 and arrives in cycle 23.
  EXPECT_THAT(issue_cycles(front_end, 0, 5), ElementsAre(11, 12, 13, 14, 24));
}

TEST(FrontEnd, RejectsInvalidParameters) {
  EXPECT_THROW(LoneFrontEnd({.width = 3, .buffer = 8}, kPerfect), InputError);
  EXPECT_THROW(LoneFrontEnd({.width = 0}, kPerfect), InputError);
  EXPECT_THROW(LoneFrontEnd({.ports = 0}, kPerfect), InputError);
  EXPECT_THROW(LoneFrontEnd({.width = 4, .buffer = 3}, kPerfect), InputError);
  EXPECT_THROW(LoneFrontEnd({.width = 4, .buffer = 17}, kPerfect), InputError);
  EXPECT_THROW(LoneFrontEnd({}, {.bytes = 1024, .line_bytes = 48}), InputError);
  EXPECT_THROW(LoneFrontEnd({}, {.bytes = 1024, .line_bytes = 4}), InputError);
  EXPECT_THROW(LoneFrontEnd({}, {.bytes = 1000, .line_bytes = 128, .ways = 2}), InputError);
  EXPECT_THROW(LoneFrontEnd({}, {.bytes = 1024, .line_bytes = 128, .ways = 0}), InputError);
}

}  // namespace
}  // namespace heddle::sm
