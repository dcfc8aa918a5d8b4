// Which request goes next: what each policy of a channel with banks does.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "memory/banked_channel_bench.h"

namespace heddle::memory {
namespace {

TEST(Fcfs, ServesInOrder) {
  Bench bench(machine("fcfs"));
  bench.read('a', place(0, 1), 100);
  bench.read('b', place(0, 2), 101);
  bench.read('c', place(0, 1, 64), 129);
  EXPECT_EQ(bench.done(), (Times{{'a', 126}, {'b', 166}, {'c', 206}}));
  EXPECT_EQ(bench.channel->counters().row_hits, 0U);
}

TEST(Fcfs, OpensRowsOfLaterRequestsMeanwhile) {
  Bench bench(machine("fcfs"));
  bench.read('a', place(0, 1), 100);
  bench.read('b', place(0, 2), 101);
  bench.read('c', place(1, 7), 101);
  // c's row is open at 113, but its data follow b's.
  EXPECT_EQ(bench.done(), (Times{{'a', 126}, {'b', 166}, {'c', 170}}));
}

TEST(FrFcfs, ServesAHitBeforeAnOlderConflict) {
  Bench bench(machine());
  bench.read('a', place(0, 1), 100);
  bench.read('b', place(0, 2), 101);
  bench.read('c', place(0, 1, 64), 129);
  // At 130 the row could be closed for b, but c hits it: column 129, data 139..142.
  // Then precharge 143, activate 153, column 165, data 175..178.
  EXPECT_EQ(bench.done(), (Times{{'a', 126}, {'b', 179}, {'c', 143}}));
  EXPECT_EQ(bench.channel->counters().row_hits, 1U);
  EXPECT_EQ(bench.channel->counters().row_conflicts, 1U);
}

TEST(FrFcfs, AHitThatComesWithTheClosingOfItsRowStillGoesFirst) {
  Bench bench(machine());
  bench.read('a', place(0, 1), 100);
  bench.read('b', place(0, 2), 101);
  bench.read('c', place(0, 1, 64), 130);
  EXPECT_EQ(bench.done(), (Times{{'a', 126}, {'b', 180}, {'c', 144}}));
}

TEST(FrFcfs, AHitThatComesACycleAfterTheClosingOfItsRowIsNone) {
  Bench bench(machine());
  bench.read('a', place(0, 1), 100);
  bench.read('b', place(0, 2), 101);
  bench.read('c', place(0, 1, 64), 131);
  // b: precharge 130, activate 140, column 152; c: precharge 170 (tRAS), activate 180, column 192.
  EXPECT_EQ(bench.done(), (Times{{'a', 126}, {'b', 166}, {'c', 206}}));
}

TEST(FrFcfs, WithoutAnAgeLimitHitsKeepAnotherRowWaiting) {
  Bench bench(machine());
  bench.read('a', place(0, 1), 0);
  bench.read('b', place(0, 2), 1);
  for (std::uint64_t i = 0; i < 100; ++i) bench.read('h', place(0, 1, 64 + i % 16), 2 + 4 * i);
  const Times done = bench.done();
  EXPECT_GT(done.at('b'), done.at('h'));
}

TEST(FrFcfs, ARequestOverTheAgeLimitGoesBeforeHits) {
  BankedMachine fair = machine();
  fair.age_limit = Cycles(60);
  Bench bench(fair);
  bench.read('a', place(0, 1), 0);
  bench.read('b', place(0, 2), 1);
  for (std::uint64_t i = 0; i < 100; ++i) bench.read('h', place(0, 1, 64 + i % 16), 2 + 4 * i);
  // a: column 12. Hits: columns 16, 20, ... 60; at 61 b is overdue. The last hit's data pass in
  // 70..73: precharge 74, activate 84, column 96, data 106..109.
  EXPECT_EQ(bench.done().at('b'), 110U);
}

TEST(FrFcfs, ARequestOverTheAgeLimitGoesBeforeHitsOfOtherBanks) {
  BankedMachine fair = machine();
  fair.age_limit = Cycles(10);
  Bench bench(fair);
  bench.read('o', place(1, 1), 0);  // Bank 1 has an open row.
  bench.read('a', place(0, 1), 100);
  for (char name = 'p'; name < 's'; ++name) bench.read(name, place(1, 1, 64), 109);
  // p's column 109, q's 113 if a's column were not possible at 112: the pins are free for data in
  // 123, so at 113 a goes first.
  EXPECT_EQ(bench.done(), (Times{{'o', 26}, {'a', 127}, {'p', 123}, {'q', 131}, {'r', 135}}));
}

TEST(FcfsPerBank, ABankServesItsRequestsInOrderThoughALaterOneHits) {
  Bench bench(machine("fcfs-per-bank"));
  bench.read('a', place(0, 1), 100);
  bench.read('b', place(0, 2), 101);
  bench.read('c', place(0, 1, 64), 102);
  // b: precharge 130, activate 140, column 152; c: precharge 170 (tRAS), activate 180, column 192.
  EXPECT_EQ(bench.done(), (Times{{'a', 126}, {'b', 166}, {'c', 206}}));
  EXPECT_EQ(bench.channel->counters().row_hits, 0U);
  EXPECT_EQ(bench.channel->counters().row_conflicts, 2U);
}

TEST(FcfsPerBank, ARequestPassesAnOlderOneOfAnotherBank) {
  Bench bench(machine("fcfs-per-bank"));
  bench.read('a', place(0, 1), 100);
  bench.read('b', place(0, 2), 101);
  bench.read('c', place(1, 7), 101);
  // c: activate 101, column 113 would have data at 123, where a's are until 126.
  EXPECT_EQ(bench.done(), (Times{{'a', 126}, {'b', 166}, {'c', 130}}));
}

/// Bank 0 closes a row for b, whose column command can go out at 152, data at 162. Bank 1 has the
/// row open that c wants.
Times with_a_hit_of_another_bank_at(std::uint64_t arrival) {
  Bench bench(machine("fcfs-per-bank"));
  bench.read('o', place(1, 1), 0);
  bench.read('a', place(0, 1), 100);
  bench.read('b', place(0, 2), 101);
  bench.read('c', place(1, 1, 64), arrival);
  Times done = bench.done();
  done.erase('o');
  return done;
}

TEST(FcfsPerBank, TheOlderOfTwoRequestsGoesFirstWhereBothCan) {
  EXPECT_EQ(with_a_hit_of_another_bank_at(152), (Times{{'a', 126}, {'b', 166}, {'c', 170}}));
}

TEST(FcfsPerBank, TheYoungerOfTwoRequestsGoesFirstWhereItCanACycleBefore) {
  // c: column 151, data 161..164; then b's.
  EXPECT_EQ(with_a_hit_of_another_bank_at(151), (Times{{'a', 126}, {'b', 169}, {'c', 165}}));
}

/// a conflicts in bank 1, and b, which comes after it in the same cycle, hits in bank 0.
Times of_a_conflict_before_a_hit_of_another_bank(const std::string& policy) {
  Bench bench(machine(policy));
  bench.read('o', place(0, 1), 0);
  bench.read('p', place(1, 1), 0);
  bench.read('a', place(1, 2), 200);
  bench.read('b', place(0, 1, 64), 200);
  Times done = bench.done();
  done.erase('o');
  done.erase('p');
  return done;
}

TEST(FcfsPerBank, TheCommandOfTheOlderRequestGoesFirstThoughTheYoungerHits) {
  // precharge for a 200, b's column 201; activate 210, a's column 222
  EXPECT_EQ(of_a_conflict_before_a_hit_of_another_bank("fcfs-per-bank"),
            (Times{{'a', 236}, {'b', 215}}));
}

TEST(FrFcfs, TheCommandOfAHitGoesFirst) {
  // b's column 200, precharge for a 201; activate 211, a's column 223
  EXPECT_EQ(of_a_conflict_before_a_hit_of_another_bank("fr-fcfs"), (Times{{'a', 237}, {'b', 214}}));
}

TEST(Fcfs, TheCommandOfTheOlderRequestGoesFirst) {
  // precharge for a 200, activate 210, column 222; b's column 226, when the pins are free
  EXPECT_EQ(of_a_conflict_before_a_hit_of_another_bank("fcfs"), (Times{{'a', 236}, {'b', 240}}));
}

const std::vector<std::string> kPolicies{"fcfs", "fcfs-per-bank", "fr-fcfs"};

TEST(DramPolicies, OnlyFrFcfsLetsAHitPassAnOlderConflictOfItsBank) {
  for (const std::string& policy : kPolicies) {
    Bench bench(machine(policy));
    bench.read('a', place(0, 1), 100);
    bench.read('b', place(0, 2), 101);
    bench.read('c', place(0, 1, 64), 102);
    const Times done = bench.done();
    EXPECT_EQ(done.at('c') < done.at('b'), policy == "fr-fcfs") << policy;
  }
}

TEST(DramPolicies, OnlyFcfsKeepsTheOrderOfDataOfTwoBanks) {
  for (const std::string& policy : kPolicies) {
    Bench bench(machine(policy));
    bench.read('a', place(0, 1), 100);
    bench.read('b', place(0, 2), 101);
    bench.read('c', place(1, 7), 102);
    const Times done = bench.done();
    EXPECT_EQ(done.at('b') < done.at('c'), policy == "fcfs") << policy;
  }
}

TEST(DramPolicies, RequestsThatFollowOneAnotherInARowHitWhateverThePolicy) {
  for (const std::string& policy : kPolicies) {
    Bench bench(machine(policy));
    bench.read('a', place(0, 1), 100);
    bench.read('b', place(0, 1, 64), 100);
    bench.read('c', place(0, 1, 128), 100);
    EXPECT_EQ(bench.done(), (Times{{'a', 126}, {'b', 130}, {'c', 134}})) << policy;
    EXPECT_EQ(bench.channel->counters().row_hits, 2U) << policy;
  }
}

TEST(DramPolicies, OnlyFrFcfsLooksAtTheAgeLimit) {
  const auto times = [](const std::string& policy, std::uint64_t age_limit) {
    BankedMachine fair = machine(policy);
    fair.age_limit = Cycles(age_limit);
    Bench bench(fair);
    bench.read('a', place(0, 1), 100);
    bench.read('b', place(0, 2), 101);
    bench.read('c', place(0, 1, 64), 128);
    return bench.done();
  };
  for (const std::string& policy : kPolicies) {
    EXPECT_EQ(times(policy, 20) != times(policy, 0), policy == "fr-fcfs") << policy;
  }
}

}  // namespace
}  // namespace heddle::memory
