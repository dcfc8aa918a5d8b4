#include "sm/memory/load_store_traffic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "sm/memory/load_store_model.h"
#include "sm/memory/load_store_unit.h"

namespace heddle::sm {
namespace {

constexpr memory::InterconnectDescription kInterconnect{
    .latency = 24, .bytes_per_cycle = 32, .header_bytes = 8};
constexpr std::uint16_t kSm = 3;
constexpr std::array kAllPaths{MemoryPath::global, MemoryPath::shared, MemoryPath::constant,
                               MemoryPath::texture};

memory::AddressMap partitions() {
  return memory::AddressMap({.channels = 3, .interleave_bytes = 256});
}

/// All fields of a request except its token.
auto content(const memory::Request& request) {
  return std::tuple(request.address, request.bytes, request.kind, request.sm,
                    request.response_bytes, request.passes, request.lanes.bits(), request.work,
                    request.arrival.number);
}

std::uint64_t counter(LoadStoreUnit& unit, const std::string& name) {
  CounterList counters;
  unit.declare(counters);
  for (const Counter& each : counters.all()) {
    if (each.name == name) return *each.value;
  }
  ADD_FAILURE() << "no counter " << name;
  return 0;
}

TrafficShape small_caches() {
  TrafficShape shape;
  shape.description.lsu.queue = 3;
  shape.description.l1.cache.bytes = 2048;
  shape.description.l1.cache.ways = 2;
  shape.description.l1.cache.mshrs = 6;
  shape.description.l1.cache.merges = 3;
  shape.description.scratchpad.queue = 2;
  shape.description.constant.cache.bytes = 1024;
  shape.description.constant.cache.ways = 2;
  shape.description.constant.cache.mshrs = 2;
  shape.description.constant.cache.merges = 4;
  shape.description.constant.queue = 2;
  shape.description.texture.cache.bytes = 1536;
  shape.description.texture.cache.ways = 3;
  shape.description.texture.cache.mshrs = 4;
  shape.description.texture.queue = 2;
  return shape;
}

/// Checks that unit and model write the same dirty lines back at the end, in the same pieces. Their
/// order may differ.
void expect_same_final_write_back(LoadStoreUnit& unit, LoadStoreModel& model, std::uint64_t cycle) {
  const auto bytes_of = [](const memory::Request& request) {
    EXPECT_EQ(request.kind, memory::RequestKind::write);
    return std::pair(request.address, request.bytes);
  };
  for (std::uint32_t partition = 0; partition < 3; ++partition) unit.outbox(partition).clear();
  model.sent.clear();
  model.write_back_all();
  EXPECT_EQ(unit.write_back_all(Cycle(cycle)), !model.sent.empty());
  std::multiset<std::pair<std::uint64_t, std::uint32_t>> written, modelled;
  for (std::uint32_t partition = 0; partition < 3; ++partition) {
    for (const memory::Request& sent : unit.outbox(partition)) written.insert(bytes_of(sent));
  }
  for (const memory::Request& sent : model.sent) modelled.insert(bytes_of(sent));
  EXPECT_EQ(written, modelled);
  EXPECT_FALSE(unit.write_back_all(Cycle(cycle))) << "all lines are clean";
}

void expect_matches_model(const TrafficShape& shape, std::uint32_t seed) {
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  LoadStoreUnit unit(shape.description, kInterconnect, shape.port, partitions(), kSm);
  LoadStoreModel model(shape.description, kInterconnect, shape.port, partitions(), kSm);
  LoadStoreTraffic traffic(shape, seed);
  std::map<std::uint32_t, std::uint64_t> completions;
  std::map<MemoryPath, std::uint64_t> latest;  // The cycle of the path's latest instruction.
  std::vector<MemoryCompletion> reported;
  std::uint32_t token = 0;
  constexpr std::uint64_t kLastNew = 6000;
  std::uint64_t cycle = 0;
  for (; cycle < kLastNew || !unit.idle(); ++cycle) {
    ASSERT_LT(cycle, 10 * kLastNew) << "stuck";
    unit.advance(Cycle(cycle), reported);
    model.begin(cycle);
    for (const MemoryCompletion& each : reported) {
      EXPECT_GE(each.at.number, cycle) << "reported too late";
      EXPECT_TRUE(completions.emplace(each.token, each.at.number).second) << "reported twice";
    }
    reported.clear();
    for (const MemoryPath path : kAllPaths) {
      ASSERT_EQ(unit.accepts(path), model.accepts(path)) << "path " << int(path) << " at " << cycle;
    }
    if (cycle < kLastNew && traffic.has_new_instruction()) {
      const MemoryInstruction instruction = traffic.next(++token);
      if (unit.accepts(instruction.path)) {
        std::uint64_t& at = latest[instruction.path];
        at = std::max(at, cycle + traffic.below(3));
        const std::optional<Cycle> known = unit.add(instruction, Cycle(at));
        if (known) completions[instruction.token] = known->number;
        model.add(instruction, at);
      }
    }
    if (cycle % kInterconnect.latency != 0) {
      model.end();
      continue;
    }

    // The model has one list of requests. Within each partition the order is the same.
    std::array<std::size_t, 3> taken{};
    for (const memory::Request& modelled : model.sent) {
      const std::uint32_t partition = partitions().channel_of(modelled.address);
      ASSERT_LT(taken[partition], unit.outbox(partition).size()) << "at " << cycle;
      const memory::Request& sent = unit.outbox(partition)[taken[partition]++];
      ASSERT_EQ(content(sent), content(modelled)) << "at " << cycle;
      auto response = respond(sent, shape.longest_response, kInterconnect.header_bytes);
      if (!response) continue;
      unit.deliver(*response);
      response->token = modelled.token;
      model.deliver(*response);
    }
    model.sent.clear();
    for (std::uint32_t partition = 0; partition < 3; ++partition) {
      ASSERT_EQ(unit.outbox(partition).size(), taken[partition]);
      unit.outbox(partition).clear();
    }
    model.end();
  }
  EXPECT_EQ(completions, model.completions);
  EXPECT_GT(completions.size(), 100u);
  const std::array<std::string, 3> names{"l1", "constant", "texture"};
  for (std::size_t path = 0; path < names.size(); ++path) {
    const LoadStoreModel::Counts& counts = model.counts(path);
    EXPECT_EQ(counter(unit, names[path] + ".hits"), counts.hits) << names[path];
    EXPECT_EQ(counter(unit, names[path] + ".misses"), counts.misses) << names[path];
    EXPECT_EQ(counter(unit, names[path] + ".merged"), counts.merged) << names[path];
    EXPECT_EQ(counter(unit, names[path] + ".evictions"), counts.evictions) << names[path];
    EXPECT_EQ(counter(unit, names[path] + ".accesses"),
              counts.hits + counts.misses + counts.merged);
  }
  expect_same_final_write_back(unit, model, cycle);
  const LoadStoreModel::Counts& counts = model.counts(0);
  if (shape.description.l1.prefetch.policy != "none") {
    EXPECT_GT(counts.issued, 10u);
    EXPECT_EQ(counter(unit, "l1.prefetch.issued"), counts.issued);
    EXPECT_EQ(counter(unit, "l1.prefetch.useful"), counts.useful);
    EXPECT_EQ(counter(unit, "l1.prefetch.late"), counts.late);
    EXPECT_EQ(counter(unit, "l1.prefetch.redundant"), counts.redundant);
    EXPECT_EQ(counter(unit, "l1.prefetch.dropped"), counts.dropped);
  }
  EXPECT_EQ(counter(unit, "l1.store_hits"), counts.store_hits);
  EXPECT_EQ(counter(unit, "l1.store_misses"), counts.store_misses);
  EXPECT_EQ(counter(unit, "l1.writebacks"), counts.writebacks);
  EXPECT_EQ(counter(unit, "l1.writeback_bytes"), counts.writeback_bytes);
}

/// The completions and requests of a run.
struct History {
  std::map<std::uint32_t, std::uint64_t> completions;
  std::vector<decltype(content(memory::Request{}))> requests;
  std::vector<bool> accepted;
  friend bool operator==(const History&, const History&) = default;
};

/// The cycles in which the unit is advanced.
enum class Steps : std::uint8_t {
  cycle_by_cycle,
  between_events,
  between_visible_events,  ///< And whenever requests are taken from the unit.
};

History run(LoadStoreUnit& unit, const TrafficShape& shape, std::uint32_t seed, Steps steps) {
  LoadStoreTraffic traffic(shape, seed);
  History history;
  std::vector<MemoryCompletion> reported;
  std::uint32_t token = 0;
  constexpr std::uint64_t kLastNew = 5000;
  for (std::uint64_t cycle = 0; cycle < kLastNew || !unit.idle(); ++cycle) {
    const bool epoch_ends = cycle % kInterconnect.latency == 0;
    if (steps == Steps::cycle_by_cycle ||
        (steps == Steps::between_events && unit.next_event() <= Cycle(cycle)) ||
        (steps == Steps::between_visible_events &&
         (epoch_ends || unit.next_visible_event() <= Cycle(cycle)))) {
      unit.advance(Cycle(cycle), reported);
      for (const MemoryCompletion& each : reported) {
        EXPECT_GE(each.at.number, cycle) << "reported too late";
        history.completions[each.token] = each.at.number;
      }
      reported.clear();
    }
    if (cycle < kLastNew && traffic.has_new_instruction()) {
      const MemoryInstruction instruction = traffic.next(++token);
      history.accepted.push_back(unit.accepts(instruction.path));
      if (history.accepted.back()) {
        const std::optional<Cycle> known = unit.add(instruction, Cycle(cycle));
        if (known) history.completions[instruction.token] = known->number;
      }
    }
    if (!epoch_ends) continue;
    for (std::uint32_t partition = 0; partition < 3; ++partition) {
      for (const memory::Request& sent : unit.outbox(partition)) {
        auto compared = content(sent);
        std::get<7>(compared) = nullptr;  // Each run has its own work object.
        history.requests.push_back(compared);
        auto response = respond(sent, shape.longest_response, kInterconnect.header_bytes);
        if (response) unit.deliver(*response);
      }
      unit.outbox(partition).clear();
    }
  }
  return history;
}

History run(const TrafficShape& shape, std::uint32_t seed, Steps steps) {
  LoadStoreUnit unit(shape.description, kInterconnect, shape.port, partitions(), kSm);
  return run(unit, shape, seed, steps);
}

void expect_all(const TrafficShape& shape) {
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    expect_matches_model(shape, seed);
    const History history = run(shape, seed, Steps::cycle_by_cycle);
    EXPECT_TRUE(run(shape, seed, Steps::between_events) == history);
    EXPECT_TRUE(run(shape, seed, Steps::between_visible_events) == history);
  }
}

TEST(LoadStoreTraffic, SmallCachesMatchModel) { expect_all(small_caches()); }

TEST(LoadStoreTraffic, CausesEveryKindOfStall) {
  TrafficShape shape = small_caches();
  shape.description.lsu.send_backlog = 2;
  shape.description.l1.cache.merges = 1;
  LoadStoreUnit unit(shape.description, kInterconnect, shape.port, partitions(), kSm);
  run(unit, shape, 1, Steps::cycle_by_cycle);
  for (const char* const reason : {"mshrs", "merges", "send"}) {
    EXPECT_GT(counter(unit, std::string("l1.") + reason + "_full_cycles"), 50u) << reason;
  }
  EXPECT_GT(counter(unit, "l1.set_pending_cycles"), 100u);
  EXPECT_GT(counter(unit, "scratchpad.conflict_cycles"), 100u);
}

TEST(LoadStoreTraffic, CachesThatHoldEverythingMatchModel) {
  TrafficShape shape = small_caches();
  shape.span = 1024;
  shape.busy_cycles = 12;
  expect_all(shape);
}

TEST(LoadStoreTraffic, SectoredL1MatchesModel) {
  TrafficShape shape = small_caches();
  shape.description.l1.cache.sector_bytes = 32;
  shape.span = 4096;
  expect_all(shape);
}

TEST(LoadStoreTraffic, DifferentSectorSizesMatchModel) {
  TrafficShape shape = small_caches();
  shape.description.l1.cache.sector_bytes = 64;
  shape.description.coalescer.shape.segment_bytes = 64;
  shape.description.coalescer.shape.sector_bytes = 16;
  shape.description.coalescer.shape.group = 16;
  expect_all(shape);
}

TEST(LoadStoreTraffic, LinesLongerThanRequestMatchModel) {
  TrafficShape shape = small_caches();
  shape.description.lsu.request_bytes = 32;
  expect_all(shape);
}

TEST(LoadStoreTraffic, WithoutL1MatchesModel) {
  TrafficShape shape = small_caches();
  shape.description.l1.present = false;
  expect_all(shape);
}

TEST(LoadStoreTraffic, SharedPipeMatchesModel) {
  TrafficShape shape = small_caches();
  shape.description.lsu.shared_pipe = true;
  expect_all(shape);
}

class WritePolicies : public testing::TestWithParam<std::pair<std::string, std::string>> {
 protected:
  static TrafficShape shape() {
    TrafficShape shape = small_caches();
    std::tie(shape.description.l1.global_writes, shape.description.l1.local_writes) = GetParam();
    return shape;
  }
};

TEST_P(WritePolicies, MatchModel) { expect_all(shape()); }

TEST_P(WritePolicies, MatchModelWithSectors) {
  TrafficShape sectored = shape();
  sectored.description.l1.cache.sector_bytes = 32;
  sectored.span = 4096;
  expect_all(sectored);
}

TEST_P(WritePolicies, MatchModelWithSectorsOfTwoCoalescerSectors) {
  TrafficShape sectored = shape();
  sectored.description.l1.cache.sector_bytes = 64;
  sectored.description.coalescer.shape.segment_bytes = 32;
  sectored.description.lsu.request_bytes = 32;
  expect_all(sectored);
}

TEST_P(WritePolicies, MatchModelWithSectorsOfHalfACoalescerSector) {
  TrafficShape sectored = shape();
  sectored.description.l1.cache.sector_bytes = 16;
  expect_all(sectored);
}

TEST_P(WritePolicies, MatchModelWithNarrowPort) {
  TrafficShape narrow = shape();
  narrow.description.lsu.send_backlog = 3;
  narrow.port = {.bytes = 8, .cycles = 3};
  narrow.busy_cycles = 3;
  expect_all(narrow);
}

TEST_P(WritePolicies, MatchModelWithSingleLine) {
  TrafficShape one = shape();
  CacheDescription& l1 = one.description.l1.cache;
  l1.bytes = l1.line_bytes;
  l1.ways = l1.mshrs = l1.merges = 1;
  one.description.lsu.send_backlog = 1;
  expect_all(one);
}

TEST_P(WritePolicies, HaveNoEffectWithoutL1) {
  TrafficShape without = shape();
  without.description.l1.present = false;
  expect_all(without);
}

INSTANTIATE_TEST_SUITE_P(, WritePolicies,
                         testing::Values(std::pair("evict", "evict"), std::pair("back", "back"),
                                         std::pair("back-no-allocate", "back-no-allocate"),
                                         std::pair("evict", "back-no-allocate"),
                                         std::pair("back", "through"),
                                         std::pair("through", "back")));

class PrefetchTraffic : public testing::TestWithParam<std::uint32_t> {
 protected:
  static TrafficShape shape() {
    TrafficShape shape = small_caches();
    shape.description.l1.prefetch.policy = "next-line";
    shape.description.l1.prefetch.degree = GetParam();
    shape.description.l1.prefetch.queue = 3;
    shape.busy_cycles = 1;  // Otherwise, there are too few cycles without an access.
    return shape;
  }
};

TEST_P(PrefetchTraffic, MatchesModel) { expect_all(shape()); }

TEST_P(PrefetchTraffic, MatchesModelWithSectoredWriteBackL1) {
  TrafficShape sectored = shape();
  sectored.description.l1.cache.sector_bytes = 32;
  sectored.description.l1.global_writes = "back";
  sectored.description.l1.local_writes = "back-no-allocate";
  expect_all(sectored);
}

TEST_P(PrefetchTraffic, MatchesModelWhenWritesEvictAndScratchpadSharesQueue) {
  TrafficShape evicting = shape();
  evicting.description.l1.global_writes = "evict";
  evicting.description.lsu.shared_pipe = true;
  expect_all(evicting);
}

TEST_P(PrefetchTraffic, MatchesModelWithFewResources) {
  TrafficShape narrow = shape();
  narrow.description.l1.cache.mshrs = 2;
  narrow.description.lsu.address_cycles = 0;
  narrow.description.lsu.send_backlog = 3;
  narrow.port = {.bytes = 16, .cycles = 1};
  narrow.longest_response = 20;
  expect_all(narrow);
}

INSTANTIATE_TEST_SUITE_P(Degree, PrefetchTraffic, testing::Values(1, 4));

TEST(LoadStoreTraffic, NarrowPortMatchesModel) {
  TrafficShape shape = small_caches();
  shape.description.lsu.send_backlog = 3;
  shape.port = {.bytes = 8, .cycles = 3};
  shape.busy_cycles = 3;
  expect_all(shape);
}

TEST(LoadStoreTraffic, SingleEntriesMatchModel) {
  TrafficShape shape = small_caches();
  for (CacheDescription* cache : {&shape.description.l1.cache, &shape.description.constant.cache,
                                  &shape.description.texture.cache}) {
    cache->bytes = cache->line_bytes;
    cache->ways = 1;
    cache->mshrs = 1;
    cache->merges = 1;
  }
  shape.description.lsu.queue = 1;
  shape.description.lsu.address_cycles = 0;
  shape.description.constant.queue = 1;
  shape.description.texture.queue = 1;
  shape.description.scratchpad.queue = 1;
  expect_all(shape);
}

}  // namespace
}  // namespace heddle::sm
