// Stray accesses: accesses outside of all allocations. With OutOfBounds::pages they are permitted
// in the 2 MiB pages that contain a part of an allocation, as on a GPU.

#include <gtest/gtest.h>

#include <vector>

#include "exec/memory/global_memory.h"

namespace heddle::exec {
namespace {

constexpr std::uint64_t kPage = std::uint64_t{2} << 20;
const MemoryOptions kPermitInPages{.capacity = std::uint64_t{64} << 20,
                                   .gap = std::uint64_t{64} << 10,
                                   .out_of_bounds = OutOfBounds::pages};

/// Whether memory permits a load of `bytes` bytes.
bool is_permitted(GlobalMemory& memory, std::uint64_t address, std::uint64_t bytes) {
  return memory.permits_stray(address, bytes, 0, AccessKind::load);
}

TEST(StrayAccess, IsPermittedOnlyInPagesWithAllocation) {
  GlobalMemory memory(kPermitInPages);
  const std::uint64_t buffer = memory.allocate(100);
  const std::uint64_t page = buffer / kPage * kPage;
  EXPECT_TRUE(is_permitted(memory, buffer - 256, 4));
  EXPECT_TRUE(is_permitted(memory, page, 4));
  EXPECT_FALSE(is_permitted(memory, page - 1, 1));
  EXPECT_FALSE(is_permitted(memory, page - 2, 4));
  EXPECT_TRUE(is_permitted(memory, page + kPage - 4, 4));
  EXPECT_FALSE(is_permitted(memory, page + kPage - 2, 4));
  EXPECT_FALSE(is_permitted(memory, page + kPage, 1));
  EXPECT_FALSE(is_permitted(memory, 16, 4));
  EXPECT_FALSE(is_permitted(memory, ~std::uint64_t{0} - 1, 4));
}

TEST(StrayAccess, IsPermittedAcrossPagesOfOneAllocation) {
  GlobalMemory memory(kPermitInPages);
  const std::uint64_t buffer = memory.allocate(3 * kPage);
  const std::uint64_t last = (buffer + 3 * kPage - 1) / kPage * kPage;
  EXPECT_TRUE(is_permitted(memory, last + kPage - 8, 8));
  EXPECT_FALSE(is_permitted(memory, last + kPage, 8));
}

TEST(StrayAccess, IsDeniedInPageWithoutLiveAllocation) {
  GlobalMemory memory(kPermitInPages);
  const std::uint64_t buffer = memory.allocate(100);
  EXPECT_TRUE(is_permitted(memory, buffer + 200, 4));
  memory.free(buffer);
  EXPECT_FALSE(is_permitted(memory, buffer + 200, 4));
  EXPECT_FALSE(is_permitted(memory, buffer, 4));
}

TEST(StrayAccess, IsPermittedInTheLastUnitOfSharedMemory) {
  GlobalMemory memory(kPermitInPages);
  const auto is_permitted_in = [&](std::uint64_t shared_bytes, std::uint64_t offset,
                                   std::uint64_t bytes) {
    return memory.permits_shared_stray(offset, bytes, shared_bytes, 7, AccessKind::store);
  };
  EXPECT_TRUE(is_permitted_in(100, 100, 4));
  EXPECT_TRUE(is_permitted_in(100, 98, 4));
  EXPECT_TRUE(is_permitted_in(100, 124, 4));
  EXPECT_TRUE(is_permitted_in(132, 255, 1));
  EXPECT_EQ(memory.strays().take().at(7).stores, 4U);
  EXPECT_FALSE(is_permitted_in(100, 126, 4));
  EXPECT_FALSE(is_permitted_in(100, 128, 1));
  EXPECT_FALSE(is_permitted_in(128, 128, 1));
  EXPECT_FALSE(is_permitted_in(0, 0, 1));
  EXPECT_FALSE(is_permitted_in(100, 96, 4)) << "is within the block's shared memory";
  EXPECT_TRUE(memory.strays().take().empty());
}

TEST(StrayAccess, IsDeniedByDefault) {
  GlobalMemory memory({.capacity = kPermitInPages.capacity});
  const std::uint64_t buffer = memory.allocate(100);
  EXPECT_FALSE(is_permitted(memory, buffer + 200, 4));
  EXPECT_FALSE(memory.permits_shared_stray(100, 4, 100, 0, AccessKind::load));
  EXPECT_TRUE(memory.strays().take().empty());
}

TEST(StrayAccess, NewAllocationDoesNotSeeStrayStores) {
  GlobalMemory memory(kPermitInPages);
  const std::uint64_t first = memory.allocate(256);
  *memory.host(first + 512) = std::byte{7};
  const std::uint64_t second = memory.allocate(256);
  ASSERT_EQ(second, first + 512);
  std::vector<std::byte> byte(1);
  memory.read(second, byte);
  EXPECT_EQ(byte[0], std::byte{0});
}

TEST(StrayAccess, IsCountedByInstructionAndKindUntilTaken) {
  GlobalMemory memory(kPermitInPages);
  const std::uint64_t buffer = memory.allocate(100);
  memory.permits_stray(buffer + 200, 4, 7, AccessKind::load);
  memory.permits_stray(buffer + 204, 4, 7, AccessKind::load);
  memory.permits_stray(buffer + 200, 4, 7, AccessKind::store);
  memory.permits_stray(buffer + 200, 4, 9, AccessKind::atomic);
  memory.permits_stray(16, 4, 9, AccessKind::atomic);
  const auto counts = memory.strays().take();
  ASSERT_EQ(counts.size(), 2U);
  EXPECT_EQ(counts.at(7).loads, 2U);
  EXPECT_EQ(counts.at(7).stores, 1U);
  EXPECT_EQ(counts.at(7).atomics, 0U);
  EXPECT_EQ(counts.at(9).atomics, 1U);
  EXPECT_TRUE(memory.strays().take().empty());
}

TEST(StrayAccess, IsNotCountedWhilePaused) {
  GlobalMemory memory(kPermitInPages);
  const std::uint64_t buffer = memory.allocate(100);
  {
    const StrayAccesses::Pause pause(memory.strays());
    EXPECT_TRUE(is_permitted(memory, buffer + 200, 4));
  }
  EXPECT_TRUE(memory.strays().take().empty());
  EXPECT_TRUE(is_permitted(memory, buffer + 200, 4));
  EXPECT_EQ(memory.strays().take().size(), 1U);
}

}  // namespace
}  // namespace heddle::exec
