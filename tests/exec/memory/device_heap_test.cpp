#include "exec/system/device_heap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "base/error.h"
#include "exec/fault/fault.h"

namespace heddle::exec {
namespace {

/// Frees an address. Returns the detail of the fault; "no fault" if there is none.
std::string detail_of_free(DeviceHeap& heap, std::uint64_t address) {
  try {
    heap.free(address, 3);
  } catch (const LaneFault& fault) {
    EXPECT_EQ(fault.kind, FaultKind::invalid_free);
    EXPECT_EQ(fault.lane, 3);
    return fault.detail;
  }
  return "no fault";
}

TEST(DeviceHeap, ReservesMemoryAtFirstUse) {
  GlobalMemory memory({.capacity = std::uint64_t{1} << 24});
  DeviceHeap heap(memory, 4096);
  EXPECT_EQ(memory.used(), 0U);
  EXPECT_EQ(heap.allocate(0), 0U);
  const std::uint64_t a = heap.allocate(1);
  EXPECT_EQ(memory.used(), 4096U);
  ASSERT_NE(memory.find(a), nullptr);
  EXPECT_EQ(memory.find(a)->kind, AllocationKind::heap);
  EXPECT_EQ(memory.find(a)->bytes, 1U);
  EXPECT_THROW(heap.set_bytes(8192), InputError);
}

TEST(DeviceHeap, LeavesInaccessibleGapsBetweenBlocks) {
  GlobalMemory memory({.capacity = std::uint64_t{1} << 24});
  DeviceHeap heap(memory, 4096);
  const std::uint64_t a = heap.allocate(32);
  const std::uint64_t b = heap.allocate(16);
  EXPECT_EQ(b, a + 32 + DeviceHeap::kGap);
  EXPECT_EQ(memory.find(a + 31)->address, a);
  for (std::uint64_t address = a + 32; address < b; ++address) {
    EXPECT_EQ(memory.find(address), nullptr);
  }
  EXPECT_EQ(memory.describe(a + 32, 4).find("0 bytes past the end of allocation by malloc"), 0U);
  EXPECT_EQ(memory.find(b + 16), nullptr);
}

TEST(DeviceHeap, FreedBlockIsFreedMemoryUntilReallocated) {
  GlobalMemory memory({.capacity = std::uint64_t{1} << 24});
  DeviceHeap heap(memory, 4096);
  const std::uint64_t a = heap.allocate(64);
  const std::uint64_t b = heap.allocate(64);
  const std::uint64_t generation = memory.generation();
  heap.free(a, 0);
  EXPECT_NE(memory.generation(), generation);
  EXPECT_TRUE(memory.was_freed(a + 63));
  EXPECT_FALSE(memory.was_freed(b));
  EXPECT_EQ(heap.allocate(16), a);
  EXPECT_FALSE(memory.was_freed(a));
  EXPECT_FALSE(memory.was_freed(a + 48))
      << "reuse of a part must clear the mark of the whole block";
  EXPECT_EQ(memory.find(a + 16), nullptr);
}

TEST(DeviceHeap, ManyRoundsOfMallocAndFreeStayFast) {
  GlobalMemory memory({.capacity = std::uint64_t{1} << 26});
  DeviceHeap heap(memory, 1 << 25);
  std::vector<std::uint64_t> blocks;
  for (int i = 0; i < 100000; ++i) blocks.push_back(heap.allocate(16));
  for (int round = 0; round < 3; ++round) {
    for (std::uint64_t& block : blocks) {
      heap.free(block, 0);
      block = heap.allocate(16);
    }
  }
  EXPECT_EQ(heap.used(), blocks.size() * 32);
}

TEST(DeviceHeap, ReturnsZeroWhenFull) {
  GlobalMemory memory({.capacity = std::uint64_t{1} << 24});
  DeviceHeap heap(memory);
  heap.set_bytes(96);
  const std::uint64_t a = heap.allocate(33);
  EXPECT_NE(a, 0U);
  EXPECT_NE(heap.allocate(16), 0U);
  EXPECT_EQ(heap.allocate(1), 0U);
  EXPECT_EQ(heap.allocate(~std::uint64_t{0}), 0U);
  heap.free(a, 0);
  EXPECT_EQ(heap.allocate(48), a);
}

TEST(DeviceHeap, ReturnsZeroWithoutEnoughDeviceMemory) {
  GlobalMemory memory({.capacity = 1024});
  DeviceHeap heap(memory, 4096);
  EXPECT_EQ(heap.allocate(16), 0U);
}

TEST(DeviceHeap, FreeIgnoresNullAndFaultsOnInvalidPointer) {
  GlobalMemory memory({.capacity = std::uint64_t{1} << 24});
  DeviceHeap heap(memory, 4096);
  EXPECT_EQ(detail_of_free(heap, 0), "no fault");
  const std::uint64_t a = heap.allocate(100);
  EXPECT_THAT(detail_of_free(heap, a + 16), ::testing::HasSubstr("malloc in a kernel did not"));
  EXPECT_THAT(detail_of_free(heap, 77), ::testing::HasSubstr("malloc in a kernel did not return"));
  EXPECT_EQ(detail_of_free(heap, a), "no fault");
  EXPECT_THAT(detail_of_free(heap, a), ::testing::HasSubstr("freed before"));
}

TEST(DeviceHeap, BlocksAreAlignedDisjointAndReproducible) {
  const auto run = [](std::vector<std::uint64_t>& addresses) {
    GlobalMemory memory({.capacity = std::uint64_t{1} << 24});
    DeviceHeap heap(memory, 1 << 14);
    std::map<std::uint64_t, std::uint64_t> live;
    std::mt19937 random(5);
    int failed_allocations = 0;
    for (int step = 0; step < 20000; ++step) {
      if (random() % 2 == 0 && !live.empty()) {
        auto victim = live.begin();
        std::advance(victim, static_cast<std::ptrdiff_t>(random() % live.size()));
        heap.free(victim->first, 0);
        live.erase(victim);
        continue;
      }
      const std::uint64_t bytes = 1 + random() % 700;
      const std::uint64_t address = heap.allocate(bytes);
      addresses.push_back(address);
      if (address == 0) {
        ++failed_allocations;
        continue;
      }
      ASSERT_EQ(address % 16, 0U);
      const Allocation* block = memory.find(address);
      ASSERT_NE(block, nullptr);
      ASSERT_EQ(block->address, address);
      ASSERT_EQ(block->bytes, bytes);
      const auto next = live.lower_bound(address);
      ASSERT_TRUE(next == live.end() || address + bytes <= next->first);
      ASSERT_TRUE(next == live.begin() ||
                  std::prev(next)->first + std::prev(next)->second <= address);
      live.emplace(address, bytes);
    }
    EXPECT_GT(failed_allocations, 0);
    for (const auto& [address, bytes] : live) heap.free(address, 0);
    EXPECT_EQ(heap.used(), 0U);
    EXPECT_NE(heap.allocate((1 << 14) - DeviceHeap::kGap), 0U);  // All pieces have merged again.
  };
  std::vector<std::uint64_t> first;
  std::vector<std::uint64_t> second;
  run(first);
  run(second);
  EXPECT_EQ(first, second);
}

}  // namespace
}  // namespace heddle::exec
