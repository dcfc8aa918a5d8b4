#include "memory/dram/fixed_channel.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <vector>

#include "base/error.h"

namespace heddle::memory {
namespace {

using Times = std::vector<std::uint64_t>;

DramRequest read_of(std::uint32_t bytes, std::uint32_t token = 0) {
  return {.address = 0, .is_write = false, .bytes = bytes, .token = token};
}

Times completion_times(DramChannel& channel, std::uint64_t until) {
  std::vector<DramCompletion> completions;
  channel.advance(Cycle(until), completions);
  Times times;
  for (const DramCompletion& completion : completions) times.push_back(completion.at.number);
  return times;
}

TEST(FixedChannel, StartsTransferOneLatencyAfterArrival) {
  FixedChannel channel({.latency = Cycles(400), .bandwidth = {16, 1}});
  channel.add(read_of(128), Cycle(10));
  EXPECT_EQ(channel.next_event(), Cycle(10 + 400 + 8));
  EXPECT_EQ(completion_times(channel, 417), Times{});
  EXPECT_EQ(completion_times(channel, 418), Times{418});
  EXPECT_EQ(completion_times(channel, 1000), Times{});
  EXPECT_EQ(channel.next_event(), std::nullopt);
}

TEST(FixedChannel, SharesDataBusAmongRequestsOfOneCycle) {
  FixedChannel channel({.latency = Cycles(400), .bandwidth = {16, 1}});
  channel.add(read_of(128), Cycle(0));
  channel.add(read_of(32), Cycle(0));
  channel.add(read_of(128), Cycle(5));
  EXPECT_EQ(completion_times(channel, 500), (Times{408, 410, 418}));
}

TEST(FixedChannel, DoesNotRecoverIdleBusTime) {
  FixedChannel channel({.latency = Cycles(400), .bandwidth = {16, 1}});
  channel.add(read_of(32), Cycle(0));
  channel.add(read_of(32), Cycle(100));
  EXPECT_EQ(completion_times(channel, 1000), (Times{402, 502}));
}

TEST(FixedChannel, RoundsUpToWholeTransactions) {
  FixedChannel channel({.latency = Cycles(10), .bandwidth = {4, 1}, .transaction_bytes = 16});
  channel.add(read_of(1), Cycle(0));
  channel.add(read_of(17), Cycle(0));
  EXPECT_EQ(completion_times(channel, 100), (Times{14, 22}));
  EXPECT_EQ(channel.counters().data_bytes, 48U);
  EXPECT_EQ(channel.counters().busy_data_cycles, 12U);
}

TEST(FixedChannel, KeepsFractionsOfCycles) {
  // 16 bytes take 6 cycles at 8/3 bytes per cycle, and 9.6 cycles at 5/3 bytes per cycle.
  FixedChannel even({.latency = Cycles(1), .bandwidth = {8, 3}});
  FixedChannel odd({.latency = Cycles(1), .bandwidth = {5, 3}});
  for (int i = 0; i < 1000; ++i) {
    even.add(read_of(16), Cycle(0));
    odd.add(read_of(16), Cycle(0));
  }
  EXPECT_EQ(completion_times(even, 10'000).back(), 1U + 6000);
  const Times times = completion_times(odd, 10'000);
  EXPECT_EQ(Times(times.begin(), times.begin() + 5), (Times{11, 21, 30, 40, 49}));
  EXPECT_EQ(times.back(), 1U + 9600);
}

TEST(FixedChannel, ServesReadsAndWritesInOrder) {
  FixedChannel channel({.latency = Cycles(400), .bandwidth = {16, 1}});
  channel.add({.is_write = true, .bytes = 64, .token = 1}, Cycle(0));
  channel.add({.is_write = false, .bytes = 64, .token = 2}, Cycle(0));
  std::vector<DramCompletion> completions;
  channel.advance(Cycle(500), completions);
  ASSERT_EQ(completions.size(), 2U);
  EXPECT_EQ(completions[0].token, 1U);
  EXPECT_EQ(completions[1].token, 2U);
  EXPECT_EQ(channel.counters().reads, 1U);
  EXPECT_EQ(channel.counters().writes, 1U);
}

TEST(FixedChannel, AcceptsRequestsAgainWhenOneIsDone) {
  FixedChannel channel({.latency = Cycles(20), .bandwidth = {16, 1}, .queue_entries = 2});
  channel.add(read_of(16), Cycle(0));
  ASSERT_TRUE(channel.accepts(Cycle(0)));
  channel.add(read_of(16), Cycle(0));
  EXPECT_FALSE(channel.accepts(Cycle(0)));
  EXPECT_FALSE(channel.accepts(Cycle(20)));
  EXPECT_TRUE(channel.accepts(Cycle(21)));  // Even if its completion has not been taken.
  channel.add(read_of(16), Cycle(21));
  EXPECT_FALSE(channel.accepts(Cycle(21)));
  EXPECT_TRUE(channel.accepts(Cycle(22)));
  EXPECT_EQ(completion_times(channel, 100), (Times{21, 22, 42}));
}

TEST(FixedChannel, RejectsImpossibleParameters) {
  EXPECT_THROW(FixedChannel({.queue_entries = 0}), InputError);
  EXPECT_THROW(FixedChannel({.bandwidth = {0, 1}}), InputError);
  EXPECT_THROW(FixedChannel({.bandwidth = {1, 0}}), InputError);
  EXPECT_THROW(FixedChannel({.transaction_bytes = 0}), InputError);
  EXPECT_THROW(FixedChannel({.transaction_bytes = 48}), InputError);
}

// A model of FixedChannel. A cycle is divided into `bandwidth.bytes` ticks, and a byte takes
// `bandwidth.cycles` ticks. When the latency of the oldest request is over, the request occupies
// the data bus for its ticks.
class SteppedChannel {
 public:
  explicit SteppedChannel(const FixedChannelParameters& parameters) : parameters_(parameters) {}

  bool accepts() const { return waiting_.size() < parameters_.queue_entries; }
  void add(std::uint32_t bytes, std::uint64_t cycle) {
    std::uint64_t transactions = 0;
    while (transactions * parameters_.transaction_bytes < bytes) ++transactions;
    waiting_.push_back(
        {.from = cycle + parameters_.latency.count,
         .ticks = transactions * parameters_.transaction_bytes * parameters_.bandwidth.cycles});
  }
  void step(std::uint64_t cycle) {
    for (std::uint32_t tick = 0; tick < parameters_.bandwidth.bytes; ++tick) {
      if (waiting_.empty() || waiting_.front().from > cycle) continue;
      if (--waiting_.front().ticks == 0) {
        done.push_back(cycle + 1);
        waiting_.pop_front();
      }
    }
  }

  Times done;

 private:
  struct WaitingRequest {
    std::uint64_t from = 0;   ///< The first cycle after the latency.
    std::uint64_t ticks = 0;  ///< The remaining ticks of the transfer.
  };
  FixedChannelParameters parameters_;
  std::deque<WaitingRequest> waiting_;
};

TEST(FixedChannel, AgreesWithCycleByCycleModel) {
  const FixedChannelParameters channels[] = {
      {},
      {.latency = Cycles(30), .bandwidth = {8, 3}, .queue_entries = 8},
      {.latency = Cycles(0), .bandwidth = {7, 2}, .transaction_bytes = 4, .queue_entries = 3},
      {.latency = Cycles(5), .bandwidth = {100, 3}, .transaction_bytes = 64, .queue_entries = 1},
  };
  std::mt19937 random(11);
  for (const FixedChannelParameters& parameters : channels) {
    FixedChannel channel(parameters);
    SteppedChannel stepped(parameters);
    Times times;
    int requests = 0;
    int refusals = 0;
    for (std::uint64_t cycle = 0; cycle < 30'000; ++cycle) {
      const bool is_busy_phase = cycle / 2000 % 2 == 0;
      if (random() % (is_busy_phase ? 4 : 60) == 0) {
        ASSERT_EQ(channel.accepts(Cycle(cycle)), stepped.accepts()) << "in cycle " << cycle;
        if (stepped.accepts()) {
          const std::uint32_t bytes = 1 + random() % 128;
          channel.add(read_of(bytes), Cycle(cycle));
          stepped.add(bytes, cycle);
          ++requests;
        } else {
          ++refusals;
        }
      }
      stepped.step(cycle);
      if (random() % 50 == 0) {
        for (const std::uint64_t time : completion_times(channel, cycle + 1)) times.push_back(time);
        ASSERT_EQ(times, stepped.done) << "in cycle " << cycle;
      }
    }
    EXPECT_GT(requests, 300);
    if (parameters.queue_entries < 10) {
      EXPECT_GT(refusals, 100);
    }
  }
}

}  // namespace
}  // namespace heddle::memory
