// Prefetches into the L1, with cycles computed by hand.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "sm/memory/load_store_fixture.h"
#include "trace/log.h"

namespace heddle::sm {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// A load's access is made 2 cycles after the load is added. The next line is looked up in the
/// cycle after the access, at the earliest.
class Prefetch : public LoadStoreFixture {
 protected:
  Prefetch() { description.l1.prefetch.policy = "next-line"; }

  std::vector<std::uint64_t> requested_lines() {
    std::vector<std::uint64_t> lines;
    for (const memory::Request& request : take_requests()) lines.push_back(request.address / 128);
    return lines;
  }
};

TEST_F(Prefetch, IsIssuedInCycleAfterMiss) {
  unit().add(load(1, 0), Cycle(10));
  advance(13);
  EXPECT_THAT(unit().outbox(0), SizeIs(1)) << "the miss of cycle 12";
  EXPECT_EQ(unit().next_event(), Cycle(14));
  EXPECT_EQ(unit().next_visible_event(), Cycle(14));
  advance(14);
  const std::vector<memory::Request> requests = take_requests();
  ASSERT_THAT(requests, SizeIs(2));
  EXPECT_EQ(requests[1].kind, memory::RequestKind::read);
  EXPECT_EQ(requests[1].address, 128u);
  EXPECT_EQ(requests[1].bytes, 128u);
  // It is looked up in cycle 13. The header's 8 bytes take a quarter of cycle 14.
  EXPECT_EQ(requests[1].arrival, Cycle(15 + 24));
  EXPECT_EQ(unit().next_event(), Cycle::never());
  EXPECT_EQ(counter("l1.prefetch.issued"), 1u);
}

TEST_F(Prefetch, LetsLoadHitOnceLineHasArrived) {
  unit().add(load(1, 0), Cycle(10));
  advance(90);
  for (const memory::Request& request : take_requests()) respond(request, 100);
  // The two lines have passed the port at 104.25 and 108.5 cycles.
  EXPECT_THAT(advance(105), ElementsAre(completion(1, 105)));
  EXPECT_FALSE(unit().idle()) << "the prefetch is in flight";
  EXPECT_THAT(advance(109), IsEmpty());
  EXPECT_TRUE(unit().idle());
  EXPECT_EQ(unit().add(load(2, 128), Cycle(109)), Cycle(109 + 2 + 20));
  EXPECT_EQ(unit().add(load(3, 128), Cycle(110)), Cycle(110 + 2 + 20));
  EXPECT_EQ(counter("l1.prefetch.useful"), 1u) << "only the first hit counts";
  EXPECT_EQ(counter("l1.prefetch.late"), 0u);
  EXPECT_EQ(counter("l1.misses"), 1u);
  EXPECT_EQ(counter("l1.accesses"), 3u) << "a prefetch is no access";
}

TEST_F(Prefetch, IsLateIfLoadAccessesLineInFlight) {
  unit().add(load(1, 0), Cycle(10));
  unit().add(load(2, 128), Cycle(20));
  advance(90);
  for (const memory::Request& request : take_requests()) respond(request, 100);
  EXPECT_THAT(advance(109), ElementsAre(completion(1, 105), completion(2, 109)));
  EXPECT_EQ(counter("l1.prefetch.late"), 1u);
  EXPECT_EQ(counter("l1.prefetch.useful"), 0u);
  EXPECT_EQ(counter("l1.merged"), 1u);
}

TEST_F(Prefetch, WaitsForCycleWithoutAccess) {
  unit().add(load(1, 0), Cycle(10));     // An access in cycle 12.
  unit().add(load(2, 4096), Cycle(11));  // An access in cycle 13.
  advance(14);
  EXPECT_THAT(requested_lines(), ElementsAre(0, 32));
  advance(15);
  EXPECT_THAT(requested_lines(), ElementsAre(1));
  advance(16);
  EXPECT_THAT(requested_lines(), ElementsAre(33));
}

TEST_F(Prefetch, WaitsForHitsThatAreBooked) {
  const std::uint64_t present = 64;
  unit().add(load(1, present * 128, 8), Cycle(10));  // It touches two lines.
  advance(90);
  for (const memory::Request& request : take_requests()) respond(request, 100);
  advance(200);
  ASSERT_TRUE(unit().idle());
  unit().add(load(2, 0), Cycle(300));
  advance(303);
  EXPECT_THAT(requested_lines(), ElementsAre(0));
  // Its hits, in cycles 305 and 306, are booked from cycle 303 on.
  EXPECT_EQ(unit().add(load(3, present * 128, 8), Cycle(303)), Cycle(306 + 20));
  advance(307);
  EXPECT_THAT(requested_lines(), IsEmpty());
  advance(308);
  EXPECT_THAT(requested_lines(), ElementsAre(1)) << "looked up in cycle 307";
}

TEST_F(Prefetch, WaitsForFreeMshr) {
  description.l1.cache.mshrs = 1;
  unit().add(load(1, 0), Cycle(10));
  advance(90);
  const std::vector<memory::Request> requests = take_requests();
  ASSERT_THAT(requests, SizeIs(1));
  EXPECT_EQ(unit().next_event(), Cycle::never());
  EXPECT_FALSE(unit().idle());
  respond(requests[0], 100);  // It has passed the port in cycle 105, and frees the MSHR.
  advance(106);
  const std::vector<memory::Request> after_fill = take_requests();
  ASSERT_THAT(after_fill, SizeIs(1));
  EXPECT_EQ(after_fill[0].address, 128u);
  EXPECT_EQ(after_fill[0].arrival, Cycle(105 + 1 + 1 + 24));
}

TEST_F(Prefetch, LeavesFreedMshrToStalledLoad) {
  description.l1.cache.mshrs = 1;
  unit().add(load(1, 0), Cycle(10));
  unit().add(load(2, 4096), Cycle(20));
  advance(90);
  respond(take_requests()[0], 100);
  advance(200);
  EXPECT_THAT(requested_lines(), ElementsAre(32)) << "the load goes before the prefetch of line 1";
}

TEST_F(Prefetch, WaitsForPortToCrossbar) {
  description.lsu.send_backlog = 1;
  interconnect.header_bytes = 320;  // A request occupies the port for 10 cycles.
  unit().add(load(1, 0), Cycle(10));
  advance(100);
  const std::vector<memory::Request> requests = take_requests();
  ASSERT_THAT(requests, SizeIs(2));
  EXPECT_EQ(requests[0].arrival, Cycle(13 + 10 + 24));
  // The port is booked until cycle 23, so the line is looked up in cycle 22.
  EXPECT_EQ(requests[1].arrival, Cycle(23 + 10 + 24));
}

TEST_F(Prefetch, DropsLinesThatFindQueueFull) {
  description.l1.prefetch.degree = 3;
  description.l1.prefetch.queue = 2;
  unit().add(load(1, 0), Cycle(10));
  advance(100);
  EXPECT_THAT(requested_lines(), ElementsAre(0, 1, 2));
  EXPECT_EQ(counter("l1.prefetch.dropped"), 1u);
}

TEST_F(Prefetch, DropsLineWhoseSetIsPending) {
  description.l1.cache.bytes = 128;
  description.l1.cache.ways = 1;
  unit().add(load(1, 0), Cycle(10));
  advance(100);
  EXPECT_THAT(requested_lines(), ElementsAre(0));
  EXPECT_EQ(counter("l1.prefetch.dropped"), 1u);
}

TEST_F(Prefetch, DropsLineAfterEndOfAddressSpace) {
  unit().add(load(1, ~std::uint64_t{127}), Cycle(10));
  advance(100);
  EXPECT_THAT(take_requests(), SizeIs(1));
  EXPECT_EQ(counter("l1.prefetch.dropped"), 1u);
}

TEST_F(Prefetch, FetchesNoLineThatIsPresentOrPending) {
  description.l1.prefetch.degree = 2;
  unit().add(load(1, 0, 8), Cycle(10));  // It misses lines 0 and 1.
  advance(100);
  EXPECT_THAT(requested_lines(), ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(counter("l1.prefetch.redundant"), 2u) << "lines 1 and 2";
  EXPECT_EQ(counter("l1.prefetch.issued"), 2u);
}

TEST_F(Prefetch, LineThatIsEvictedUnusedIsNotUseful) {
  description.l1.cache.bytes = 256;
  description.l1.cache.ways = 1;
  unit().add(load(1, 0), Cycle(10));
  advance(90);
  for (const memory::Request& request : take_requests()) respond(request, 100);
  unit().add(load(2, 3 * 128), Cycle(200));  // It evicts line 1, and line 4 evicts line 0.
  advance(290);
  for (const memory::Request& request : take_requests()) respond(request, 300);
  unit().add(load(3, 128), Cycle(400));
  advance(490);
  EXPECT_EQ(counter("l1.misses"), 3u);
  EXPECT_EQ(counter("l1.prefetch.useful"), 0u);
  EXPECT_EQ(counter("l1.prefetch.late"), 0u);
}

TEST_F(Prefetch, WritesDirtyLineBackThatItEvicts) {
  description.l1.cache.bytes = 256;
  description.l1.cache.ways = 1;
  description.l1.global_writes = "back";
  unit().add(instruction(MemoryAction::store, 0, 128), Cycle(10));
  advance(100);
  EXPECT_THAT(take_requests(), IsEmpty());
  unit().add(load(1, 2 * 128), Cycle(100));
  advance(200);
  const std::vector<memory::Request> requests = take_requests();
  ASSERT_THAT(requests, SizeIs(3));
  EXPECT_EQ(requests[1].address, 3u * 128) << "the prefetch";
  EXPECT_EQ(requests[2].kind, memory::RequestKind::write);
  EXPECT_EQ(requests[2].address, 128u);
}

TEST_F(Prefetch, FetchesAllSectorsOfLine) {
  description.l1.cache.sector_bytes = 32;
  unit().add(load(1, 0, 0), Cycle(10));
  advance(100);
  const std::vector<memory::Request> requests = take_requests();
  ASSERT_THAT(requests, SizeIs(2));
  EXPECT_EQ(requests[0].bytes, 32u);
  EXPECT_EQ(requests[1].bytes, 128u);
}

TEST_F(Prefetch, StoresAndUncachedLoadsProposeNothing) {
  MemoryInstruction uncached = load(1, 0);
  uncached.cached = false;
  unit().add(uncached, Cycle(10));
  unit().add(instruction(MemoryAction::store, 0, 4096), Cycle(20));
  advance(100);
  EXPECT_THAT(requested_lines(), ElementsAre(0, 32));
}

TEST_F(Prefetch, IsTracedWithInstructionForWhichItWasProposed) {
  const trace::Selection everything;
  trace::Log log({.part = trace::Place::Part::sm}, everything);
  unit().trace(&log);
  MemoryInstruction traced = load(1, 0);
  traced.origin = {.warp = 3, .pc = 7};
  unit().add(traced, Cycle(10));
  advance(100);
  const auto event =
      std::find_if(log.events().begin(), log.events().end(),
                   [](const trace::Event& each) { return each.kind->name() == "l1_prefetch"; });
  ASSERT_NE(event, log.events().end());
  EXPECT_EQ(event->at, Cycle(13));
  EXPECT_EQ(event->origin.warp, 3u);
  EXPECT_EQ(event->origin.pc, 7u);
  EXPECT_EQ(event->values[0], 128u) << "the address of the line";
}

TEST_F(Prefetch, PolicyNoneHasNoCounters) {
  description.l1.prefetch.policy = "none";
  CounterList counters;
  unit().declare(counters);
  for (const Counter& each : counters.all()) {
    EXPECT_EQ(each.name.find("prefetch"), std::string::npos) << each.name;
  }
}

}  // namespace
}  // namespace heddle::sm
