// Loads through the caches, with cycles computed by hand.

#include "sm/memory/load_store_fixture.h"

namespace heddle::sm {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using LoadStoreLoads = LoadStoreFixture;

TEST_F(LoadStoreLoads, HitIsUsableAfterAddressCyclesAndLatency) {
  warm(MemoryPath::global, {0}, 1000);
  EXPECT_EQ(unit().add(load(1, 0), Cycle(1000)), Cycle(1000 + 2 + 20));
  EXPECT_THAT(take_requests(), IsEmpty());
  EXPECT_TRUE(unit().idle());
}

TEST_F(LoadStoreLoads, HitOfSeveralLinesTakesOneCycleEach) {
  warm(MemoryPath::global, {0, 128, 256, 384}, 1000);
  EXPECT_EQ(unit().add(load(1, 0, 16), Cycle(1000)), Cycle(1000 + 2 + 3 + 20));
  EXPECT_EQ(unit().add(load(2, 0), Cycle(1001)), std::nullopt) << "it waits for the first load";
  EXPECT_THAT(advance(1006), IsEmpty()) << "its access is made in cycle 1006";
  EXPECT_THAT(advance(1007), ElementsAre(completion(2, 1006 + 20)));
}

TEST_F(LoadStoreLoads, MissSendsRequestInNextCycle) {
  EXPECT_EQ(unit().add(load(1, 256), Cycle(10)), std::nullopt);
  EXPECT_EQ(unit().next_event(), Cycle(13));
  advance(12);
  EXPECT_THAT(unit().outbox(0), IsEmpty());
  advance(13);
  EXPECT_EQ(unit().next_event(), Cycle::never());
  const std::vector<memory::Request> requests = take_requests();
  ASSERT_EQ(requests.size(), 1u);
  EXPECT_EQ(requests[0].kind, memory::RequestKind::read);
  EXPECT_EQ(requests[0].address, 256u);
  EXPECT_EQ(requests[0].bytes, 128u);
  EXPECT_EQ(requests[0].response_bytes, 128u);
  EXPECT_EQ(requests[0].sm, 5u);
  // The access is made in cycle 12. The header's 8 bytes take a quarter of cycle 13.
  EXPECT_EQ(requests[0].arrival, Cycle(14 + 24));
}

TEST_F(LoadStoreLoads, MissCompletesWhenLineHasPassedPort) {
  unit().add(load(1, 256), Cycle(10));
  advance(90);
  respond(take_requests()[0], 100);
  // 136 bytes take 4.25 cycles.
  EXPECT_THAT(advance(104), IsEmpty());
  EXPECT_FALSE(unit().idle());
  EXPECT_THAT(advance(105), ElementsAre(completion(1, 105)));
  EXPECT_TRUE(unit().idle());
}

TEST_F(LoadStoreLoads, ResponsesPassPortInOrderOfArrival) {
  for (const std::uint32_t token : {1u, 2u, 3u}) unit().add(load(token, token * 128), Cycle(10));
  advance(90);
  const std::vector<memory::Request> requests = take_requests();
  respond(requests[0], 102);
  respond(requests[1], 100);
  respond(requests[2], 102);
  EXPECT_EQ(unit().next_event(), Cycle(101)) << "no response passes earlier";
  // The responses have passed the port at 104.25, 108.5 and 112.75 cycles.
  EXPECT_THAT(advance(200),
              ElementsAre(completion(2, 105), completion(1, 109), completion(3, 113)));
}

TEST_F(LoadStoreLoads, LoadCompletesWithLaterOfHitAndMiss) {
  warm(MemoryPath::global, {0}, 1000);
  unit().add(load(1, 64), Cycle(1000));  // It accesses line 0 in cycle 1002, line 128 in 1003.
  advance(1004);
  respond(take_requests()[0], 1004);
  EXPECT_THAT(advance(1009), ElementsAre(completion(1, 1022))) << "the hit's data come later";
}

TEST_F(LoadStoreLoads, MergesLoadsOfPendingLine) {
  unit().add(load(1, 0), Cycle(10));
  unit().add(load(2, 0), Cycle(11));
  unit().add(load(3, 0), Cycle(12));
  advance(50);
  const std::vector<memory::Request> requests = take_requests();
  ASSERT_EQ(requests.size(), 1u);
  respond(requests[0], 50);
  EXPECT_THAT(advance(55), ElementsAre(completion(1, 55), completion(2, 55), completion(3, 55)));
  EXPECT_EQ(counter("l1.misses"), 1u);
  EXPECT_EQ(counter("l1.merged"), 2u);
}

TEST_F(LoadStoreLoads, MissWithoutMshrWaitsForFill) {
  description.l1.cache.mshrs = 2;
  for (const std::uint32_t token : {1u, 2u, 3u, 4u}) {
    unit().add(load(token, token * 128), Cycle(10));
  }
  advance(99);
  const std::vector<memory::Request> requests = take_requests();
  ASSERT_EQ(requests.size(), 2u);
  EXPECT_EQ(unit().next_event(), Cycle::never());
  respond(requests[1], 100);  // It has passed the port in cycle 105.
  advance(105);
  EXPECT_THAT(unit().outbox(0), IsEmpty());
  advance(106);
  const std::vector<memory::Request> after_fill = take_requests();
  ASSERT_EQ(after_fill.size(), 1u);
  EXPECT_EQ(after_fill[0].address, 3u * 128);
  EXPECT_EQ(after_fill[0].arrival, Cycle(105 + 1 + 1 + 24));
  EXPECT_EQ(counter("l1.mshrs_full_cycles"), 105u - 14) << "it stalls from cycle 14 on";
}

TEST_F(LoadStoreLoads, StalledMissBlocksHitsBehindIt) {
  description.l1.cache.mshrs = 1;
  warm(MemoryPath::global, {0}, 1000);
  unit().add(load(1, 128), Cycle(1000));
  unit().add(load(2, 256), Cycle(1001));
  unit().add(load(3, 0), Cycle(1002));
  EXPECT_THAT(advance(1100), IsEmpty());
  respond(take_requests()[0], 1100);
  // The line has passed the port in cycle 1105. Load 2 makes its access in cycle 1105, load 3 in
  // 1106.
  EXPECT_THAT(advance(1107), ElementsAre(completion(1, 1105), completion(3, 1106 + 20)));
}

TEST_F(LoadStoreLoads, LoadWithoutMergeWaitsAndHits) {
  description.l1.cache.merges = 2;
  for (const std::uint32_t token : {1u, 2u, 3u}) unit().add(load(token, 0), Cycle(10));
  advance(50);
  respond(take_requests()[0], 50);
  EXPECT_THAT(advance(56),
              ElementsAre(completion(1, 55), completion(2, 55), completion(3, 55 + 20)));
  EXPECT_EQ(counter("l1.merges_full_cycles"), 55u - 14);
}

TEST_F(LoadStoreLoads, MissWaitsIfWholeSetIsPending) {
  description.l1.cache.bytes = 256;
  description.l1.cache.ways = 2;
  for (const std::uint32_t token : {1u, 2u, 3u}) unit().add(load(token, token * 128), Cycle(10));
  advance(50);
  const std::vector<memory::Request> requests = take_requests();
  ASSERT_EQ(requests.size(), 2u);
  respond(requests[1], 50);
  advance(56);
  EXPECT_EQ(take_requests().size(), 1u);
  EXPECT_EQ(counter("l1.set_pending_cycles"), 55u - 14);
  EXPECT_EQ(counter("l1.evictions"), 1u);
}

TEST_F(LoadStoreLoads, QueueHasRoomAfterLastAccessOfFirstInstruction) {
  description.lsu.queue = 2;
  unit().add(load(1, 0, 32), Cycle(10));  // 8 accesses, in cycles 12 to 19.
  EXPECT_TRUE(unit().accepts(MemoryPath::global));
  unit().add(load(2, 0), Cycle(10));
  EXPECT_FALSE(unit().accepts(MemoryPath::global));
  EXPECT_TRUE(unit().accepts(MemoryPath::constant)) << "the constant path has its own queue";
  EXPECT_EQ(unit().next_event(), Cycle(13));
  EXPECT_EQ(unit().next_visible_event(), Cycle(20));
  advance(19);
  EXPECT_FALSE(unit().accepts(MemoryPath::global));
  advance(20);
  EXPECT_TRUE(unit().accepts(MemoryPath::global));
}

TEST_F(LoadStoreLoads, UncachedLoadFetchesItsSectorsEachTime) {
  warm(MemoryPath::global, {0}, 1000);
  MemoryInstruction uncached = load(1, 0, 0);
  uncached.cached = false;
  for (int time = 0; time < 2; ++time) unit().add(uncached, Cycle(1000));
  advance(1010);
  const std::vector<memory::Request> requests = take_requests();
  ASSERT_EQ(requests.size(), 2u);
  EXPECT_EQ(requests[0].bytes, 32u);
  respond(requests[0], 1010);  // 40 bytes.
  EXPECT_THAT(advance(1012), ElementsAre(completion(1, 1012)));
}

TEST_F(LoadStoreLoads, WithoutL1EveryLoadIsUncached) {
  description.l1.present = false;
  unit().add(load(1, 0), Cycle(10));
  unit().add(load(2, 0), Cycle(11));
  advance(20);
  EXPECT_EQ(take_requests().size(), 2u);
  EXPECT_EQ(counter("lsu.uncached_segments"), 2u);
}

struct Shape {
  std::uint64_t step;
  std::size_t requests;
  std::uint32_t sectors_bytes;
};

TEST_F(LoadStoreLoads, SendsOneRequestPerRunOfSectors) {
  description.l1.present = false;
  std::uint64_t at = 10;
  for (const Shape& shape : {Shape{.step = 0, .requests = 1, .sectors_bytes = 32},
                             Shape{.step = 4, .requests = 1, .sectors_bytes = 128},
                             Shape{.step = 8, .requests = 2, .sectors_bytes = 256},
                             Shape{.step = 32, .requests = 8, .sectors_bytes = 1024},
                             // Every other sector: two requests per segment.
                             Shape{.step = 64, .requests = 32, .sectors_bytes = 1024},
                             Shape{.step = 128, .requests = 32, .sectors_bytes = 1024},
                             Shape{.step = 256, .requests = 32, .sectors_bytes = 1024}}) {
    unit().add(load(1, 0, shape.step), Cycle(at));
    advance(at += 100);
    const std::vector<memory::Request> requests = take_requests();
    EXPECT_EQ(requests.size(), shape.requests) << "step " << shape.step;
    std::uint32_t bytes = 0;
    for (const memory::Request& request : requests) bytes += request.bytes;
    EXPECT_EQ(bytes, shape.sectors_bytes) << "step " << shape.step;
  }
}

TEST_F(LoadStoreLoads, LineOfSeveralRequestsCompletesWithLastResponse) {
  description.lsu.request_bytes = 64;
  unit().add(load(1, 128), Cycle(10));
  advance(50);
  const std::vector<memory::Request> requests = take_requests();
  ASSERT_EQ(requests.size(), 2u);
  EXPECT_EQ(requests[1].address, 192u);
  EXPECT_EQ(requests[1].bytes, 64u);
  respond(requests[0], 50);
  respond(requests[1], 60);
  EXPECT_THAT(advance(62), IsEmpty());
  EXPECT_THAT(advance(63), ElementsAre(completion(1, 63))) << "72 bytes take 2.25 cycles";
}

TEST_F(LoadStoreLoads, SectoredLineFetchesMissingSectors) {
  description.l1.cache.sector_bytes = 32;
  unit().add(load(1, 32, 0), Cycle(10));
  MemoryInstruction narrow = load(2, 0, 2);
  narrow.bytes_per_lane = 2;
  unit().add(narrow, Cycle(11));  // Sectors 0 and 1; 1 is pending.
  advance(50);
  const std::vector<memory::Request> requests = take_requests();
  ASSERT_EQ(requests.size(), 2u);
  EXPECT_EQ(requests[0].address, 32u);
  EXPECT_EQ(requests[1].address, 0u);
  EXPECT_EQ(requests[1].bytes, 32u);
  respond(requests[1], 50);
  EXPECT_THAT(advance(52), IsEmpty()) << "load 2 needs both sectors";
  respond(requests[0], 60);
  EXPECT_THAT(advance(62), ElementsAre(completion(1, 62), completion(2, 62)));
}

TEST_F(LoadStoreLoads, LinesAWaySizeApartShareASet) {
  // A way has 32 lines of 128 bytes. A set has four lines, which are all pending.
  for (std::uint32_t i = 0; i < 5; ++i) unit().add(load(i, i * 4096, 0), Cycle(0));
  advance(50);
  EXPECT_EQ(take_requests().size(), 4u);
}

TEST_F(LoadStoreLoads, HashedSetsSeparateLinesAWaySizeApart) {
  description.l1.cache.hash_sets = true;
  for (std::uint32_t i = 0; i < 5; ++i) unit().add(load(i, i * 4096, 0), Cycle(0));
  advance(50);
  EXPECT_EQ(take_requests().size(), 5u);
}

TEST_F(LoadStoreLoads, ReadsOneDifferentConstantPerCycle) {
  warm(MemoryPath::constant, {0, 64}, 1000);
  EXPECT_EQ(unit().add(with_path(MemoryPath::constant, load(1, 0, 0)), Cycle(1000)), Cycle(1008));
  EXPECT_EQ(unit().add(with_path(MemoryPath::constant, load(2, 0, 4)), Cycle(1001)),
            Cycle(1001 + 31 + 8));
  MemoryInstruction narrow = with_path(MemoryPath::constant, load(3, 0, 2));
  narrow.bytes_per_lane = 2;
  EXPECT_EQ(unit().add(narrow, Cycle(1033)), Cycle(1033 + 15 + 8)) << "two lanes a word";
}

TEST_F(LoadStoreLoads, TextureUnitFiltersTexelsAtItsRate) {
  warm(MemoryPath::texture, {0}, 1000);
  EXPECT_EQ(unit().add(with_path(MemoryPath::texture, load(1, 0)), Cycle(1000)), Cycle(1020));
  EXPECT_EQ(unit().add(with_path(MemoryPath::texture, load(2, 0)), Cycle(1000)), std::nullopt);
  EXPECT_THAT(advance(1008), IsEmpty()) << "4 texels per cycle: the second starts in 1008";
  EXPECT_THAT(advance(1009), ElementsAre(completion(2, 1028)));
}

TEST_F(LoadStoreLoads, InvalidatedLinesMiss) {
  for (const MemoryPath path : {MemoryPath::global, MemoryPath::constant, MemoryPath::texture}) {
    SCOPED_TRACE(int(path));
    const std::uint64_t before = 1000 * (1 + std::uint64_t(path));
    unit().add(with_path(path, load(0, 0, 0)), Cycle(before - 500));
    advance(before - 200);
    respond(take_requests()[0], before - 200);
    advance(before - 100);
    EXPECT_TRUE(unit().add(with_path(path, load(1, 0, 0)), Cycle(before - 100)));
    unit().invalidate();
    EXPECT_FALSE(unit().add(with_path(path, load(2, 0, 0)), Cycle(before - 50)));
    advance(before - 40);
    EXPECT_EQ(take_requests().size(), 1u);
  }
}

}  // namespace
}  // namespace heddle::sm
