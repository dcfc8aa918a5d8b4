#include "exec/memory/global_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "base/error.h"

namespace heddle::exec {
namespace {

using ::testing::HasSubstr;

/// The message of the InputError that `call` throws; "no error" if it throws none.
template <class Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(GlobalMemory, AllocatesAlignedAscendingZeroedMemory) {
  GlobalMemory memory({.capacity = 1 << 20, .gap = 0});
  const std::uint64_t a = memory.allocate(1);
  const std::uint64_t b = memory.allocate(1000);
  const std::uint64_t c = memory.allocate(256, {.alignment = 4096});
  EXPECT_EQ(a, kGlobalBase);
  EXPECT_EQ(b, kGlobalBase + 256);
  EXPECT_EQ(c, kGlobalBase + 4096);
  std::vector<std::byte> bytes(1000, std::byte{1});
  memory.read(b, bytes);
  EXPECT_EQ(bytes, std::vector<std::byte>(1000));
  GlobalMemory again({.capacity = 1 << 20, .gap = 0});
  EXPECT_EQ(again.allocate(1), a);
  EXPECT_EQ(again.allocate(1000), b);
}

TEST(GlobalMemory, LeavesGapsUpToTheConfiguredSize) {
  GlobalMemory memory({.capacity = 1 << 20, .gap = 4096});
  const std::uint64_t first = memory.allocate(1);
  EXPECT_EQ(first, kGlobalBase + 4096);
  const std::uint64_t second = memory.allocate(1000);  // After 256 bytes and a gap of 256.
  EXPECT_EQ(second, first + 512);
  const std::uint64_t third = memory.allocate(1 << 16);  // After 1024 bytes and a gap of 1024.
  EXPECT_EQ(third, second + 2048);
  const std::uint64_t fourth = memory.allocate(1);
  EXPECT_EQ(fourth, third + (1 << 16) + 4096);
  EXPECT_EQ(memory.find(first - 1), nullptr);
  EXPECT_EQ(memory.find(second + 1000), nullptr);
  EXPECT_EQ(memory.find(fourth - 1), nullptr);
}

TEST(GlobalMemory, GapsDoNotReduceCapacity) {
  GlobalMemory memory({.capacity = 1 << 20, .gap = std::uint64_t{1} << 30});
  for (int i = 0; i < 4096; ++i) EXPECT_NO_THROW(memory.allocate(256)) << i;
  EXPECT_THAT(error_of([&] { memory.allocate(1); }), HasSubstr("0 of 1048576 are free"));
  GlobalMemory whole({.capacity = 1 << 20});
  EXPECT_NO_THROW(whole.allocate(1 << 20));
}

TEST(GlobalMemory, FreeReleasesGap) {
  GlobalMemory memory({.capacity = 1 << 20, .gap = 256});
  // Small allocations use up the address space; after they are freed, it is one piece again.
  std::vector<std::uint64_t> pieces;
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 1024; ++i) pieces.push_back(memory.allocate(1024));
    for (const std::uint64_t piece : pieces) memory.free(piece);
    pieces.clear();
  }
  EXPECT_NO_THROW(memory.allocate(1 << 20));
}

TEST(GlobalMemory, HostReadsBackWrittenBytes) {
  GlobalMemory memory({.capacity = 1 << 20});
  const std::uint64_t a = memory.allocate(64);
  const std::uint64_t b = memory.allocate(64);
  const std::vector<std::byte> values{std::byte{1}, std::byte{2}, std::byte{3}};
  memory.write(a + 61, values);
  memory.copy(b, a + 60, 4);
  memory.fill(b + 4, 0xab, 60);
  std::vector<std::byte> out(6);
  memory.read(b, out);
  EXPECT_EQ(out, (std::vector<std::byte>{std::byte{0}, std::byte{1}, std::byte{2}, std::byte{3},
                                         std::byte{0xab}, std::byte{0xab}}));
  memory.copy(b + 1, b, 5);  // overlapping
  memory.read(b, out);
  EXPECT_EQ(out, (std::vector<std::byte>{std::byte{0}, std::byte{0}, std::byte{1}, std::byte{2},
                                         std::byte{3}, std::byte{0xab}}));
}

TEST(GlobalMemory, ZeroFillOfLargeRangePreservesOtherBytes) {
  GlobalMemory memory({.capacity = std::uint64_t{1} << 24});
  const std::uint64_t bytes = 1 << 20;
  const std::uint64_t a = memory.allocate(bytes);
  memory.fill(a, 7, bytes);
  memory.fill(a + 100, 0, bytes - 300);
  std::vector<std::byte> out(bytes);
  memory.read(a, out);
  for (std::size_t i = 0; i < bytes; ++i) {
    ASSERT_EQ(out[i], i < 100 || i >= bytes - 200 ? std::byte{7} : std::byte{0}) << i;
  }
}

TEST(GlobalMemory, RejectsHostAccessOutsideAllocationAndNamesNearest) {
  GlobalMemory memory({.capacity = 1 << 20});
  const std::uint64_t a = memory.allocate(100, {.name = "buf"});
  std::vector<std::byte> bytes(8);
  EXPECT_THAT(error_of([&] { memory.read(a + 96, bytes); }),
              HasSubstr("reaching 4 bytes past the end of 'buf' (100 bytes at 0x1000010000)"));
  EXPECT_THAT(error_of([&] { memory.write(a + 112, bytes); }),
              HasSubstr("12 bytes past the end of 'buf'"));
  EXPECT_THAT(error_of([&] { memory.read(a - 8, bytes); }),
              HasSubstr("8 bytes before the start of 'buf'"));
  EXPECT_THAT(error_of([&] { memory.fill(8, 0, 1); }), HasSubstr("before the start of 'buf'"));
  GlobalMemory empty({.capacity = 1 << 20});
  EXPECT_THAT(error_of([&] { empty.read(kGlobalBase, bytes); }),
              HasSubstr("no device memory is allocated"));
}

TEST(GlobalMemory, DistinguishesFreedFromNeverAllocatedMemory) {
  GlobalMemory memory({.capacity = 1 << 20});
  const std::uint64_t a = memory.allocate(100, {.name = "old"});
  const std::uint64_t b = memory.allocate(100);
  const std::uint64_t generation = memory.generation();
  memory.free(a);
  EXPECT_NE(memory.generation(), generation);
  EXPECT_TRUE(memory.was_freed(a + 50));
  EXPECT_FALSE(memory.was_freed(b));
  EXPECT_THAT(memory.describe(a + 50, 4), HasSubstr("50 bytes into freed 'old' (100 bytes at"));
  EXPECT_THAT(error_of([&] { memory.free(a); }), HasSubstr("freed twice"));
  EXPECT_THAT(error_of([&] { memory.free(b + 4); }), HasSubstr("not the start of an allocation"));
  EXPECT_THAT(error_of([&] { memory.free(3); }), HasSubstr("not the start of an allocation"));
  const std::uint64_t constant =
      memory.allocate(8, {.name = "k", .kind = AllocationKind::constant});
  EXPECT_THAT(error_of([&] { memory.free(constant); }), HasSubstr("constant variable"));
}

TEST(GlobalMemory, DescribeNamesLiveAllocationBeforeFreedOne) {
  GlobalMemory memory({.capacity = 1 << 20, .gap = 0});
  const std::uint64_t a = memory.allocate(256, {.name = "alive"});
  const std::uint64_t b = memory.allocate(256, {.name = "gone"});
  memory.free(b);
  EXPECT_THAT(memory.describe(a + 260, 4),
              HasSubstr("4 bytes past the end of 'alive' (256 bytes at"));
  EXPECT_THAT(memory.describe(a + 260, 4), HasSubstr("4 bytes into freed 'gone'"));
  EXPECT_EQ(memory.describe(b + 200, 4).find("200 bytes into freed 'gone'"), 0U);
}

TEST(GlobalMemory, RejectsAllocationBeyondCapacity) {
  GlobalMemory memory({.capacity = 4096});
  memory.allocate(1024);
  EXPECT_THAT(error_of([&] { memory.allocate(3073, {.name = "big"}); }),
              HasSubstr("3073 bytes requested for 'big', 3072 of 4096 are free"));
  EXPECT_THAT(error_of([&] { memory.allocate(~std::uint64_t{0}); }),
              HasSubstr("out of device memory"));
  EXPECT_NO_THROW(memory.allocate(3072));
  EXPECT_THAT(error_of([] { GlobalMemory huge({.capacity = ~std::uint64_t{0}}); }),
              HasSubstr("more than"));
}

TEST(GlobalMemory, ReusesFreedAddressesOnlyAfterUnusedOnes) {
  GlobalMemory memory({.capacity = std::uint64_t{1} << 20});
  const std::uint64_t first = memory.allocate(1 << 19);
  memory.fill(first, 9, 1 << 19);
  memory.free(first);
  std::uint64_t address = 0;
  int fresh = 0;
  while ((address = memory.allocate(1 << 19)) != first) {
    memory.free(address);
    ASSERT_LT(++fresh, 100);
  }
  EXPECT_GE(fresh, 2);
  EXPECT_FALSE(memory.was_freed(first));
  std::vector<std::byte> bytes(1 << 19, std::byte{1});
  memory.read(first, bytes);
  EXPECT_EQ(bytes, std::vector<std::byte>(1 << 19));
}

TEST(GlobalMemory, AllocationsNeverOverlap) {
  GlobalMemory memory({.capacity = 1 << 16, .gap = 512});
  std::map<std::uint64_t, std::uint64_t> live;
  std::mt19937 random(3);
  std::uint64_t used = 0;
  int rejected = 0;
  for (int step = 0; step < 20000; ++step) {
    if (random() % 2 == 0 && !live.empty()) {
      auto victim = live.begin();
      std::advance(victim, static_cast<std::ptrdiff_t>(random() % live.size()));
      memory.free(victim->first);
      used -= (std::max<std::uint64_t>(victim->second, 1) + 255) / 256 * 256;
      live.erase(victim);
    } else {
      const std::uint64_t bytes = random() % 4000;
      std::uint64_t address = 0;
      try {
        address = memory.allocate(bytes, {.alignment = std::uint64_t{1} << random() % 13});
      } catch (const InputError&) {
        ++rejected;
        continue;
      }
      ASSERT_EQ(address % 256, 0U);
      const auto next = live.lower_bound(address);
      const auto with_gap = [](std::uint64_t size) {
        return size + std::clamp<std::uint64_t>(size, 1, 512);
      };
      ASSERT_TRUE(next == live.end() || address + with_gap(bytes) <= next->first);
      ASSERT_TRUE(next == live.begin() ||
                  std::prev(next)->first + with_gap(std::prev(next)->second) <= address);
      live.emplace(address, bytes);
      used += (std::max<std::uint64_t>(bytes, 1) + 255) / 256 * 256;
    }
    ASSERT_EQ(memory.used(), used);
    ASSERT_EQ(memory.allocation_count(), live.size());
    const std::uint64_t probe = kGlobalBase + random() % (1 << 17);
    const auto after = live.upper_bound(probe);
    const bool is_inside =
        after != live.begin() && probe - std::prev(after)->first < std::prev(after)->second;
    ASSERT_EQ(memory.find(probe) != nullptr, is_inside);
    if (is_inside) {
      ASSERT_EQ(memory.find(probe)->address, std::prev(after)->first);
    }
  }
  EXPECT_GT(rejected, 0);
}

}  // namespace
}  // namespace heddle::exec
