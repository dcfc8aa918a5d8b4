#include "sm/memory/local_memory_map.h"

#include <gtest/gtest.h>

#include <array>
#include <unordered_set>

#include "sm/ids.h"

namespace heddle::sm {
namespace {

/// The addresses of the lanes' variable at `offset`.
memory::LaneAddresses translate(LocalMemoryMap& map, std::uint64_t offset,
                                HardwareWarpId hardware_warp, std::uint32_t bytes,
                                std::uint32_t local_bytes) {
  memory::LaneAddresses offsets{};
  offsets.fill(offset);
  const MemoryPass pass{.addresses = &offsets, .hardware_warp = hardware_warp};
  return map.translate(pass, LaneMask::all(), bytes, local_bytes);
}

TEST(LocalMemoryMap, MapsAllBytesToDistinctAddresses) {
  for (const std::uint32_t bytes : {1u, 2u, 4u, 8u, 16u}) {
    for (const std::uint32_t local_bytes : {16u, 20u, 36u}) {
      std::unordered_set<std::uint64_t> taken;
      std::size_t count = 0;
      for (const std::uint16_t sm : {std::uint16_t{0}, std::uint16_t{1}, std::uint16_t{7}}) {
        LocalMemoryMap map(sm);
        for (HardwareWarpId hardware_warp = 0; hardware_warp < kMaxWarps; ++hardware_warp) {
          for (std::uint32_t at = 0; at + bytes <= local_bytes; at += bytes) {
            for (const std::uint64_t address :
                 translate(map, at, hardware_warp, bytes, local_bytes)) {
              for (std::uint32_t i = 0; i < bytes; ++i) taken.insert(address + i);
              count += bytes;
            }
          }
        }
      }
      EXPECT_EQ(taken.size(), count) << bytes << " of " << local_bytes;
    }
  }
}

TEST(LocalMemoryMap, PlacesSameVariableOfLanesSideBySide) {
  LocalMemoryMap map(3);
  for (const std::uint32_t bytes : {4u, 8u, 16u}) {
    const memory::LaneAddresses addresses = translate(map, 32, 5, bytes, 64);
    EXPECT_EQ(addresses[0] % 128, 0u) << "aligned to a line";
    for (std::size_t lane = 1; lane < 32; ++lane) {
      EXPECT_EQ(addresses[lane], addresses[lane - 1] + bytes);
    }
  }
}

TEST(LocalMemoryMap, AlignsStaticWarpsToWidestElements) {
  LocalMemoryMap map(1);
  for (HardwareWarpId hardware_warp = 0; hardware_warp < kMaxWarps; ++hardware_warp) {
    EXPECT_EQ(translate(map, 0, hardware_warp, 16, 36)[0] % (32 * 16), 0u) << hardware_warp;
  }
}

TEST(LocalMemoryMap, PlacesBytesWithinThreadsWord) {
  LocalMemoryMap map(3);
  const memory::LaneAddresses words = translate(map, 8, 5, 4, 64);
  for (std::uint64_t byte = 0; byte < 4; ++byte) {
    const memory::LaneAddresses bytes = translate(map, 8 + byte, 5, 1, 64);
    for (std::size_t lane = 0; lane < 32; ++lane) EXPECT_EQ(bytes[lane], words[lane] + byte);
  }
  const memory::LaneAddresses halves = translate(map, 10, 5, 2, 64);
  for (std::size_t lane = 0; lane < 32; ++lane) EXPECT_EQ(halves[lane], words[lane] + 2);
}

TEST(LocalMemoryMap, AcceptsGenericAddresses) {
  LocalMemoryMap map(0);
  EXPECT_EQ(translate(map, 0x0002'0000'0010, 1, 4, 64), translate(map, 0x10, 1, 4, 64));
}

TEST(LocalMemoryMap, UsesHardwareWarpOfEachLane) {
  LocalMemoryMap map(2);
  std::array<std::uint8_t, 32> hardware_warps{};
  memory::LaneAddresses offsets{};
  offsets.fill(12);
  for (std::size_t lane = 0; lane < 32; ++lane)
    hardware_warps[lane] = static_cast<std::uint8_t>(lane % 3);
  const MemoryPass pass{.addresses = &offsets, .hardware_warps = &hardware_warps};
  const memory::LaneAddresses gathered = map.translate(pass, LaneMask::all(), 4, 16);
  for (HardwareWarpId hardware_warp = 0; hardware_warp < 3; ++hardware_warp) {
    const memory::LaneAddresses alone = translate(map, 12, hardware_warp, 4, 16);
    for (std::size_t lane = hardware_warp; lane < 32; lane += 3)
      EXPECT_EQ(gathered[lane], alone[lane]);
  }
}

TEST(LocalMemoryMap, LiesAboveAllocatableMemory) {
  LocalMemoryMap map(0);
  EXPECT_GE(translate(map, 0, 0, 4, 16)[0], std::uint64_t{1} << 44);
}

}  // namespace
}  // namespace heddle::sm
