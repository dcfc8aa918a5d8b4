#include "device/occupancy.h"

#include <gtest/gtest.h>

namespace heddle::device {
namespace {

using Limit = Occupancy::Limit;

/// The multiprocessor of all tests.
constexpr SmResources kSm{.registers = 32768, .shared_bytes = 49152, .threads = 1536, .blocks = 8};

void expect_occupancy(const BlockNeeds& block, std::uint32_t blocks, Limit limit) {
  const Occupancy occupancy = occupancy_of(kSm, block);
  EXPECT_EQ(occupancy.blocks, blocks);
  EXPECT_EQ(name_of(occupancy.limit), name_of(limit));
}

TEST(Occupancy, IsLimitedByRegisters) {
  // 32768 / (256 x 24) = 5.3
  expect_occupancy({.threads = 256, .registers_per_thread = 24, .shared_bytes = 2048}, 5,
                   Limit::registers);
}

TEST(Occupancy, AllowsExactlyAllRegisters) {
  expect_occupancy({.threads = 256, .registers_per_thread = 32}, 4, Limit::registers);
  expect_occupancy({.threads = 256, .registers_per_thread = 33}, 3, Limit::registers);
}

TEST(Occupancy, AllocatesRegistersToWholeWarps) {
  // 33 threads are two warps: 32768 / (64 x 100) = 5.1, but 32768 / (33 x 100) would be 9.9.
  expect_occupancy({.threads = 33, .registers_per_thread = 100}, 5, Limit::registers);
}

TEST(Occupancy, IsLimitedBySharedMemory) {
  expect_occupancy({.threads = 64, .registers_per_thread = 10, .shared_bytes = 16384}, 3,
                   Limit::shared_memory);
  expect_occupancy({.threads = 64, .registers_per_thread = 10, .shared_bytes = 16385}, 2,
                   Limit::shared_memory);
}

TEST(Occupancy, IsLimitedByThreadsAndBlocks) {
  expect_occupancy({.threads = 512, .registers_per_thread = 10}, 3, Limit::threads);
  expect_occupancy({.threads = 32, .registers_per_thread = 10}, 8, Limit::blocks);
}

TEST(Occupancy, IsZeroForATooLargeBlock) {
  expect_occupancy({.threads = 1024, .registers_per_thread = 33}, 0, Limit::registers);
  expect_occupancy({.threads = 2048, .registers_per_thread = 1}, 0, Limit::threads);
}

}  // namespace
}  // namespace heddle::device
