#include "cuda/runtime/allocations.h"

#include <gtest/gtest.h>

#include "cuda/runtime/error_of.h"

namespace heddle::cuda {
namespace {

class AllocationsTest : public ::testing::Test {
 protected:
  device::Device device{{.memory = {.capacity = 1 << 20}}};
  Allocations allocations;
};

TEST_F(AllocationsTest, FindsAllocationThatContainsAddress) {
  const std::uint64_t address = allocations.allocate(device, 100, MemoryKind::managed, 1);
  EXPECT_EQ(allocations.find(address + 99).address, address);
  EXPECT_EQ(allocations.find(address + 99).allocation.kind, MemoryKind::managed);
  EXPECT_EQ(allocations.find(address + 100).address, 0u);
  EXPECT_EQ(allocations.find(address - 1).address, 0u);
}

TEST_F(AllocationsTest, FreesHostAndDeviceMemoryByTheirOwnCalls) {
  const std::uint64_t host = allocations.allocate(device, 8, MemoryKind::host);
  const std::uint64_t memory = allocations.allocate(device, 8, MemoryKind::device);
  EXPECT_EQ(error_of([&] { allocations.free(device, host, false); }), Error::invalid_value);
  EXPECT_EQ(error_of([&] { allocations.free(device, memory, true); }), Error::invalid_value);
  EXPECT_EQ(error_of([&] { allocations.free(device, memory + 4, false); }), Error::invalid_value);
  allocations.free(device, host, true);
  allocations.free(device, memory, false);
  EXPECT_EQ(error_of([&] { allocations.free(device, memory, false); }), Error::invalid_value);
}

TEST_F(AllocationsTest, ReportsOutOfMemory) {
  EXPECT_EQ(error_of([&] { allocations.allocate(device, 2 << 20, MemoryKind::device); }),
            Error::memory_allocation);
  EXPECT_EQ(allocations.allocate(device, 0, MemoryKind::device), 0u);
}

}  // namespace
}  // namespace heddle::cuda
