// DividedSpace: an address range with one part for each of several programs that share a device.

#include "exec/memory/divided_space.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "base/error.h"
#include "exec/memory/global_memory.h"

namespace heddle::exec {
namespace {

constexpr std::uint64_t kCapacity = std::uint64_t{16} << 20;

MemoryOptions options_of_part(const std::shared_ptr<const DividedSpace>& space,
                              std::uint32_t part) {
  return {.capacity = kCapacity, .space = space, .part = part};
}

TEST(DividedSpace, PartsHaveSeparateAddressesAtOneHostOffset) {
  const auto space = divided_space_for({.capacity = kCapacity}, 3);
  GlobalMemory first(options_of_part(space, 0));
  GlobalMemory third(options_of_part(space, 2));
  const std::uint64_t a = first.allocate(100);
  const std::uint64_t b = third.allocate(100);
  EXPECT_EQ(b - a, 2 * DividedSpace::kStride);
  EXPECT_EQ(third.host(b) - first.host(a), static_cast<std::ptrdiff_t>(b - a));
  EXPECT_EQ(first.host(b), third.host(b)) << "all parts must have the same host offset";
  EXPECT_EQ(first.find(b), nullptr);
  EXPECT_EQ(third.find(a), nullptr);
  EXPECT_FALSE(first.reserves(b));
  EXPECT_TRUE(third.reserves(b));
}

TEST(DividedSpace, FirstPartMatchesUnsharedMemory) {
  const auto space = divided_space_for({.capacity = kCapacity}, 2);
  GlobalMemory alone({.capacity = kCapacity});
  GlobalMemory first(options_of_part(space, 0));
  for (const std::uint64_t bytes : {1U, 5000U, 300U}) {
    EXPECT_EQ(alone.allocate(bytes), first.allocate(bytes));
  }
}

TEST(DividedSpace, RecreatedPartIsZeroed) {
  const auto space = divided_space_for({.capacity = kCapacity}, 2);
  std::array<std::byte, 256> bytes{};
  for (int time = 0; time < 2; ++time) {
    GlobalMemory memory(options_of_part(space, 1));
    const std::uint64_t address = memory.allocate(bytes.size());
    bytes.fill(std::byte{9});
    memory.read(address, bytes);
    for (const std::byte byte : bytes) ASSERT_EQ(byte, std::byte{0});
    bytes.fill(std::byte{7});
    memory.write(address, bytes);
  }
}

TEST(DividedSpace, RejectsPartsLargerThanStride) {
  EXPECT_THROW(divided_space_for({.capacity = DividedSpace::kStride}, 2), InputError);
}

}  // namespace
}  // namespace heddle::exec
