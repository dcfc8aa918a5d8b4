// Cooperative launches, whose blocks may wait for one another.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "device/ptx_text.h"

namespace heddle::device::test {
namespace {

/// Loads the address of the launch's workspace into %rd5, as nvcc's cooperative groups do. Their
/// grid-wide barriers use this memory.
constexpr const char* kWorkspace = R"(
  mov.u32 %r10, %envreg1;
  mov.u32 %r11, %envreg2;
  mov.b64 %rd5, {%r11, %r10};
)";

std::vector<std::uint64_t> launch(Device& device, const std::string& body, bool cooperative,
                                  std::uint32_t blocks, std::size_t words) {
  const LoadedModule& module = device.load({{"test.ptx", kernel_of(kWorkspace + body + "  ret;")}});
  const DevicePointer out = device.upload(std::vector<std::uint64_t>(words));
  device.launch_with(device.find_kernel(module, "k"),
                     {.grid = {blocks, 1, 1}, .block = {1, 1, 1}, .cooperative = cooperative}, out);
  return device.download<std::uint64_t>(out, words);
}

TEST(CooperativeLaunch, StartsWithAZeroedWorkspace) {
  Device device;
  const std::string body = R"(
  st.global.u64 [%rd1], %rd5;
  ld.global.u64 %rd6, [%rd5];
  st.global.u64 [%rd1+8], %rd6;
  mov.u64 %rd7, 77;
  st.global.u64 [%rd5], %rd7;
)";
  const auto first = launch(device, body, true, 1, 2);
  const auto second = launch(device, body, true, 1, 2);
  EXPECT_NE(first[0], 0U);
  EXPECT_EQ(second[0], first[0]);
  EXPECT_EQ(first[1], 0U);
  EXPECT_EQ(second[1], 0U);
}

TEST(CooperativeLaunch, HasAWorkspaceUnlikeOtherLaunches) {
  Device device;
  const std::string store_address = "  st.global.u64 [%rd1], %rd5;\n";
  EXPECT_NE(launch(device, store_address, true, 1, 1)[0], 0U);
  EXPECT_EQ(launch(device, store_address, false, 1, 1)[0], 0U);
}

// The kernel waits like a barrier of the whole grid. Without timing, blocks run in turns.
TEST(CooperativeLaunch, LetsBlocksWaitForAllOthersInShortTurns) {
  Device device;
  constexpr std::uint32_t kBlocks = 300;
  const std::string wait_for_all = R"(
  atom.add.release.gpu.global.u32 %r12, [%rd5+4], 1;
WAIT:
  ld.acquire.gpu.global.u32 %r13, [%rd5+4];
  setp.lt.u32 %p1, %r13, 300;
  @%p1 bra WAIT;
  mul.wide.u32 %rd6, %r1, 8;
  add.u64 %rd6, %rd1, %rd6;
  cvt.u64.u32 %rd7, %r12;
  st.global.u64 [%rd6], %rd7;
)";
  const LoadedModule& module =
      device.load({{"test.ptx", kernel_of(kWorkspace + wait_for_all + "  ret;")}});
  const DevicePointer out = device.upload(std::vector<std::uint64_t>(kBlocks));
  const LaunchResult result =
      device.launch_with(device.find_kernel(module, "k"),
                         {.grid = {kBlocks, 1, 1}, .block = {1, 1, 1}, .cooperative = true}, out);
  std::vector<std::uint64_t> tickets = device.download<std::uint64_t>(out, kBlocks);
  std::sort(tickets.begin(), tickets.end());
  std::vector<std::uint64_t> expected(kBlocks);
  std::iota(expected.begin(), expected.end(), 0U);
  EXPECT_EQ(tickets, expected);
  // Turns must be short: the first block must not spin for a million instructions before the second
  // one begins.
  EXPECT_LT(result.warp_instructions, 2'000'000U);
}

TEST(CooperativeLaunch, RejectsMoreBlocksThanCanBeResident) {
  Device device;
  const std::string add = "  atom.global.add.u64 %rd7, [%rd1], 1;\n";
  EXPECT_EQ(launch(device, add, true, 8192, 1)[0], 8192U);
  EXPECT_THROW(launch(device, add, true, 8193, 1), InputError);
  EXPECT_EQ(launch(device, add, false, 8193, 1)[0], 8193U);
}

}  // namespace
}  // namespace heddle::device::test
