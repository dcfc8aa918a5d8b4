#include "memory/dram/banked_channel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/error.h"

namespace heddle::memory {
namespace {

// tCL 10, tRP 10, tRCD 12, tRAS 30, tWR 15; 64 bytes take 4 cycles of the pins.
constexpr std::uint32_t kRowBytes = 2048;
constexpr std::uint32_t kBanks = 8;

BankedChannelParameters machine(DramScheduler scheduler = DramScheduler::fr_fcfs) {
  return {.map = {.banks = kBanks, .row_bytes = kRowBytes},
          .timing = {.cas_latency = Cycles(10),
                     .precharge = Cycles(10),
                     .row_to_column = Cycles(12),
                     .row_active = Cycles(30),
                     .write_recovery = Cycles(15)},
          .bandwidth = {16, 1},
          .transaction_bytes = 64,
          .scheduler = scheduler};
}

std::uint64_t place(std::uint64_t bank, std::uint64_t row, std::uint64_t column = 0) {
  return (row * kBanks + bank) * kRowBytes + column;
}

/// A channel whose requests are told apart by names; answers what was done when.
class Bench {
 public:
  explicit Bench(const BankedChannelParameters& parameters) : channel(parameters) {}

  void read(char name, std::uint64_t address, std::uint64_t arrival, std::uint32_t bytes = 64) {
    channel.add({.address = address,
                 .is_write = false,
                 .bytes = bytes,
                 .token = static_cast<std::uint32_t>(name)},
                Cycle(arrival));
  }
  void write(char name, std::uint64_t address, std::uint64_t arrival) {
    channel.add({.address = address,
                 .is_write = true,
                 .bytes = 64,
                 .token = static_cast<std::uint32_t>(name)},
                Cycle(arrival));
  }
  std::map<char, std::uint64_t> done() {
    std::vector<DramCompletion> completions;
    channel.advance(Cycle(1'000'000), completions);
    std::map<char, std::uint64_t> times;
    for (const DramCompletion& completion : completions) {
      times[static_cast<char>(completion.token)] = completion.at.number;
    }
    return times;
  }

  BankedChannel channel;
};

using Times = std::map<char, std::uint64_t>;

TEST(BankedChannel, AClosedBankIsOpenedFirst) {
  Bench bench(machine());
  bench.read('a', place(0, 5), 100);
  // activate 100, column 112, data 122..125
  EXPECT_EQ(bench.done(), (Times{{'a', 126}}));
  EXPECT_EQ(bench.channel.counters().row_misses, 1U);
  EXPECT_EQ(bench.channel.counters().activations, 1U);
}

TEST(BankedChannel, AnOpenRowIsReadAtOnce) {
  Bench bench(machine());
  bench.read('a', place(0, 5), 100);
  bench.read('b', place(0, 5, 64), 200);
  // column 200, data 210..213
  EXPECT_EQ(bench.done(), (Times{{'a', 126}, {'b', 214}}));
  EXPECT_EQ(bench.channel.counters().row_hits, 1U);
}

TEST(BankedChannel, AnotherRowIsClosedBefore) {
  Bench bench(machine());
  bench.read('a', place(0, 5), 100);
  bench.read('b', place(0, 6), 200);
  // precharge 200, activate 210, column 222, data 232..235
  EXPECT_EQ(bench.done(), (Times{{'a', 126}, {'b', 236}}));
  EXPECT_EQ(bench.channel.counters().row_conflicts, 1U);
  EXPECT_EQ(bench.channel.counters().activations, 2U);
}

TEST(BankedChannel, ARowStaysOpenForItsShortestTime) {
  Bench bench(machine());
  bench.read('a', place(0, 5), 100);
  bench.read('b', place(0, 6), 101);
  // a's data have passed at 126, but tRAS ends at 130: precharge 130, activate 140, column 152.
  EXPECT_EQ(bench.done(), (Times{{'a', 126}, {'b', 166}}));
}

TEST(BankedChannel, ARowStaysOpenUntilWhatWasReadHasPassed) {
  Bench bench(machine());
  bench.read('a', place(0, 5), 100, 256);
  bench.read('b', place(0, 6), 101);
  // a's data pass in 122..137: precharge 138, activate 148, column 160, data 170..173.
  EXPECT_EQ(bench.done(), (Times{{'a', 138}, {'b', 174}}));
}

TEST(BankedChannel, ARowStaysOpenUntilWhatWasWrittenIsIn) {
  Bench bench(machine());
  bench.write('a', place(0, 5), 100);
  bench.read('b', place(0, 6), 101);
  // a's data pass in 122..125 and take until 141: precharge 141, activate 151, column 163.
  EXPECT_EQ(bench.done(), (Times{{'a', 126}, {'b', 177}}));
}

TEST(BankedChannel, ActivationsOfABankAreARowCycleApart) {
  BankedChannelParameters slow = machine();
  slow.timing.row_cycle = Cycles(41);
  Bench bench(slow);
  bench.read('a', place(0, 5), 100);
  bench.read('b', place(0, 6), 101);
  // precharge 130, activate not at 140 but at 141.
  EXPECT_EQ(bench.done(), (Times{{'a', 126}, {'b', 167}}));
}

TEST(BankedChannel, BanksOverlapAndThePinsDoNot) {
  Bench bench(machine());
  bench.read('a', place(0, 5), 100);
  bench.read('b', place(1, 9), 100);
  bench.read('c', place(2, 7), 120);
  // b: activate 101, column 113 would have data at 123, where a's are until 126.
  // c: activate 120, column 132, data 142..145.
  EXPECT_EQ(bench.done(), (Times{{'a', 126}, {'b', 130}, {'c', 146}}));
}

TEST(BankedChannel, OneCommandGoesOutACycle) {
  BankedChannelParameters wide = machine();
  wide.bandwidth = {256, 1};  // The pins could pass the data of all in one cycle.
  Bench bench(wide);
  for (char name = 'a'; name <= 'd'; ++name) {
    bench.read(name, place(static_cast<std::uint64_t>(name - 'a'), 1), 100);
  }
  EXPECT_EQ(bench.done(), (Times{{'a', 123}, {'b', 124}, {'c', 125}, {'d', 126}}));
}

TEST(BankedChannel, HitsOfARowFollowOneAnotherOnThePins) {
  Bench bench(machine());
  for (char name = 'a'; name <= 'c'; ++name) {
    bench.read(name, place(0, 1, static_cast<std::uint64_t>(name - 'a') * 64), 100);
  }
  EXPECT_EQ(bench.done(), (Times{{'a', 126}, {'b', 130}, {'c', 134}}));
}

TEST(BankedChannel, FirstReadyServesAHitBeforeAnOlderConflict) {
  Bench bench(machine());
  bench.read('a', place(0, 1), 100);
  bench.read('b', place(0, 2), 101);
  bench.read('c', place(0, 1, 64), 129);
  // At 130 the row could be closed for b, but c hits it: column 129, data 139..142.
  // Then precharge 143, activate 153, column 165, data 175..178.
  EXPECT_EQ(bench.done(), (Times{{'a', 126}, {'b', 179}, {'c', 143}}));
  EXPECT_EQ(bench.channel.counters().row_hits, 1U);
  EXPECT_EQ(bench.channel.counters().row_conflicts, 1U);
}

TEST(BankedChannel, AHitThatComesWithTheClosingOfItsRowStillGoesFirst) {
  Bench bench(machine());
  bench.read('a', place(0, 1), 100);
  bench.read('b', place(0, 2), 101);
  bench.read('c', place(0, 1, 64), 130);
  EXPECT_EQ(bench.done(), (Times{{'a', 126}, {'b', 180}, {'c', 144}}));
}

TEST(BankedChannel, AHitThatComesACycleAfterTheClosingOfItsRowIsNone) {
  Bench bench(machine());
  bench.read('a', place(0, 1), 100);
  bench.read('b', place(0, 2), 101);
  bench.read('c', place(0, 1, 64), 131);
  // b: precharge 130, activate 140, column 152; c: precharge 170 (tRAS), activate 180, column 192.
  EXPECT_EQ(bench.done(), (Times{{'a', 126}, {'b', 166}, {'c', 206}}));
}

TEST(BankedChannel, FirstComeServesInOrder) {
  Bench bench(machine(DramScheduler::fcfs));
  bench.read('a', place(0, 1), 100);
  bench.read('b', place(0, 2), 101);
  bench.read('c', place(0, 1, 64), 129);
  EXPECT_EQ(bench.done(), (Times{{'a', 126}, {'b', 166}, {'c', 206}}));
  EXPECT_EQ(bench.channel.counters().row_hits, 0U);
}

TEST(BankedChannel, FirstComeOpensRowsOfLaterRequestsMeanwhile) {
  Bench bench(machine(DramScheduler::fcfs));
  bench.read('a', place(0, 1), 100);
  bench.read('b', place(0, 2), 101);
  bench.read('c', place(1, 7), 101);
  // c's row is open at 113, but its data follow b's.
  EXPECT_EQ(bench.done(), (Times{{'a', 126}, {'b', 166}, {'c', 170}}));
}

TEST(BankedChannel, WithoutAnAgeLimitHitsKeepAnotherRowWaiting) {
  Bench bench(machine());
  bench.read('a', place(0, 1), 0);
  bench.read('b', place(0, 2), 1);
  for (std::uint64_t i = 0; i < 100; ++i) bench.read('h', place(0, 1, 64 + i % 16), 2 + 4 * i);
  const Times done = bench.done();
  EXPECT_GT(done.at('b'), done.at('h'));
}

TEST(BankedChannel, WhoIsOverTheAgeLimitGoesBeforeHits) {
  BankedChannelParameters fair = machine();
  fair.age_limit = Cycles(60);
  Bench bench(fair);
  bench.read('a', place(0, 1), 0);
  bench.read('b', place(0, 2), 1);
  for (std::uint64_t i = 0; i < 100; ++i) bench.read('h', place(0, 1, 64 + i % 16), 2 + 4 * i);
  // a: column 12. Hits: columns 16, 20, ... 60; at 61 b is overdue. The last hit's data pass in
  // 70..73: precharge 74, activate 84, column 96, data 106..109.
  EXPECT_EQ(bench.done().at('b'), 110U);
}

TEST(BankedChannel, WhoIsOverTheAgeLimitGoesBeforeHitsOfOtherBanks) {
  BankedChannelParameters fair = machine();
  fair.age_limit = Cycles(10);
  Bench bench(fair);
  bench.read('o', place(1, 1), 0);  // Bank 1 has an open row.
  bench.read('a', place(0, 1), 100);
  for (char name = 'p'; name < 's'; ++name) bench.read(name, place(1, 1, 64), 109);
  // p's column 109, q's 113 if a's column were not possible at 112: the pins are free for data in
  // 123, so at 113 a goes first.
  EXPECT_EQ(bench.done(), (Times{{'o', 26}, {'a', 127}, {'p', 123}, {'q', 131}, {'r', 135}}));
}

TEST(BankedChannel, ARequestLeavesTheQueueWithItsColumnCommand) {
  BankedChannelParameters small = machine();
  small.queue_entries = 2;
  BankedChannel channel(small);
  channel.add({.address = place(0, 1), .bytes = 64}, Cycle(0));
  EXPECT_TRUE(channel.accepts(Cycle(0)));
  channel.add({.address = place(0, 1, 64), .bytes = 64}, Cycle(0));
  // columns 12 and 16
  EXPECT_FALSE(channel.accepts(Cycle(0)));
  EXPECT_FALSE(channel.accepts(Cycle(12)));
  EXPECT_TRUE(channel.accepts(Cycle(13)));
  channel.add({.address = place(0, 1, 64), .bytes = 64}, Cycle(13));
  EXPECT_FALSE(channel.accepts(Cycle(16)));
  EXPECT_TRUE(channel.accepts(Cycle(17)));
}

TEST(BankedChannel, TellsWhenSomethingHappensNext) {
  BankedChannel channel(machine());
  std::vector<DramCompletion> done;
  EXPECT_EQ(channel.next_event(), std::nullopt);
  channel.add({.address = place(0, 1), .bytes = 64}, Cycle(100));
  // What happens in a cycle is done by an advance() to the next one.
  for (const std::uint64_t until : {101, 113, 126}) {
    EXPECT_EQ(channel.next_event(), Cycle(until));
    channel.advance(Cycle(until), done);
    EXPECT_EQ(done.size(), until == 126 ? 1U : 0U);
  }
  EXPECT_EQ(channel.next_event(), std::nullopt);
}

TEST(BankedChannel, CompletionsAreToldWhenTheyAreDue) {
  BankedChannelParameters slow = machine();
  slow.overhead = Cycles(50);
  BankedChannel channel(slow);
  std::vector<DramCompletion> done;
  channel.add({.address = place(0, 1), .bytes = 64, .token = 42}, Cycle(0));
  channel.advance(Cycle(75), done);
  EXPECT_TRUE(done.empty());
  channel.advance(Cycle(76), done);
  ASSERT_EQ(done.size(), 1U);
  EXPECT_EQ(done[0].token, 42U);
  EXPECT_EQ(done[0].at, Cycle(76));
}

// large-warps Table 1: a row hit takes 100 cycles in all, a row conflict 300. So tRP and tRCD are
// 100 each (a closed bank is then between the two, at 200), and latency, transfer and overhead
// together 100. How they share decides what may overlap: here a bank is occupied all the time.
BankedChannelParameters large_warps_memory() {
  return {.map = {.banks = 8, .row_bytes = 4096},
          .timing = {.cas_latency = Cycles(99),
                     .precharge = Cycles(100),
                     .row_to_column = Cycles(100),
                     .row_active = Cycles(0),
                     .write_recovery = Cycles(0)},
          .bandwidth = {128, 1},  // 128 GB/s at 1 GHz
          .transaction_bytes = 128,
          .scheduler = DramScheduler::fcfs};
}

TEST(BankedChannel, CanBeTheMemoryOfLargeWarps) {
  const auto row = [](std::uint64_t number) { return number * 8 * 4096; };
  Bench bench(large_warps_memory());
  bench.read('a', row(1), 1000, 128);        // closed
  bench.read('b', row(1) + 128, 2000, 128);  // hit
  bench.read('c', row(2), 3000, 128);        // conflict
  bench.read('d', row(3), 3001, 128);        // another, at once
  EXPECT_EQ(bench.done(), (Times{{'a', 1200}, {'b', 2100}, {'c', 3300}, {'d', 3600}}));
}

TEST(BankedChannel, OverheadIsPartOfTheLatencyButOccupiesNothing) {
  BankedChannelParameters memory = large_warps_memory();
  memory.timing.cas_latency = Cycles(19);
  memory.overhead = Cycles(80);
  const auto row = [](std::uint64_t number) { return number * 8 * 4096; };
  Bench bench(memory);
  bench.read('a', row(1), 1000, 128);
  bench.read('b', row(1) + 128, 2000, 128);
  bench.read('c', row(2), 3000, 128);
  bench.read('d', row(3), 3001, 128);
  // c's data have passed at 3220: d's 300 cycles begin there.
  EXPECT_EQ(bench.done(), (Times{{'a', 1200}, {'b', 2100}, {'c', 3300}, {'d', 3520}}));
}

/// Cycles from the first to the last answer of `requests` reads of 64 bytes that follow one another
/// in memory, each added as soon as the queue has a place.
std::uint64_t cycles_of_stream(BankedChannelParameters parameters, int requests) {
  BankedChannel channel(parameters);
  std::vector<DramCompletion> done;
  Cycle now;
  for (int i = 0; i < requests; ++i) {
    while (!channel.accepts(now)) ++now;
    channel.add({.address = static_cast<std::uint64_t>(i) * 64, .bytes = 64}, now);
  }
  channel.advance(Cycle(1'000'000), done);
  return (done.back().at - done.front().at).count;
}

TEST(BankedChannel, StreamsReachTheBandwidthOfThePins) {
  for (const DramScheduler scheduler : {DramScheduler::fcfs, DramScheduler::fr_fcfs}) {
    const std::uint64_t ideal = 4 * 9'999;
    EXPECT_GE(cycles_of_stream(machine(scheduler), 10'000), ideal);
    EXPECT_LE(cycles_of_stream(machine(scheduler), 10'000), ideal * 102 / 100);
  }
}

TEST(BankedChannel, StreamsReachABandwidthThatIsNoWholeNumberOfBytesACycle) {
  // simt Table 1: 200 GB/s of 16 channels at 800 MHz are 15.625 bytes a cycle, 64 bytes 4.096.
  BankedChannelParameters simt = machine();
  simt.bandwidth = {125, 8};
  const double ideal = 4.096 * 9'999;
  EXPECT_GE(static_cast<double>(cycles_of_stream(simt, 10'000)), ideal - 1);
  EXPECT_LE(static_cast<double>(cycles_of_stream(simt, 10'000)), ideal * 1.02);
}

TEST(BankedChannel, RefusesWhatCannotBe) {
  const auto refuses = [](auto change) {
    BankedChannelParameters parameters = machine();
    change(parameters);
    EXPECT_THROW(BankedChannel{parameters}, InputError);
  };
  refuses([](BankedChannelParameters& p) { p.timing.cas_latency = Cycles(0); });
  refuses([](BankedChannelParameters& p) { p.timing.precharge = Cycles(0); });
  refuses([](BankedChannelParameters& p) { p.timing.row_to_column = Cycles(0); });
  refuses([](BankedChannelParameters& p) { p.timing.row_cycle = Cycles(39); });
  refuses([](BankedChannelParameters& p) { p.queue_entries = 0; });
  refuses([](BankedChannelParameters& p) { p.map.banks = 12; });
  refuses([](BankedChannelParameters& p) { p.map.row_bytes = 32; });
  refuses([](BankedChannelParameters& p) { p.transaction_bytes = 96; });
  refuses([](BankedChannelParameters& p) { p.bandwidth.bytes = 0; });
  refuses([](BankedChannelParameters& p) {
    p.scheduler = DramScheduler::fcfs;
    p.age_limit = Cycles(100);
  });
}

}  // namespace
}  // namespace heddle::memory
