// The scheduling policies of DRAM channels with banks: which request each policy selects next. All
// cycles are DRAM cycles; banked_channel_bench.h explains the comments.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "memory/banked_channel_bench.h"

namespace heddle::memory {
namespace {

TEST(Fcfs, ServesInOrder) {
  Bench bench(channel_setup("fcfs"));
  bench.read('a', address_in(0, 1), 100);
  bench.read('b', address_in(0, 2), 101);
  bench.read('c', address_in(0, 1, 64), 129);
  EXPECT_EQ(bench.done(), (Times{{'a', 126}, {'b', 166}, {'c', 206}}));
  EXPECT_EQ(bench.channel->counters().row_hits, 0U);
}

TEST(Fcfs, OpensRowsOfLaterRequestsEarly) {
  Bench bench(channel_setup("fcfs"));
  bench.read('a', address_in(0, 1), 100);
  bench.read('b', address_in(0, 2), 101);
  bench.read('c', address_in(1, 7), 101);
  // c's row is open at 113, but its data follow b's.
  EXPECT_EQ(bench.done(), (Times{{'a', 126}, {'b', 166}, {'c', 170}}));
}

TEST(FrFcfs, ServesAHitBeforeAnOlderConflict) {
  Bench bench(channel_setup());
  bench.read('a', address_in(0, 1), 100);
  bench.read('b', address_in(0, 2), 101);
  bench.read('c', address_in(0, 1, 64), 129);
  // At 130, the row could be closed for b, but c hits: column 129, data 139..142. Then b: precharge
  // 143, activate 153, column 165, data 175..178.
  EXPECT_EQ(bench.done(), (Times{{'a', 126}, {'b', 179}, {'c', 143}}));
  EXPECT_EQ(bench.channel->counters().row_hits, 1U);
  EXPECT_EQ(bench.channel->counters().row_conflicts, 1U);
}

TEST(FrFcfs, ServesHitThatArrivesWithThePrecharge) {
  Bench bench(channel_setup());
  bench.read('a', address_in(0, 1), 100);
  bench.read('b', address_in(0, 2), 101);
  bench.read('c', address_in(0, 1, 64), 130);
  EXPECT_EQ(bench.done(), (Times{{'a', 126}, {'b', 180}, {'c', 144}}));
}

TEST(FrFcfs, ServesRequestThatArrivesAfterThePrechargeAsConflict) {
  Bench bench(channel_setup());
  bench.read('a', address_in(0, 1), 100);
  bench.read('b', address_in(0, 2), 101);
  bench.read('c', address_in(0, 1, 64), 131);
  // b: precharge 130, activate 140, column 152; c: precharge 170 (tRAS), activate 180, column 192.
  EXPECT_EQ(bench.done(), (Times{{'a', 126}, {'b', 166}, {'c', 206}}));
}

TEST(FrFcfs, LetsHitsStarveConflictWithoutAgeLimit) {
  Bench bench(channel_setup());
  bench.read('a', address_in(0, 1), 0);
  bench.read('b', address_in(0, 2), 1);
  for (std::uint64_t i = 0; i < 100; ++i) bench.read('h', address_in(0, 1, 64 + i % 16), 2 + 4 * i);
  const Times done = bench.done();
  EXPECT_GT(done.at('b'), done.at('h'));
}

TEST(FrFcfs, ServesOverdueRequestBeforeHits) {
  BankedChannelSetup fair = channel_setup();
  fair.age_limit = Cycles(60);
  Bench bench(fair);
  bench.read('a', address_in(0, 1), 0);
  bench.read('b', address_in(0, 2), 1);
  for (std::uint64_t i = 0; i < 100; ++i) bench.read('h', address_in(0, 1, 64 + i % 16), 2 + 4 * i);
  // a: column 12. The hits: columns 16, 20, ... 60. b is overdue at 61. The data of the last hit
  // pass in 70..73. Then b: precharge 74, activate 84, column 96, data 106..109.
  EXPECT_EQ(bench.done().at('b'), 110U);
}

TEST(FrFcfs, ServesOverdueRequestBeforeHitsOfOtherBanks) {
  BankedChannelSetup fair = channel_setup();
  fair.age_limit = Cycles(10);
  Bench bench(fair);
  bench.read('o', address_in(1, 1), 0);  // Bank 1 has an open row.
  bench.read('a', address_in(0, 1), 100);
  for (char name = 'p'; name < 's'; ++name) bench.read(name, address_in(1, 1, 64), 109);
  // p: column 109, data 119..122. The next data can pass in 123, so the next column is 113. q is
  // ready for it, but so is a, which is overdue.
  EXPECT_EQ(bench.done(), (Times{{'o', 26}, {'a', 127}, {'p', 123}, {'q', 131}, {'r', 135}}));
}

TEST(FcfsPerBank, ServesBankInOrderDespiteLaterHit) {
  Bench bench(channel_setup("fcfs-per-bank"));
  bench.read('a', address_in(0, 1), 100);
  bench.read('b', address_in(0, 2), 101);
  bench.read('c', address_in(0, 1, 64), 102);
  // b: precharge 130, activate 140, column 152; c: precharge 170 (tRAS), activate 180, column 192.
  EXPECT_EQ(bench.done(), (Times{{'a', 126}, {'b', 166}, {'c', 206}}));
  EXPECT_EQ(bench.channel->counters().row_hits, 0U);
  EXPECT_EQ(bench.channel->counters().row_conflicts, 2U);
}

TEST(FcfsPerBank, LetsRequestOvertakeOlderOneOfAnotherBank) {
  Bench bench(channel_setup("fcfs-per-bank"));
  bench.read('a', address_in(0, 1), 100);
  bench.read('b', address_in(0, 2), 101);
  bench.read('c', address_in(1, 7), 101);
  // c: activate 101. Column 113 would bring data at 123, but a's data occupy the bus until 126.
  EXPECT_EQ(bench.done(), (Times{{'a', 126}, {'b', 166}, {'c', 130}}));
}

/// Bank 0 closes a row for b, whose column command can issue at 152 (data at 162). c is a hit in
/// bank 1, and arrives at `arrival`.
Times times_with_hit_in_other_bank_at(std::uint64_t arrival) {
  Bench bench(channel_setup("fcfs-per-bank"));
  bench.read('o', address_in(1, 1), 0);
  bench.read('a', address_in(0, 1), 100);
  bench.read('b', address_in(0, 2), 101);
  bench.read('c', address_in(1, 1, 64), arrival);
  Times done = bench.done();
  done.erase('o');
  return done;
}

TEST(FcfsPerBank, IssuesOlderRequestIfBothAreReady) {
  EXPECT_EQ(times_with_hit_in_other_bank_at(152), (Times{{'a', 126}, {'b', 166}, {'c', 170}}));
}

TEST(FcfsPerBank, IssuesYoungerRequestIfReadyEarlier) {
  // c: column 151, data 161..164; then b's.
  EXPECT_EQ(times_with_hit_in_other_bank_at(151), (Times{{'a', 126}, {'b', 169}, {'c', 165}}));
}

/// a is a conflict in bank 1. b is a hit in bank 0, and arrives after a in the same cycle.
Times times_of_conflict_before_hit_of_other_bank(const std::string& policy) {
  Bench bench(channel_setup(policy));
  bench.read('o', address_in(0, 1), 0);
  bench.read('p', address_in(1, 1), 0);
  bench.read('a', address_in(1, 2), 200);
  bench.read('b', address_in(0, 1, 64), 200);
  Times done = bench.done();
  done.erase('o');
  done.erase('p');
  return done;
}

TEST(FcfsPerBank, IssuesCommandOfOlderRequestDespiteYoungerHit) {
  // precharge for a 200, b's column 201; activate 210, a's column 222
  EXPECT_EQ(times_of_conflict_before_hit_of_other_bank("fcfs-per-bank"),
            (Times{{'a', 236}, {'b', 215}}));
}

TEST(FrFcfs, IssuesCommandOfHitFirst) {
  // b's column 200, precharge for a 201; activate 211, a's column 223
  EXPECT_EQ(times_of_conflict_before_hit_of_other_bank("fr-fcfs"), (Times{{'a', 237}, {'b', 214}}));
}

TEST(Fcfs, IssuesCommandOfOlderRequestFirst) {
  // precharge for a 200, activate 210, column 222; b's column 226, when the bus is free
  EXPECT_EQ(times_of_conflict_before_hit_of_other_bank("fcfs"), (Times{{'a', 236}, {'b', 240}}));
}

const std::vector<std::string> kPolicies{"fcfs", "fcfs-per-bank", "fr-fcfs"};

TEST(DramPolicies, OnlyFrFcfsServesHitBeforeOlderConflict) {
  for (const std::string& policy : kPolicies) {
    Bench bench(channel_setup(policy));
    bench.read('a', address_in(0, 1), 100);
    bench.read('b', address_in(0, 2), 101);
    bench.read('c', address_in(0, 1, 64), 102);
    const Times done = bench.done();
    EXPECT_EQ(done.at('c') < done.at('b'), policy == "fr-fcfs") << policy;
  }
}

TEST(DramPolicies, OnlyFcfsKeepsDataOrderAcrossBanks) {
  for (const std::string& policy : kPolicies) {
    Bench bench(channel_setup(policy));
    bench.read('a', address_in(0, 1), 100);
    bench.read('b', address_in(0, 2), 101);
    bench.read('c', address_in(1, 7), 102);
    const Times done = bench.done();
    EXPECT_EQ(done.at('b') < done.at('c'), policy == "fcfs") << policy;
  }
}

TEST(DramPolicies, AllServeConsecutiveRequestsOfARowAsHits) {
  for (const std::string& policy : kPolicies) {
    Bench bench(channel_setup(policy));
    bench.read('a', address_in(0, 1), 100);
    bench.read('b', address_in(0, 1, 64), 100);
    bench.read('c', address_in(0, 1, 128), 100);
    EXPECT_EQ(bench.done(), (Times{{'a', 126}, {'b', 130}, {'c', 134}})) << policy;
    EXPECT_EQ(bench.channel->counters().row_hits, 2U) << policy;
  }
}

TEST(DramPolicies, OnlyFrFcfsUsesAgeLimit) {
  const auto times = [](const std::string& policy, std::uint64_t age_limit) {
    BankedChannelSetup fair = channel_setup(policy);
    fair.age_limit = Cycles(age_limit);
    Bench bench(fair);
    bench.read('a', address_in(0, 1), 100);
    bench.read('b', address_in(0, 2), 101);
    bench.read('c', address_in(0, 1, 64), 128);
    return bench.done();
  };
  for (const std::string& policy : kPolicies) {
    EXPECT_EQ(times(policy, 20) != times(policy, 0), policy == "fr-fcfs") << policy;
  }
}

}  // namespace
}  // namespace heddle::memory
