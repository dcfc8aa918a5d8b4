// The size of the L1 changes between launches.

#include "sm/memory/l1_writes_fixture.h"

namespace heddle::sm {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

/// The L1 has 4 sets of 4 lines of 128 bytes.
class L1Size : public L1WritesFixture {
 protected:
  L1Size() { description.l1.cache.bytes = 2048; }

  /// Whether a load of the line hits at cycle `at`. A line that is missing is fetched.
  bool hits(std::uint64_t address, std::uint64_t at) {
    if (unit().add(load(0, address, 0), Cycle(at))) return true;
    advance(at + 10);
    for (const memory::Request& request : take_requests()) respond(request, at + 100);
    advance(at + 110);
    return false;
  }
};

TEST_F(L1Size, KeepsContentsIfItStays) {
  warm(MemoryPath::global, {0, 128}, 1000);
  unit().resize_l1(2048);
  EXPECT_TRUE(hits(0, 1000));
  EXPECT_TRUE(hits(128, 1100));
}

TEST_F(L1Size, LosesContentsIfItChanges) {
  std::uint64_t at = 1000;
  for (const std::uint64_t bytes : {6144, 512, 2048}) {
    hits(0, at);
    hits(128, at + 200);
    ASSERT_TRUE(hits(0, at + 400) && hits(128, at + 600));
    unit().resize_l1(bytes);
    EXPECT_FALSE(hits(0, at + 800)) << bytes;
    EXPECT_FALSE(hits(128, at + 1000)) << bytes;
    EXPECT_TRUE(hits(0, at + 1200)) << bytes;
    at += 2000;
  }
}

TEST_F(L1Size, SetsTheNumberOfLinesThatStay) {
  // 32 lines, one after another: all fit into 4096 bytes, and none of them stays in 2048 bytes.
  const auto count_of_hits = [&](std::uint64_t from) {
    int count = 0;
    for (std::uint64_t i = 0; i < 64; ++i) count += hits(i % 32 * 128, from + i * 200) ? 1 : 0;
    return count;
  };
  EXPECT_EQ(count_of_hits(1000), 0);
  unit().resize_l1(4096);
  EXPECT_EQ(count_of_hits(20000), 32);
  unit().resize_l1(2048);
  EXPECT_EQ(count_of_hits(40000), 0);
}

TEST_F(L1Size, ChangesAfterWriteBackOfDirtyLines) {
  set_write_policy("back");
  unit().add(store(0), Cycle(10));
  unit().add(store(128), Cycle(11));
  advance(100);
  EXPECT_THAT(take_requests(), IsEmpty());
  EXPECT_TRUE(unit().write_back_all(Cycle(100)));
  unit().resize_l1(4096);
  EXPECT_THAT(take_requests(), SizeIs(2)) << "the write-backs are sent";
  EXPECT_FALSE(unit().write_back_all(Cycle(200)));
  EXPECT_EQ(counter("l1.writebacks"), 2u) << "counters go on";
}

}  // namespace
}  // namespace heddle::sm
