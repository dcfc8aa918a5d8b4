// Compares Partition with the cycle-by-cycle model under random traffic, and measures bandwidths.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "memory/partition_model.h"

namespace heddle::memory {
namespace {

using SentResponse = PartitionModel::SentResponse;
using PerformedAtomic = PartitionModel::PerformedAtomic;

struct Traffic {
  std::size_t requests = 600;
  std::uint32_t gap = 4;        ///< Mean cycles between two requests, of all multiprocessors.
  std::uint64_t bytes = 16384;  ///< The size of the accessed memory.
  std::uint32_t grain = 4;      ///< The bytes of which addresses and sizes are multiples.
  std::uint32_t block = 128;    ///< Each request lies in an aligned block of this size.
};

// Returns requests in bursts with pauses. Eight blocks are accessed more often than the others.
std::vector<Request> random_requests(const Traffic& traffic, std::uint32_t sms, AtomicLog& log,
                                     unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> clock(sms, 0);
  std::vector<Request> requests;
  const std::uint64_t blocks = traffic.bytes / traffic.block;
  const std::uint32_t grains = traffic.block / traffic.grain;
  for (std::uint32_t token = 0; token < traffic.requests; ++token) {
    const auto sm = static_cast<std::uint16_t>(random() % sms);
    const bool pauses = random() % 64 == 0;
    clock[sm] += random() % (2 * std::uint64_t{traffic.gap} * sms + 1) + (pauses ? 500 : 0);
    const std::uint64_t block = random() % 2 == 0 ? random() % blocks : random() % 8 % blocks;
    const auto first = static_cast<std::uint32_t>(random() % grains);
    const auto count = static_cast<std::uint32_t>(1 + random() % (grains - first));
    Request request = read_of(token, block * traffic.block + first * traffic.grain, clock[sm],
                              count * traffic.grain, sm);
    switch (random() % 8) {
      case 0:
      case 1:
      case 2:
        request.kind = RequestKind::write;
        request.carried_bytes = request.bytes;
        request.response_bytes = 0;
        break;
      case 3:
        request.kind = RequestKind::atomic;
        request.carried_bytes = static_cast<std::uint32_t>(4 * (1 + random() % 32));
        request.passes = static_cast<std::uint32_t>(1 + random() % 8);
        request.lanes = LaneMask::first_lanes(static_cast<int>(request.passes));
        request.work = log.work(token);
        if (random() % 2 == 0) request.response_bytes = 0;
        break;
      default:
        break;
    }
    requests.push_back(request);
  }
  return requests;
}

struct Result {
  std::vector<SentResponse> sent;
  std::vector<PerformedAtomic> performed;
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
};

/// Simulates a partition. Advances by up to `max_step` cycles at a time, and delivers requests up
/// to `max_lead` cycles before they must be known.
Result run(const PartitionMachine& machine, const std::vector<Request>& requests, AtomicLog& log,
           std::uint64_t max_step, std::uint64_t max_lead, unsigned seed) {
  std::mt19937_64 random(seed);
  PartitionBench bench(machine);
  std::vector<std::vector<Request>> outboxes(machine.sms);
  for (const Request& request : requests) outboxes[request.sm].push_back(request);
  std::vector<std::size_t> delivered(machine.sms, 0);

  Result result;
  log.done.clear();
  std::uint64_t now = 0;
  bool has_more = true;
  while (has_more || !bench.partition->idle()) {
    now += 1 + random() % max_step;
    has_more = false;
    for (std::uint32_t sm = machine.sms; sm-- > 0;) {
      const std::uint64_t horizon = now + random() % (max_lead + 1);
      std::vector<Request> batch;
      while (delivered[sm] < outboxes[sm].size() &&
             outboxes[sm][delivered[sm]].arrival.number < horizon) {
        batch.push_back(outboxes[sm][delivered[sm]++]);
      }
      has_more = has_more || delivered[sm] < outboxes[sm].size();
      bench.partition->receive(batch);
      EXPECT_TRUE(batch.empty());
    }
    const std::size_t performed = log.done.size();
    bench.partition->advance(Cycle(now));
    for (std::size_t i = performed; i < log.done.size(); ++i) {
      result.performed.push_back({log.done[i].token, now - 1});
    }
    for (std::uint16_t sm = 0; sm < machine.sms; ++sm) {
      for (const Response& response : bench.partition->outbox(sm)) {
        result.sent.push_back(
            {.sm = sm, .token = response.token, .arrival = response.arrival.number});
      }
      bench.partition->outbox(sm).clear();
    }
    if (now > 10'000'000) throw InputError("the partition does not terminate");
  }
  std::sort(result.sent.begin(), result.sent.end());
  result.reads = bench.count("dram.reads");
  result.writes = bench.count("dram.writes");
  return result;
}

std::vector<std::uint32_t> tokens_of(const std::vector<PerformedAtomic>& performed) {
  std::vector<std::uint32_t> tokens;
  for (const PerformedAtomic& each : performed) tokens.push_back(each.token);
  return tokens;
}

void expect_equals_model(const PartitionMachine& machine, const Traffic& traffic, unsigned seed) {
  AtomicLog log;
  const std::vector<Request> requests = random_requests(traffic, machine.sms, log, seed);
  PartitionModel model(machine, requests);
  for (std::uint64_t cycle = 0; !model.done(); ++cycle) {
    ASSERT_LT(cycle, 2'000'000U) << "the model must terminate";
    model.step(cycle);
  }
  model.send_rest();
  std::sort(model.sent.begin(), model.sent.end());

  const Result stepped = run(machine, requests, log, 1, 0, seed);
  ASSERT_EQ(stepped.sent, model.sent);
  ASSERT_EQ(stepped.performed, model.performed) << "each atomic must be performed in its cycle";
  ASSERT_EQ(stepped.reads, model.channel().reads);
  ASSERT_EQ(stepped.writes, model.channel().writes);

  for (const std::uint64_t max_step :
       {std::uint64_t{2}, std::uint64_t{80}, std::uint64_t{1} << 22}) {
    const Result leaping = run(machine, requests, log, max_step, max_step, seed + 1);
    ASSERT_EQ(leaping.sent, model.sent) << "in steps of up to " << max_step << " cycles";
    ASSERT_EQ(tokens_of(leaping.performed), tokens_of(model.performed));
    ASSERT_EQ(leaping.reads, stepped.reads);
    ASSERT_EQ(leaping.writes, stepped.writes);
  }
}

/// Returns a random machine: any policy, with many or few of each resource.
PartitionMachine random_machine(std::mt19937_64& random) {
  const auto one_of = [&](std::initializer_list<std::uint32_t> choices) {
    return *(choices.begin() + static_cast<std::ptrdiff_t>(random() % choices.size()));
  };
  PartitionMachine machine = plain_partition();
  machine.core_mhz = one_of({1, 1400, 700, 325, 3});
  machine.dram_mhz = machine.core_mhz == 1 ? 1 : one_of({924, 800, 7});
  if (machine.core_mhz == 3) machine.dram_mhz = 7;
  if (machine.core_mhz > 3 && machine.dram_mhz == 7) machine.dram_mhz = machine.core_mhz / 7;
  machine.sms = one_of({1, 3, 8});
  machine.port = {one_of({32, 8, 64}), one_of({1, 3})};
  machine.interconnect.header_bytes = one_of({0, 8, 16});
  machine.parts.memory.queue = one_of({1, 4, 16});
  machine.parts.atomic.interval = one_of({1, 4});

  L2Description& l2 = machine.parts.l2;
  l2.present = random() % 5 != 0;
  l2.sector_bytes = one_of({32, 64, 128});
  l2.ways = one_of({1, 2, 8});
  l2.bytes = std::uint64_t{128} * l2.ways * one_of({1, 4, 6});
  l2.latency = one_of({0, 20, 100});
  l2.interval = one_of({1, 2});
  l2.mshrs = one_of({1, 4, 32});
  l2.merges = one_of({1, 3, 8});
  l2.write = random() % 3 == 0 ? "through" : "back";

  DramDescription& dram = machine.parts.dram;
  dram.policy = std::vector<std::string>{"fixed", "fcfs", "fcfs-per-bank", "fr-fcfs",
                                         "fr-fcfs"}[random() % 5];
  dram.policy_parameters.get<FixedDramParameters>().latency = one_of({0, 30, 200});
  dram.bandwidth_bytes = one_of({16, 32, 125});
  dram.bandwidth_cycles = one_of({1, 4});
  dram.queue_entries = one_of({1, 8, 32});
  auto& banked = dram.policy_parameters.get<BankedDramParameters>();
  banked.banks = one_of({1, 8});
  banked.row_bytes = one_of({128, 2048});
  banked.hash_banks = random() % 2 == 0;
  dram.overhead = one_of({0, 50});
  dram.policy_parameters.get<FrFcfsParameters>().age_limit = one_of({0, 60});
  return machine;
}

TEST(PartitionTraffic, AgreesWithCycleByCycleModel) {
  std::mt19937_64 random(7);
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(testing::Message() << "machine " << seed);
    const PartitionMachine machine = random_machine(random);
    Traffic traffic;
    traffic.requests = 300;
    traffic.gap = random() % 2 == 0 ? 2 : 30;
    traffic.bytes = random() % 2 == 0 ? 2048 : 65536;
    traffic.grain = random() % 2 == 0 ? 4 : 32;
    expect_equals_model(machine, traffic, seed);
    if (HasFatalFailure()) return;
  }
}

TEST(PartitionTraffic, TerminatesWithMinimalResources) {
  PartitionMachine machine = plain_partition();
  machine.core_mhz = 1400;
  machine.dram_mhz = 924;
  machine.parts.memory.queue = 1;
  machine.parts.l2.bytes = 128;
  machine.parts.l2.ways = 1;
  machine.parts.l2.mshrs = 1;
  machine.parts.l2.merges = 1;
  machine.parts.dram.queue_entries = 1;
  unsigned seed = 100;
  for (const char* const policy : {"fixed", "fcfs", "fcfs-per-bank", "fr-fcfs"}) {
    for (const char* const write : {"back", "through"}) {
      SCOPED_TRACE(testing::Message() << policy << ", " << write);
      machine.parts.dram.policy = policy;
      machine.parts.l2.write = write;
      Traffic traffic;
      traffic.requests = 200;
      expect_equals_model(machine, traffic, ++seed);
    }
  }
}

/// Reads `lines` consecutive lines, beginning again after `bytes_used` bytes. Returns the cycles
/// from the first response to the last.
std::uint64_t stream(PartitionBench& bench, std::uint64_t lines, std::uint64_t bytes_used,
                     std::uint64_t from) {
  std::vector<Request> requests;
  for (std::uint64_t i = 0; i < lines; ++i) {
    requests.push_back(read_of(static_cast<std::uint32_t>(i), i * 128 % bytes_used, from, 128));
  }
  bench.partition->receive(requests);
  bench.partition->advance(Cycle(from + 10'000'000));
  std::vector<Response>& responses = bench.partition->outbox(0);
  EXPECT_EQ(responses.size(), lines);
  const Cycles taken = responses.back().arrival - responses.front().arrival;
  responses.clear();
  return taken.count;
}

TEST(PartitionTraffic, HitsSaturateTheCrossbarPort) {
  PartitionBench bench(plain_partition());
  stream(bench, 128, 16384, 0);
  const std::uint64_t cycles = stream(bench, 10'000, 16384, 20'000'000);
  // 136 bytes per response, 32 bytes per cycle.
  EXPECT_NEAR(static_cast<double>(cycles), 9'999 * 136 / 32.0, 2);
}

TEST(PartitionTraffic, MissesSaturateTheDataBus) {
  PartitionMachine machine = plain_partition();
  machine.core_mhz = 1400;
  machine.dram_mhz = 924;
  machine.parts.dram.policy = "fr-fcfs";
  machine.parts.dram.bandwidth_bytes = 156;  // 173 GB/s, 6 channels, 924 MHz: 31.2 B/cycle
  machine.parts.dram.bandwidth_cycles = 5;
  machine.parts.dram.queue_entries = 32;
  machine.parts.l2.mshrs = 64;
  PartitionBench bench(machine);
  const double cycles = static_cast<double>(stream(bench, 20'000, std::uint64_t{1} << 40, 0));
  const double bus_cycles = 19'999 * 128 / 31.2 * 1400 / 924;
  EXPECT_GE(cycles, bus_cycles - 2);
  EXPECT_LE(cycles, bus_cycles * 1.02);
  EXPECT_EQ(bench.count("dram.data_bytes"), 20'000U * 128);
}

TEST(PartitionTraffic, MissesWithFixedLatencySaturateTheDataBus) {
  PartitionMachine machine = plain_partition();
  machine.parts.l2.present = false;
  PartitionBench bench(machine);
  const double cycles = static_cast<double>(stream(bench, 20'000, std::uint64_t{1} << 40, 0));
  EXPECT_NEAR(cycles, 19'999 * 128 / 16.0, 2);
}

}  // namespace
}  // namespace heddle::memory
