#include "memory/dram/banked_channel.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "base/error.h"
#include "memory/banked_channel_bench.h"

namespace heddle::memory {
namespace {

TEST(BankedChannel, ActivatesRowOfClosedBank) {
  Bench bench(channel_setup());
  bench.read('a', address_in(0, 5), 100);
  // activate 100, column 112, data 122..125
  EXPECT_EQ(bench.done(), (Times{{'a', 126}}));
  EXPECT_EQ(bench.channel->counters().row_misses, 1U);
  EXPECT_EQ(bench.channel->counters().activations, 1U);
}

TEST(BankedChannel, ReadsOpenRowWithoutActivation) {
  Bench bench(channel_setup());
  bench.read('a', address_in(0, 5), 100);
  bench.read('b', address_in(0, 5, 64), 200);
  // column 200, data 210..213
  EXPECT_EQ(bench.done(), (Times{{'a', 126}, {'b', 214}}));
  EXPECT_EQ(bench.channel->counters().row_hits, 1U);
}

TEST(BankedChannel, PrechargesConflictingRow) {
  Bench bench(channel_setup());
  bench.read('a', address_in(0, 5), 100);
  bench.read('b', address_in(0, 6), 200);
  // precharge 200, activate 210, column 222, data 232..235
  EXPECT_EQ(bench.done(), (Times{{'a', 126}, {'b', 236}}));
  EXPECT_EQ(bench.channel->counters().row_conflicts, 1U);
  EXPECT_EQ(bench.channel->counters().activations, 2U);
}

TEST(BankedChannel, KeepsRowOpenForTras) {
  Bench bench(channel_setup());
  bench.read('a', address_in(0, 5), 100);
  bench.read('b', address_in(0, 6), 101);
  // a's data have been transferred at 126, but tRAS ends at 130: precharge 130, activate 140,
  // column 152.
  EXPECT_EQ(bench.done(), (Times{{'a', 126}, {'b', 166}}));
}

TEST(BankedChannel, KeepsRowOpenUntilReadDataAreTransferred) {
  Bench bench(channel_setup());
  bench.read('a', address_in(0, 5), 100, 256);
  bench.read('b', address_in(0, 6), 101);
  // a's data pass in 122..137: precharge 138, activate 148, column 160, data 170..173.
  EXPECT_EQ(bench.done(), (Times{{'a', 138}, {'b', 174}}));
}

TEST(BankedChannel, KeepsRowOpenForWriteRecovery) {
  Bench bench(channel_setup());
  bench.write('a', address_in(0, 5), 100);
  bench.read('b', address_in(0, 6), 101);
  // a's data pass in 122..125; the write recovers at 141: precharge 141, activate 151, column 163.
  EXPECT_EQ(bench.done(), (Times{{'a', 126}, {'b', 177}}));
}

TEST(BankedChannel, SpacesActivationsOfABankByTrc) {
  BankedChannelSetup slow = channel_setup();
  slow.timing.row_cycle = Cycles(41);
  Bench bench(slow);
  bench.read('a', address_in(0, 5), 100);
  bench.read('b', address_in(0, 6), 101);
  // precharge 130, activate at 141 instead of 140
  EXPECT_EQ(bench.done(), (Times{{'a', 126}, {'b', 167}}));
}

TEST(BankedChannel, OverlapsBanksButSerialisesTheDataBus) {
  Bench bench(channel_setup());
  bench.read('a', address_in(0, 5), 100);
  bench.read('b', address_in(1, 9), 100);
  bench.read('c', address_in(2, 7), 120);
  // b: activate 101. Column 113 would bring data at 123, but a's data occupy the bus until 126.
  // c: activate 120, column 132, data 142..145.
  EXPECT_EQ(bench.done(), (Times{{'a', 126}, {'b', 130}, {'c', 146}}));
}

TEST(BankedChannel, IssuesOneCommandPerCycle) {
  BankedChannelSetup wide = channel_setup();
  wide.bandwidth = {256, 1};  // The data bus could transfer all data in one cycle.
  Bench bench(wide);
  for (char name = 'a'; name <= 'd'; ++name) {
    bench.read(name, address_in(static_cast<std::uint64_t>(name - 'a'), 1), 100);
  }
  EXPECT_EQ(bench.done(), (Times{{'a', 123}, {'b', 124}, {'c', 125}, {'d', 126}}));
}

TEST(BankedChannel, TransfersRowHitsBackToBack) {
  Bench bench(channel_setup());
  for (char name = 'a'; name <= 'c'; ++name) {
    bench.read(name, address_in(0, 1, static_cast<std::uint64_t>(name - 'a') * 64), 100);
  }
  EXPECT_EQ(bench.done(), (Times{{'a', 126}, {'b', 130}, {'c', 134}}));
}

TEST(BankedChannel, FreesQueueEntryAtColumnCommand) {
  BankedChannelSetup small = channel_setup();
  small.queue_entries = 2;
  const std::unique_ptr<DramChannel> channel = small.make();
  channel->add({.address = address_in(0, 1), .bytes = 64}, Cycle(0));
  EXPECT_TRUE(channel->accepts(Cycle(0)));
  channel->add({.address = address_in(0, 1, 64), .bytes = 64}, Cycle(0));
  // The column commands issue in cycles 12 and 16.
  EXPECT_FALSE(channel->accepts(Cycle(0)));
  EXPECT_FALSE(channel->accepts(Cycle(12)));
  EXPECT_TRUE(channel->accepts(Cycle(13)));
  channel->add({.address = address_in(0, 1, 64), .bytes = 64}, Cycle(13));
  EXPECT_FALSE(channel->accepts(Cycle(16)));
  EXPECT_TRUE(channel->accepts(Cycle(17)));
}

TEST(BankedChannel, ReportsNextEvent) {
  const std::unique_ptr<DramChannel> channel = channel_setup().make();
  std::vector<DramCompletion> done;
  EXPECT_EQ(channel->next_event(), std::nullopt);
  channel->add({.address = address_in(0, 1), .bytes = 64}, Cycle(100));
  // The events of a cycle are simulated by advance() to the next cycle.
  for (const std::uint64_t until : {101, 113, 126}) {
    EXPECT_EQ(channel->next_event(), Cycle(until));
    channel->advance(Cycle(until), done);
    EXPECT_EQ(done.size(), until == 126 ? 1U : 0U);
  }
  EXPECT_EQ(channel->next_event(), std::nullopt);
}

TEST(BankedChannel, ReportsCompletionsWhenDue) {
  BankedChannelSetup slow = channel_setup();
  slow.overhead = Cycles(50);
  const std::unique_ptr<DramChannel> channel = slow.make();
  std::vector<DramCompletion> done;
  channel->add({.address = address_in(0, 1), .bytes = 64, .token = 42}, Cycle(0));
  channel->advance(Cycle(75), done);
  EXPECT_TRUE(done.empty());
  channel->advance(Cycle(76), done);
  ASSERT_EQ(done.size(), 1U);
  EXPECT_EQ(done[0].token, 42U);
  EXPECT_EQ(done[0].at, Cycle(76));
}

// Narasiman et al., Improving GPU Performance via Large Warps and Two-Level Warp Scheduling, Table
// 1: a row hit takes 100 cycles in total, a row conflict 300. tRP and tRCD are therefore set to 100
// each (a closed bank then takes 200). The sum of CAS latency, transfer and overhead is 100. The
// longer the overhead is, the more requests of a bank overlap; here it is 0.
BankedChannelSetup large_warps_memory() {
  return {.map = {.banks = 8, .row_bytes = 4096},
          .timing = {.cas_latency = Cycles(99),
                     .precharge = Cycles(100),
                     .row_to_column = Cycles(100),
                     .row_active = Cycles(0),
                     .write_recovery = Cycles(0)},
          .bandwidth = {128, 1},  // 128 GB/s at 1 GHz
          .transaction_bytes = 128,
          .policy = "fcfs"};
}

TEST(BankedChannel, ReproducesLatenciesOfLargeWarpsPaper) {
  const auto row = [](std::uint64_t number) { return number * 8 * 4096; };
  Bench bench(large_warps_memory());
  bench.read('a', row(1), 1000, 128);        // The bank is closed.
  bench.read('b', row(1) + 128, 2000, 128);  // A hit.
  bench.read('c', row(2), 3000, 128);        // A conflict.
  bench.read('d', row(3), 3001, 128);        // Another conflict, one cycle later.
  EXPECT_EQ(bench.done(), (Times{{'a', 1200}, {'b', 2100}, {'c', 3300}, {'d', 3600}}));
}

TEST(BankedChannel, AddsOverheadToLatencyOnly) {
  BankedChannelSetup memory = large_warps_memory();
  memory.timing.cas_latency = Cycles(19);
  memory.overhead = Cycles(80);
  const auto row = [](std::uint64_t number) { return number * 8 * 4096; };
  Bench bench(memory);
  bench.read('a', row(1), 1000, 128);
  bench.read('b', row(1) + 128, 2000, 128);
  bench.read('c', row(2), 3000, 128);
  bench.read('d', row(3), 3001, 128);
  // c's data have been transferred at 3220. The 300 cycles of d begin then.
  EXPECT_EQ(bench.done(), (Times{{'a', 1200}, {'b', 2100}, {'c', 3300}, {'d', 3520}}));
}

/// Returns the cycles from the first to the last completion of `requests` consecutive reads of 64
/// bytes.
/// Each read is added as soon as the queue accepts it.
std::uint64_t cycles_of_stream(BankedChannelSetup parameters, int requests) {
  const std::unique_ptr<DramChannel> channel = parameters.make();
  std::vector<DramCompletion> done;
  Cycle now;
  for (int i = 0; i < requests; ++i) {
    while (!channel->accepts(now)) ++now;
    channel->add({.address = static_cast<std::uint64_t>(i) * 64, .bytes = 64}, now);
  }
  channel->advance(Cycle(1'000'000), done);
  return (done.back().at - done.front().at).count;
}

TEST(BankedChannel, StreamsReachFullBandwidth) {
  for (const char* const policy : {"fcfs", "fcfs-per-bank", "fr-fcfs"}) {
    SCOPED_TRACE(policy);
    const std::uint64_t ideal = 4 * 9'999;
    EXPECT_GE(cycles_of_stream(channel_setup(policy), 10'000), ideal);
    EXPECT_LE(cycles_of_stream(channel_setup(policy), 10'000), ideal * 102 / 100);
  }
}

TEST(BankedChannel, StreamsReachFractionalBandwidth) {
  // Xiang, Toward Efficient SIMT Execution, Table 1: 16 channels at 800 MHz have 200 GB/s. That is
  // 15.625 bytes per cycle and channel, so 64 bytes take 4.096 cycles.
  BankedChannelSetup simt = channel_setup();
  simt.bandwidth = {125, 8};
  const double ideal = 4.096 * 9'999;
  EXPECT_GE(static_cast<double>(cycles_of_stream(simt, 10'000)), ideal - 1);
  EXPECT_LE(static_cast<double>(cycles_of_stream(simt, 10'000)), ideal * 1.02);
}

TEST(BankedChannel, RejectsImpossibleParameters) {
  const auto refuses = [](auto change) {
    BankedChannelSetup parameters = channel_setup();
    change(parameters);
    EXPECT_THROW(parameters.make(), InputError);
  };
  refuses([](BankedChannelSetup& p) { p.timing.cas_latency = Cycles(0); });
  refuses([](BankedChannelSetup& p) { p.timing.precharge = Cycles(0); });
  refuses([](BankedChannelSetup& p) { p.timing.row_to_column = Cycles(0); });
  refuses([](BankedChannelSetup& p) { p.timing.row_cycle = Cycles(39); });
  refuses([](BankedChannelSetup& p) { p.queue_entries = 0; });
  refuses([](BankedChannelSetup& p) { p.map.banks = 12; });
  refuses([](BankedChannelSetup& p) { p.map.row_bytes = 32; });
  refuses([](BankedChannelSetup& p) { p.transaction_bytes = 96; });
  refuses([](BankedChannelSetup& p) { p.bandwidth.bytes = 0; });
}

}  // namespace
}  // namespace heddle::memory
