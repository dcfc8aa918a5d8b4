// Write-backs from the L1, with cycles computed by hand.

#include "sm/memory/l1_writes_fixture.h"

namespace heddle::sm {
namespace {

using memory::RequestKind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class WriteBack : public L1WritesFixture {};

TEST_F(WriteBack, WritesDirtyLineOnEviction) {
  set_write_policy("back");
  use_two_lines();
  unit().add(store(0), Cycle(10));
  unit().add(store(128), Cycle(11));
  advance(100);
  unit().add(load(7, 256), Cycle(100));
  advance(102);
  EXPECT_THAT(take_requests(), IsEmpty());
  advance(103);
  const std::vector<memory::Request> requests = take_requests();
  ASSERT_EQ(requests.size(), 2u);
  expect(requests[0], RequestKind::read, 256, 103 + 1 + 24);
  // The write passes the port after the read's 8 bytes, from 103.25 to 107.5 cycles.
  expect(requests[1], RequestKind::write, 0, 108 + 24);
  EXPECT_EQ(counter("l1.evictions"), 1u);
  EXPECT_EQ(counter("l1.writebacks"), 1u);
  EXPECT_EQ(counter("l1.writeback_bytes"), 128u);
}

TEST_F(WriteBack, WritesOnlyDirtySectorsOnEviction) {
  set_write_policy("back");
  use_two_lines();
  description.l1.cache.sector_bytes = 32;
  warm(MemoryPath::global, {0, 128}, 1000);
  unit().add(store_half(0), Cycle(1000));
  unit().add(load(7, 128, 0), Cycle(1001));
  unit().add(store(256), Cycle(1002));
  advance(1010);
  const std::vector<memory::Request> requests = take_requests();
  ASSERT_EQ(requests.size(), 1u);
  EXPECT_EQ(requests[0].kind, RequestKind::write);
  EXPECT_EQ(requests[0].address, 0u);
  EXPECT_EQ(requests[0].bytes, 64u);
  // The store's access is made in cycle 1004. The write's 72 bytes pass the port from cycle 1005
  // on.
  EXPECT_EQ(requests[0].arrival, Cycle(1005 + 3 + 24));
  EXPECT_EQ(counter("l1.writeback_bytes"), 64u);
}

TEST_F(WriteBack, StoreThatEvictsDirtyLineWaitsForPort) {
  description.l1.global_writes = "back";
  description.lsu.send_backlog = 2;
  use_two_lines();
  unit().add(store(0), Cycle(10));
  unit().add(store(128), Cycle(11));
  advance(100);
  unit().add(local(store(4096)), Cycle(100));  // Written through; in the port from 103 to 107.25.
  unit().add(store(256), Cycle(101));
  advance(105);
  EXPECT_EQ(take_requests().size(), 1u);
  advance(106);
  const std::vector<memory::Request> requests = take_requests();
  ASSERT_EQ(requests.size(), 1u) << "in 105, when the port is booked at most 2 cycles ahead";
  expect(requests[0], RequestKind::write, 0, 112 + 24);  // From 107.25 to 111.5.
  EXPECT_EQ(counter("l1.send_full_cycles"), 2u);
}

TEST_F(WriteBack, StoreThatSendsNothingDoesNotWaitForPort) {
  description.l1.global_writes = "back";
  description.lsu.send_backlog = 2;
  use_two_lines();
  warm(MemoryPath::global, {0, 128}, 1000);
  unit().add(local(store(4096)), Cycle(1000));
  unit().add(store(256), Cycle(1001));  // Evicts a clean line.
  unit().add(store(256), Cycle(1002));  // Hits.
  advance(1005);
  EXPECT_TRUE(unit().idle());
  EXPECT_EQ(take_requests().size(), 1u);
  EXPECT_EQ(counter("l1.send_full_cycles"), 0u);
}

TEST_F(WriteBack, StoreToPendingLineMakesItDirty) {
  set_write_policy("back");
  use_two_lines();
  unit().add(load(7, 0), Cycle(10));
  unit().add(store_half(0), Cycle(11));
  advance(50);
  const std::vector<memory::Request> requests = take_requests();
  ASSERT_EQ(requests.size(), 1u);
  respond(requests[0], 100);
  EXPECT_THAT(advance(105), ElementsAre(completion(7, 105)));
  EXPECT_TRUE(unit().write_back_all(Cycle(200)));
  EXPECT_EQ(take_requests().size(), 1u);
}

TEST_F(WriteBack, AtomicWritesBackAndInvalidatesItsLine) {
  set_write_policy("back");
  unit().add(store(0), Cycle(10));
  advance(100);
  unit().add(atomic(7, 0), Cycle(100));
  advance(103);
  const std::vector<memory::Request> requests = take_requests();
  ASSERT_EQ(requests.size(), 2u);
  expect(requests[0], RequestKind::write, 0, 103 + 5 + 24);
  expect(requests[1], RequestKind::atomic, 0, 112 + 24);  // From 107.25 to 111.5.
  EXPECT_EQ(counter("l1.writebacks"), 1u);
  respond(requests[1], 200);
  advance(300);
  EXPECT_FALSE(hits(0, 300));
}

TEST_F(WriteBack, UncachedLoadWritesBackItsLineAndKeepsIt) {
  set_write_policy("back");
  unit().add(store(0), Cycle(10));
  advance(100);
  unit().add(uncached(load(7, 0)), Cycle(100));
  advance(103);
  const std::vector<memory::Request> requests = take_requests();
  ASSERT_EQ(requests.size(), 2u);
  expect(requests[0], RequestKind::write, 0, 103 + 5 + 24);
  expect(requests[1], RequestKind::read, 0, 108 + 24);
  respond(requests[1], 200);
  advance(300);
  EXPECT_TRUE(hits(0, 300));
  unit().add(uncached(load(8, 0)), Cycle(320));
  advance(340);
  EXPECT_EQ(take_requests().size(), 1u) << "the line is clean";
}

TEST_F(WriteBack, UncachedLoadWritesBackPendingLineOnce) {
  set_write_policy("back");
  unit().add(store_half(0), Cycle(10));
  unit().add(uncached(load(7, 0)), Cycle(11));
  advance(50);
  const std::vector<memory::Request> requests = take_requests();
  ASSERT_EQ(requests.size(), 3u);
  EXPECT_EQ(requests[0].kind, RequestKind::read) << "the sectors that the store does not cover";
  EXPECT_EQ(requests[1].kind, RequestKind::write);
  EXPECT_EQ(requests[2].kind, RequestKind::read);
  respond(requests[0], 100);
  respond(requests[2], 110);
  advance(200);
  EXPECT_TRUE(unit().idle());
  EXPECT_FALSE(unit().write_back_all(Cycle(200)));
  EXPECT_TRUE(hits(0, 200));
}

TEST_F(WriteBack, WritesDirtyLinesInSequenceAtEndOfKernel) {
  set_write_policy("back");
  unit().add(store(0), Cycle(10));
  unit().add(store(128), Cycle(11));
  warm(MemoryPath::global, {1024}, 300);
  EXPECT_TRUE(unit().write_back_all(Cycle(300)));
  const std::vector<memory::Request> requests = take_requests();
  ASSERT_EQ(requests.size(), 2u) << "the line of the load is clean";
  expect(requests[0], RequestKind::write, 0, 301 + 5 + 24);
  expect(requests[1], RequestKind::write, 128, 310 + 24);  // From 305.25 to 309.5.
  EXPECT_FALSE(unit().write_back_all(Cycle(301))) << "all lines are clean";
  EXPECT_TRUE(hits(0, 310)) << "the line stays valid";
  unit().invalidate();
  for (const std::uint64_t line : {0, 128, 1024}) EXPECT_FALSE(hits(line, 400 + line));
}

}  // namespace
}  // namespace heddle::sm
