// Compares channels with banks with the cycle-by-cycle model under long random traffic.

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "memory/banked_channel_model.h"
#include "memory/banked_channel_setup.h"

namespace heddle::memory {
namespace {

using Random = std::mt19937_64;
using Done = std::vector<BankedChannelModel::Done>;

struct NamedSetup {
  std::string name;
  BankedChannelSetup parameters;
};

std::vector<NamedSetup> channel_setups() {
  // Xiang, Toward Efficient SIMT Execution, Table 1, with a tRC above tRAS + tRP.
  BankedChannelSetup simt{.map = {.banks = 8, .row_bytes = 2048},
                          .timing = {.row_cycle = Cycles(37)},
                          .bandwidth = {16, 1},
                          .transaction_bytes = 64};
  // Xiang et al., Warp-Level Divergence in GPUs, Table 1.
  BankedChannelSetup warpman{.map = {.banks = 16, .row_bytes = 1024, .hash_banks = true},
                             .timing = {.cas_latency = Cycles(12),
                                        .precharge = Cycles(12),
                                        .row_to_column = Cycles(12),
                                        .row_active = Cycles(28)},
                             .bandwidth = {125, 4},
                             .transaction_bytes = 32};
  BankedChannelSetup narrow{.map = {.banks = 2, .row_bytes = 512},
                            .timing = {.cas_latency = Cycles(3),
                                       .precharge = Cycles(4),
                                       .row_to_column = Cycles(2),
                                       .row_active = Cycles(0),
                                       .write_recovery = Cycles(40)},
                            .bandwidth = {7, 3},
                            .transaction_bytes = 16,
                            .queue_entries = 5,
                            .overhead = Cycles(17)};
  BankedChannelSetup quick{.map = {.banks = 4, .row_bytes = 1024},
                           .timing = {.cas_latency = Cycles(1),
                                      .precharge = Cycles(1),
                                      .row_to_column = Cycles(1),
                                      .row_active = Cycles(1),
                                      .write_recovery = Cycles(0)},
                           .bandwidth = {256, 1},
                           .transaction_bytes = 32,
                           .queue_entries = 64};
  std::vector<NamedSetup> all;
  for (const auto& [name, base] :
       {std::pair("simt", simt), {"warpman", warpman}, {"narrow", narrow}, {"quick", quick}}) {
    BankedChannelSetup parameters = base;
    // The model has no default for tRC.
    Cycles& row_cycle = parameters.timing.row_cycle;
    if (row_cycle.count == 0) {
      row_cycle = parameters.timing.row_active + parameters.timing.precharge;
    }
    for (const char* const policy : {"fcfs", "fcfs-per-bank"}) {
      parameters.policy = policy;
      all.push_back({std::string(name) + ", " + policy, parameters});
    }
    parameters.policy = "fr-fcfs";
    for (const std::uint64_t limit : {0, 30, 400}) {
      parameters.age_limit = Cycles(limit);
      all.push_back(
          {std::string(name) + ", fr-fcfs, age limit " + std::to_string(limit), parameters});
    }
  }
  return all;
}

/// A pattern of addresses.
struct Pattern {
  std::string name;
  /// The address of the n-th request.
  std::function<std::uint64_t(std::uint64_t, const AddressMapParameters&, Random&)> address;
};

std::vector<Pattern> patterns() {
  const auto address_in = [](std::uint64_t bank, std::uint64_t row, const AddressMapParameters& map,
                             Random& random) {
    const std::uint64_t column = random() % (map.row_bytes / 128) * 128;
    return (row * map.banks + bank) * map.row_bytes + column;
  };
  return {
      {"streaming", [](std::uint64_t n, const auto&, Random&) { return n * 128; }},
      {"random",
       [](std::uint64_t, const auto&, Random& random) { return random() % (1 << 24) * 128; }},
      {"two rows of a bank", [=](std::uint64_t n, const auto& map,
                                 Random& random) { return address_in(1, 3 + n % 2, map, random); }},
      {"few rows of all banks",
       [=](std::uint64_t, const auto& map, Random& random) {
         return address_in(random() % map.banks, random() % 3, map, random);
       }},
      {"a stream beside random",
       [](std::uint64_t n, const auto&, Random& random) {
         return random() % 4 == 0 ? random() % (1 << 20) * 128 : n * 128;
       }},
  };
}

/// A random sequence of requests. Phases with high and low rates of requests alternate.
class Traffic {
 public:
  Traffic(const Pattern& pattern, const AddressMapParameters& map, std::uint64_t seed)
      : pattern_(pattern), map_(map), random_(seed) {}

  /// Whether a request arrives in this cycle.
  bool has_request(std::uint64_t cycle) {
    const std::uint64_t gaps[] = {1, 4, 12, 70};
    return random_() % gaps[cycle / 1500 % 4] == 0;
  }
  DramRequest next() {
    const bool writes = number_ / 100 % 3 == 2;
    const std::uint32_t sizes[] = {16, 32, 64, 64, 128};
    return {.address = pattern_.address(number_, map_, random_),
            .is_write = writes ? random_() % 2 == 0 : random_() % 10 == 0,
            .bytes = sizes[random_() % 5],
            .token = static_cast<std::uint32_t>(number_++)};
  }

 private:
  const Pattern& pattern_;
  AddressMapParameters map_;
  Random random_;
  std::uint64_t number_ = 0;
};

/// Appends the requests that are complete at the start of `until` to `done`.
void take_completions(DramChannel& channel, std::uint64_t until, Done& done) {
  std::vector<DramCompletion> completions;
  channel.advance(Cycle(until), completions);
  for (const DramCompletion& completion : completions) {
    ASSERT_LE(completion.at, Cycle(until));
    done.push_back({.token = completion.token, .at = completion.at.number});
  }
}

void expect_equal(const DramCounters& channel, const DramCounters& model,
                  const PortParameters& bandwidth) {
  EXPECT_EQ(channel.reads, model.reads);
  EXPECT_EQ(channel.writes, model.writes);
  EXPECT_EQ(channel.row_hits, model.row_hits);
  EXPECT_EQ(channel.row_misses, model.row_misses);
  EXPECT_EQ(channel.row_conflicts, model.row_conflicts);
  EXPECT_EQ(channel.activations, model.activations);
  EXPECT_EQ(channel.data_bytes, model.data_bytes);
  EXPECT_EQ(channel.busy_data_cycles,
            (model.data_bytes * bandwidth.cycles + bandwidth.bytes - 1) / bandwidth.bytes);
}

constexpr std::uint64_t kLastArrival = 12'000;  // Requests arrive before this cycle.
constexpr std::uint64_t kEnd = 30'000;

/// Sends the same traffic to the model and to three channels. One channel is advanced rarely, one
/// only at its next_event(), and one in every cycle.
void run(const NamedSetup& setup, const Pattern& pattern, std::uint64_t seed) {
  Traffic traffic(pattern, setup.parameters.map, seed);
  Random advance_random(seed + 1);
  BankedChannelModel model(setup.parameters);
  const std::unique_ptr<DramChannel> rarely_advanced = setup.parameters.make();
  const std::unique_ptr<DramChannel> advanced_at_events = setup.parameters.make();
  const std::unique_ptr<DramChannel> always_advanced = setup.parameters.make();
  Done done_if_rarely_advanced;
  Done done_if_advanced_at_events;
  Done done_if_always_advanced;
  for (std::uint64_t cycle = 0; cycle < kEnd; ++cycle) {
    if (advanced_at_events->next_event() == Cycle(cycle)) {
      take_completions(*advanced_at_events, cycle, done_if_advanced_at_events);
    }
    take_completions(*always_advanced, cycle, done_if_always_advanced);
    ASSERT_EQ(always_advanced->accepts(Cycle(cycle)), model.accepts()) << "in cycle " << cycle;
    if (cycle < kLastArrival && traffic.has_request(cycle)) {
      ASSERT_EQ(rarely_advanced->accepts(Cycle(cycle)), model.accepts()) << "in cycle " << cycle;
      if (model.accepts()) {
        const DramRequest request = traffic.next();
        for (DramChannel* const channel :
             {rarely_advanced.get(), advanced_at_events.get(), always_advanced.get()}) {
          channel->add(request, Cycle(cycle));
        }
        model.add(request, cycle);
      }
    }
    if (advance_random() % 500 == 0) {
      take_completions(*rarely_advanced, cycle, done_if_rarely_advanced);
    }
    ASSERT_TRUE(!advanced_at_events->next_event() ||
                *advanced_at_events->next_event() > Cycle(cycle))
        << "in cycle " << cycle;
    model.step(cycle);
  }
  take_completions(*rarely_advanced, kEnd, done_if_rarely_advanced);
  ASSERT_EQ(model.done.size(), model.counters.reads + model.counters.writes);
  EXPECT_GT(model.done.size(), 250U);
  EXPECT_EQ(done_if_rarely_advanced, model.done);
  EXPECT_EQ(done_if_advanced_at_events, model.done);
  EXPECT_EQ(done_if_always_advanced, model.done);
  EXPECT_EQ(rarely_advanced->next_event(), std::nullopt);
  expect_equal(rarely_advanced->counters(), model.counters, setup.parameters.bandwidth);
}

TEST(BankedChannelTraffic, AgreesWithCycleByCycleModel) {
  std::uint64_t seed = 1;
  for (const NamedSetup& setup : channel_setups()) {
    for (const Pattern& pattern : patterns()) {
      SCOPED_TRACE(setup.name + ", " + pattern.name);
      run(setup, pattern, seed++);
      if (HasFailure()) return;
    }
  }
}

}  // namespace
}  // namespace heddle::memory
