// The effect of stores on the L1 under each write policy, with cycles computed by hand.

#include "sm/memory/l1_writes_fixture.h"

namespace heddle::sm {
namespace {

using memory::RequestKind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class WritePolicyTest : public L1WritesFixture {};

// In the first three tests, a store accesses the L1 in cycle 1002, and a load of the same line in
// cycle 1003.

TEST_F(WritePolicyTest, WriteThroughKeepsLine) {
  set_write_policy("through");
  warm(MemoryPath::global, {0}, 1000);
  unit().add(store(0), Cycle(1000));
  unit().add(load(7, 0), Cycle(1001));
  EXPECT_THAT(advance(1003), IsEmpty());
  EXPECT_THAT(advance(1004), ElementsAre(completion(7, 1003 + 20)));
  const std::vector<memory::Request> requests = take_requests();
  ASSERT_EQ(requests.size(), 1u);
  expect(requests[0], RequestKind::write, 0, 1003 + 5 + 24);
}

TEST_F(WritePolicyTest, EvictMakesNextLoadMiss) {
  set_write_policy("evict");
  warm(MemoryPath::global, {0}, 1000);
  unit().add(store(0), Cycle(1000));
  unit().add(load(7, 0), Cycle(1001));
  EXPECT_THAT(advance(1004), IsEmpty());
  const std::vector<memory::Request> requests = take_requests();
  ASSERT_EQ(requests.size(), 2u);
  expect(requests[0], RequestKind::write, 0, 1003 + 5 + 24);
  // The store's 136 bytes occupy the port until cycle 1007.25, the load's 8 bytes until 1007.5.
  expect(requests[1], RequestKind::read, 0, 1008 + 24);
  respond(requests[1], 1100);
  EXPECT_THAT(advance(1104), IsEmpty());
  EXPECT_THAT(advance(1105), ElementsAre(completion(7, 1105)));
}

TEST_F(WritePolicyTest, WriteBackHitSendsNothing) {
  for (const char* const policy : {"back", "back-no-allocate"}) {
    SCOPED_TRACE(policy);
    set_write_policy(policy);
    warm(MemoryPath::global, {0}, 1000);
    unit().add(store(0), Cycle(1000));
    unit().add(load(7, 0), Cycle(1001));
    EXPECT_THAT(advance(1003), IsEmpty());
    EXPECT_THAT(advance(1004), ElementsAre(completion(7, 1003 + 20)));
    EXPECT_THAT(take_requests(), IsEmpty());
    discard_unit();
  }
}

TEST_F(WritePolicyTest, WriteAllocateOfWholeLineNeedsNoFetch) {
  set_write_policy("back");
  unit().add(store(0), Cycle(10));
  advance(13);
  EXPECT_TRUE(unit().idle());
  EXPECT_THAT(take_requests(), IsEmpty());
  EXPECT_TRUE(hits(0, 13));
}

TEST_F(WritePolicyTest, PartialStoreFetchesLineWithoutWaiting) {
  set_write_policy("back");
  unit().add(store_half(0), Cycle(10));
  unit().add(load(7, 0), Cycle(11));
  EXPECT_THAT(advance(12), IsEmpty());
  EXPECT_THAT(take_requests(), IsEmpty());
  EXPECT_THAT(advance(14), IsEmpty()) << "the load waits for the store's fetch";
  const std::vector<memory::Request> requests = take_requests();
  ASSERT_EQ(requests.size(), 1u);
  expect(requests[0], RequestKind::read, 0, 13 + 1 + 24);
  respond(requests[0], 100);
  EXPECT_THAT(advance(104), IsEmpty());
  EXPECT_THAT(advance(105), ElementsAre(completion(7, 105)));
  EXPECT_EQ(counter("l1.merged"), 1u);
  EXPECT_EQ(counter("l1.misses"), 0u) << "this counts loads only";
}

TEST_F(WritePolicyTest, PartialStoreReportsNoCompletion) {
  set_write_policy("back");
  unit().add(store_half(0), Cycle(10));
  advance(13);
  EXPECT_FALSE(unit().idle()) << "the line is pending";
  respond(take_requests()[0], 100);
  EXPECT_THAT(advance(105), IsEmpty());
  EXPECT_TRUE(unit().idle());
  EXPECT_TRUE(hits(0, 105));
}

TEST_F(WritePolicyTest, StoreOfWholeSectorsNeedsNoFetch) {
  set_write_policy("back");
  description.l1.cache.sector_bytes = 32;
  unit().add(store_half(0), Cycle(10));
  advance(20);
  EXPECT_THAT(take_requests(), IsEmpty());
  unit().add(load(7, 0), Cycle(20));
  advance(23);
  const std::vector<memory::Request> requests = take_requests();
  ASSERT_EQ(requests.size(), 1u) << "one for the two sectors that were not stored";
  EXPECT_EQ(requests[0].address, 64u);
  EXPECT_EQ(requests[0].bytes, 64u);
}

TEST_F(WritePolicyTest, StoreMissWithoutAllocateIsWrittenThrough) {
  for (const char* const policy : {"through", "evict", "back-no-allocate"}) {
    SCOPED_TRACE(policy);
    set_write_policy(policy);
    unit().add(store(0), Cycle(10));
    advance(13);
    const std::vector<memory::Request> requests = take_requests();
    ASSERT_EQ(requests.size(), 1u);
    expect(requests[0], RequestKind::write, 0, 13 + 5 + 24);
    EXPECT_FALSE(hits(0, 20));
    discard_unit();
  }
}

TEST_F(WritePolicyTest, StoreThatFetchesWaitsForMshr) {
  set_write_policy("back");
  description.l1.cache.mshrs = 1;
  unit().add(load(7, 0), Cycle(10));
  unit().add(store_half(128), Cycle(11));
  advance(50);
  EXPECT_EQ(counter("l1.store_misses"), 0u);
  respond(take_requests()[0], 100);
  EXPECT_THAT(advance(106), ElementsAre(completion(7, 105)));
  expect(take_requests()[0], RequestKind::read, 128, 106 + 1 + 24);
  EXPECT_EQ(counter("l1.mshrs_full_cycles"), 105u - 13u);
}

TEST_F(WritePolicyTest, GlobalAndLocalMemoryHaveSeparatePolicies) {
  description.l1.global_writes = "evict";
  description.l1.local_writes = "back";
  warm(MemoryPath::global, {0, 128}, 1000);
  unit().add(store(0), Cycle(1000));
  unit().add(local(store(128)), Cycle(1001));
  advance(1010);
  EXPECT_EQ(take_requests().size(), 1u);
  EXPECT_TRUE(hits(128, 1010));
  EXPECT_FALSE(hits(0, 1011));
}

TEST_F(WritePolicyTest, CountsStoreHitsAndMisses) {
  for (const char* const policy : {"through", "evict", "back", "back-no-allocate"}) {
    SCOPED_TRACE(policy);
    set_write_policy(policy);
    warm(MemoryPath::global, {0}, 1000);
    unit().add(store(0), Cycle(1000));
    unit().add(store(128), Cycle(1001));
    unit().add(store(256), Cycle(1002));
    advance(1010);
    EXPECT_EQ(counter("l1.store_hits"), 1u);
    EXPECT_EQ(counter("l1.store_misses"), 2u);
    EXPECT_EQ(counter("l1.accesses"), 1u) << "only the load counts";
    discard_unit();
  }
}

TEST_F(WritePolicyTest, WithoutL1StoresAreWrittenThroughAndNotCounted) {
  set_write_policy("back");
  description.l1.present = false;
  unit().add(store(0), Cycle(10));
  advance(20);
  EXPECT_EQ(take_requests().size(), 1u);
  EXPECT_EQ(counter("l1.store_misses"), 0u);
  EXPECT_FALSE(unit().write_back_all(Cycle(20)));
}

}  // namespace
}  // namespace heddle::sm
