// Stores, atomics, and the ports to and from the crossbar.

#include "sm/memory/load_store_fixture.h"
#include "sm/memory/load_store_traffic.h"

namespace heddle::sm {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class LoadStoreWrites : public LoadStoreFixture {
 protected:
  MemoryInstruction store(std::uint64_t address, std::uint64_t step = 4) {
    return instruction(MemoryAction::store, 0, address, step);
  }
  MemoryInstruction atomic(std::uint32_t token, std::uint64_t address, std::uint64_t step) {
    MemoryInstruction made = instruction(MemoryAction::atomic, token, address, step);
    made.work = &work;
    return made;
  }
  NoWork work;
};

TEST_F(LoadStoreWrites, StoreIsWrittenThroughWithoutResponse) {
  EXPECT_EQ(unit().add(store(0), Cycle(10)), std::nullopt);
  EXPECT_FALSE(unit().idle());
  EXPECT_THAT(advance(13), IsEmpty());
  EXPECT_TRUE(unit().idle());
  const std::vector<memory::Request> requests = take_requests();
  ASSERT_EQ(requests.size(), 1u);
  EXPECT_EQ(requests[0].kind, memory::RequestKind::write);
  EXPECT_EQ(requests[0].bytes, 128u);
  EXPECT_EQ(requests[0].response_bytes, 0u);
  EXPECT_EQ(requests[0].arrival, Cycle(13 + 5 + 24)) << "136 bytes take 4.25 cycles";
  EXPECT_EQ(counter("crossbar_out.bytes_sent"), 136u);
}

TEST_F(LoadStoreWrites, StoreSendsItsSectors) {
  MemoryInstruction narrow = store(48, 2);
  narrow.bytes_per_lane = 2;  // 64 bytes, in sectors 1 to 3.
  unit().add(narrow, Cycle(10));
  advance(20);
  const std::vector<memory::Request> requests = take_requests();
  ASSERT_EQ(requests.size(), 1u);
  EXPECT_EQ(requests[0].address, 32u);
  EXPECT_EQ(requests[0].bytes, 96u);
}

TEST_F(LoadStoreWrites, StoreAllocatesNoLine) {
  unit().add(store(0), Cycle(10));
  advance(20);
  EXPECT_FALSE(unit().add(load(1, 0), Cycle(20)));
}

TEST_F(LoadStoreWrites, StoreKeepsLineAndCountsAsUse) {
  description.l1.cache.bytes = 256;
  description.l1.cache.ways = 2;
  warm(MemoryPath::global, {0, 128}, 1000);
  unit().add(store(0), Cycle(1000));
  unit().add(load(1, 256), Cycle(1001));
  advance(1010);
  respond(take_requests()[1], 1010);
  advance(1020);
  EXPECT_TRUE(unit().add(load(2, 0), Cycle(1020))) << "line 128 was used less recently";
}

TEST_F(LoadStoreWrites, AtomicIsSentWithItsLanes) {
  unit().add(atomic(7, 0, 64), Cycle(10));
  advance(30);
  const std::vector<memory::Request> requests = take_requests();
  ASSERT_EQ(requests.size(), 16u) << "two lanes in a segment";
  EXPECT_EQ(requests[1].kind, memory::RequestKind::atomic);
  EXPECT_EQ(requests[1].address, 128u);
  EXPECT_EQ(requests[1].bytes, 96u) << "from the first sector to the last";
  EXPECT_EQ(requests[1].lanes, LaneMask(0b1100));
  EXPECT_EQ(requests[1].passes, 1u);
  EXPECT_EQ(requests[1].response_bytes, 8u);
  EXPECT_EQ(requests[1].work, &work);
  EXPECT_EQ(counter("crossbar_out.bytes_sent"), 16u * (8 + 2 * 4));
}

TEST_F(LoadStoreWrites, AtomicHasOnePassPerLaneWithSameAddress) {
  std::uint64_t at = 10;
  for (const std::uint32_t same : {1u, 2u, 8u, 32u}) {
    memory::LaneAddresses addresses{};
    for (std::uint64_t lane = 0; lane < kWarpSize; ++lane) addresses[lane] = lane / same * 4;
    MemoryInstruction added = atomic(1, 0, 4);
    added.addresses = &addresses;
    unit().add(added, Cycle(at));
    advance(at += 10);
    EXPECT_EQ(take_requests()[0].passes, same);
  }
}

TEST_F(LoadStoreWrites, AtomicCompletesWithLastResponse) {
  unit().add(atomic(7, 0, 8), Cycle(10));
  advance(50);
  const std::vector<memory::Request> requests = take_requests();
  ASSERT_EQ(requests.size(), 2u);
  respond(requests[1], 50);
  EXPECT_THAT(advance(60), IsEmpty());
  respond(requests[0], 60);  // 72 bytes: a header, and 4 bytes for each of 16 lanes.
  EXPECT_THAT(advance(62), IsEmpty());
  EXPECT_THAT(advance(63), ElementsAre(completion(7, 63)));
}

TEST_F(LoadStoreWrites, ReductionGetsResponseWithoutData) {
  MemoryInstruction added = atomic(7, 0, 4);
  added.wants_old_values = false;
  unit().add(added, Cycle(10));
  advance(50);
  const std::vector<memory::Request> requests = take_requests();
  EXPECT_EQ(requests[0].response_bytes, 0u);
  respond(requests[0], 50);
  EXPECT_THAT(advance(51), ElementsAre(completion(7, 51)));
}

TEST_F(LoadStoreWrites, AtomicInvalidatesItsLine) {
  warm(MemoryPath::global, {0}, 1000);
  unit().add(atomic(1, 0, 4), Cycle(1000));
  advance(1010);
  EXPECT_FALSE(unit().add(load(2, 0), Cycle(1010)));
}

TEST_F(LoadStoreWrites, StoresSaturateOutputPort) {
  std::uint64_t cycle = 0;
  for (; cycle < 20'000; ++cycle) {
    advance(cycle);
    if (unit().accepts(MemoryPath::global)) unit().add(store(cycle * 128), Cycle(cycle));
  }
  const double bytes = double(counter("crossbar_out.bytes_sent"));
  EXPECT_NEAR(bytes / double(cycle), 32.0, 0.32);
  EXPECT_LE(take_requests().back().arrival.number, cycle + 1 + 32 + 5 + 24)
      << "the port is booked at most send_backlog ahead";
}

TEST_F(LoadStoreWrites, LoadsSaturateInputPort) {
  description.l1.cache.mshrs = 64;
  std::uint64_t cycle = 0;
  for (std::uint64_t line = 0; cycle < 20'000; ++cycle) {
    const std::size_t completions = advance(cycle).size();
    ASSERT_LE(completions, 1u);
    if (unit().accepts(MemoryPath::global)) unit().add(load(1, line++ * 128), Cycle(cycle));
    for (const memory::Request& request : take_requests())
      respond(request, request.arrival.number + 100);
  }
  EXPECT_NEAR(double(counter("crossbar_in.bytes_received")) / double(cycle), 32.0, 0.32);
}

}  // namespace
}  // namespace heddle::sm
