// Compares channels with banks with the cycle-by-cycle model under long random traffic.

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "memory/banked_channel_model.h"
#include "memory/banked_machine.h"

namespace heddle::memory {
namespace {

using Random = std::mt19937_64;
using Done = std::vector<BankedChannelModel::Done>;

struct Machine {
  std::string name;
  BankedMachine parameters;
};

std::vector<Machine> machines() {
  // simt Table 1, with a tRC above tRAS + tRP
  BankedMachine simt{.map = {.banks = 8, .row_bytes = 2048},
                     .timing = {.row_cycle = Cycles(37)},
                     .bandwidth = {16, 1},
                     .transaction_bytes = 64};
  // warpman Table 1
  BankedMachine warpman{.map = {.banks = 16, .row_bytes = 1024, .hash_banks = true},
                        .timing = {.cas_latency = Cycles(12),
                                   .precharge = Cycles(12),
                                   .row_to_column = Cycles(12),
                                   .row_active = Cycles(28)},
                        .bandwidth = {125, 4},
                        .transaction_bytes = 32};
  BankedMachine narrow{.map = {.banks = 2, .row_bytes = 512},
                       .timing = {.cas_latency = Cycles(3),
                                  .precharge = Cycles(4),
                                  .row_to_column = Cycles(2),
                                  .row_active = Cycles(0),
                                  .write_recovery = Cycles(40)},
                       .bandwidth = {7, 3},
                       .transaction_bytes = 16,
                       .queue_entries = 5,
                       .overhead = Cycles(17)};
  BankedMachine quick{.map = {.banks = 4, .row_bytes = 1024},
                      .timing = {.cas_latency = Cycles(1),
                                 .precharge = Cycles(1),
                                 .row_to_column = Cycles(1),
                                 .row_active = Cycles(1),
                                 .write_recovery = Cycles(0)},
                      .bandwidth = {256, 1},
                      .transaction_bytes = 32,
                      .queue_entries = 64};
  std::vector<Machine> all;
  for (const auto& [name, base] :
       {std::pair("simt", simt), {"warpman", warpman}, {"narrow", narrow}, {"quick", quick}}) {
    BankedMachine parameters = base;
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

struct Mix {
  std::string name;
  /// The address of the n-th request.
  std::function<std::uint64_t(std::uint64_t, const AddressMapParameters&, Random&)> address;
};

std::vector<Mix> mixes() {
  const auto in_rows = [](std::uint64_t bank, std::uint64_t row, const AddressMapParameters& map,
                          Random& random) {
    const std::uint64_t column = random() % (map.row_bytes / 128) * 128;
    return (row * map.banks + bank) * map.row_bytes + column;
  };
  return {
      {"streaming", [](std::uint64_t n, const auto&, Random&) { return n * 128; }},
      {"random",
       [](std::uint64_t, const auto&, Random& random) { return random() % (1 << 24) * 128; }},
      {"two rows of a bank", [=](std::uint64_t n, const auto& map,
                                 Random& random) { return in_rows(1, 3 + n % 2, map, random); }},
      {"few rows of all banks",
       [=](std::uint64_t, const auto& map, Random& random) {
         return in_rows(random() % map.banks, random() % 3, map, random);
       }},
      {"a stream beside random",
       [](std::uint64_t n, const auto&, Random& random) {
         return random() % 4 == 0 ? random() % (1 << 20) * 128 : n * 128;
       }},
  };
}

/// The arrival of requests: phases of high and low rates alternate.
class Traffic {
 public:
  Traffic(const Mix& mix, const AddressMapParameters& map, std::uint64_t seed)
      : mix_(mix), map_(map), random_(seed) {}

  /// Whether a request arrives in this cycle.
  bool has_request(std::uint64_t cycle) {
    const std::uint64_t gaps[] = {1, 4, 12, 70};
    return random_() % gaps[cycle / 1500 % 4] == 0;
  }
  DramRequest next() {
    const bool writes = number_ / 100 % 3 == 2;
    const std::uint32_t sizes[] = {16, 32, 64, 64, 128};
    return {.address = mix_.address(number_, map_, random_),
            .is_write = writes ? random_() % 2 == 0 : random_() % 10 == 0,
            .bytes = sizes[random_() % 5],
            .token = static_cast<std::uint32_t>(number_++)};
  }

 private:
  const Mix& mix_;
  AddressMapParameters map_;
  Random random_;
  std::uint64_t number_ = 0;
};

void fetch(DramChannel& channel, std::uint64_t until, Done& done) {
  std::vector<DramCompletion> completions;
  channel.advance(Cycle(until), completions);
  for (const DramCompletion& completion : completions) {
    ASSERT_LE(completion.at, Cycle(until));
    done.push_back({.token = completion.token, .at = completion.at.number});
  }
}

void expect_same(const DramCounters& channel, const DramCounters& model,
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

constexpr std::uint64_t kBusy = 12'000;  // Requests arrive until this cycle.
constexpr std::uint64_t kEnd = 30'000;

/// Sends the same traffic to three channels. One is advanced rarely, one only at its next_event(),
/// and one in every cycle.
void run(const Machine& machine, const Mix& mix, std::uint64_t seed) {
  Traffic traffic(mix, machine.parameters.map, seed);
  Random when(seed + 1);
  BankedChannelModel model(machine.parameters);
  const std::unique_ptr<DramChannel> rare = machine.parameters.make();
  const std::unique_ptr<DramChannel> woken = machine.parameters.make();
  const std::unique_ptr<DramChannel> asked = machine.parameters.make();
  Done from_rare;
  Done from_woken;
  Done from_asked;
  for (std::uint64_t cycle = 0; cycle < kEnd; ++cycle) {
    if (woken->next_event() == Cycle(cycle)) fetch(*woken, cycle, from_woken);
    fetch(*asked, cycle, from_asked);
    ASSERT_EQ(asked->accepts(Cycle(cycle)), model.accepts()) << "in cycle " << cycle;
    if (cycle < kBusy && traffic.has_request(cycle)) {
      ASSERT_EQ(rare->accepts(Cycle(cycle)), model.accepts()) << "in cycle " << cycle;
      if (model.accepts()) {
        const DramRequest request = traffic.next();
        for (DramChannel* const channel : {rare.get(), woken.get(), asked.get()})
          channel->add(request, Cycle(cycle));
        model.add(request, cycle);
      }
    }
    if (when() % 500 == 0) fetch(*rare, cycle, from_rare);
    ASSERT_TRUE(!woken->next_event() || *woken->next_event() > Cycle(cycle))
        << "in cycle " << cycle;
    model.step(cycle);
  }
  fetch(*rare, kEnd, from_rare);
  ASSERT_EQ(model.done.size(), model.counters.reads + model.counters.writes);
  EXPECT_GT(model.done.size(), 250U);
  EXPECT_EQ(from_rare, model.done);
  EXPECT_EQ(from_woken, model.done);
  EXPECT_EQ(from_asked, model.done);
  EXPECT_EQ(rare->next_event(), std::nullopt);
  expect_same(rare->counters(), model.counters, machine.parameters.bandwidth);
}

TEST(BankedChannelTraffic, AgreesWithCycleByCycleModel) {
  std::uint64_t seed = 1;
  for (const Machine& machine : machines()) {
    for (const Mix& mix : mixes()) {
      SCOPED_TRACE(machine.name + ", " + mix.name);
      run(machine, mix, seed++);
      if (HasFailure()) return;
    }
  }
}

}  // namespace
}  // namespace heddle::memory
