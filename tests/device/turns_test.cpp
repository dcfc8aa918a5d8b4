// Launches without timing run warps and blocks in turns. Threads may therefore wait for others by
// polling memory, in any order of blocks and warps.

#include <gtest/gtest.h>

#include <algorithm>

#include "device/ptx_text.h"

namespace heddle::device::test {
namespace {

constexpr std::uint32_t kInstructionLimit = 200'000'000;

/// Launches a kernel over `words` zeroed words. A kernel that still waits after many turns faults.
std::vector<std::uint32_t> run_to_end(const std::string& body, std::uint32_t blocks,
                                      std::uint32_t threads, bool cooperative = false) {
  Device device({.max_warp_instructions = kInstructionLimit});
  const LoadedModule& module = device.load({{"test.ptx", body}});
  const DevicePointer out = device.upload(std::vector<std::uint32_t>(1024));
  device.launch_with(device.find_kernel(module, "k"),
                     {.grid = {blocks}, .block = {threads}, .cooperative = cooperative}, out);
  return device.download<std::uint32_t>(out, 1024);
}

TEST(Turns, LetEarlyWarpsWaitForTheLastOfTheirBlock) {
  // The last warp of each block waits until all blocks have arrived, and then releases the other
  // warps.
  const std::vector<std::uint32_t> out = run_to_end(kernel_of(R"(
  setp.lt.u32 %p1, %r4, 992;
  @%p1 bra WAIT;
  setp.ne.u32 %p2, %r4, 992;
  @%p2 exit;
  atom.global.add.u32 %r5, [%rd1], 1;
ALL:
  ld.volatile.global.u32 %r5, [%rd1];
  setp.lt.u32 %p3, %r5, 40;
  @%p3 bra ALL;
  st.volatile.shared.u32 [flag], 1;
  exit;
WAIT:
  ld.volatile.shared.u32 %r5, [flag];
  setp.eq.u32 %p4, %r5, 0;
  @%p4 bra WAIT;
  atom.global.add.u32 %r6, [%rd1+4], 1;
  ret;)",
                                                              ".shared .u32 flag;\n"),
                                                    40, 1024);
  EXPECT_EQ(out[0], 40U);
  EXPECT_EQ(out[1], 40U * 992);
}

TEST(Turns, LetWarpsWaitForTheLastWarpOfAnotherBlock) {
  // The last warp of the last block releases all others.
  const std::vector<std::uint32_t> out = run_to_end(kernel_of(R"(
  setp.eq.u32 %p1, %r1, 3071;
  @%p1 st.volatile.global.u32 [%rd1], 1;
WAIT:
  ld.volatile.global.u32 %r5, [%rd1];
  setp.eq.u32 %p2, %r5, 0;
  @%p2 bra WAIT;
  atom.global.add.u32 %r6, [%rd1+4], 1;
  ret;)"),
                                                    3, 1024);
  EXPECT_EQ(out[1], 3072U);
}

TEST(Turns, LetWarpsOfACooperativeLaunchWaitForLaterOnes) {
  // Each warp waits for the warp with the next number; the last one starts the chain.
  const std::vector<std::uint32_t> out = run_to_end(kernel_of(R"(
  shr.u32 %r5, %r1, 5;
  mul.wide.u32 %rd3, %r5, 4;
  add.u64 %rd3, %rd1, %rd3;
  setp.eq.u32 %p1, %r5, 31;
  @%p1 bra GO;
WAIT:
  ld.volatile.global.u32 %r6, [%rd3+4];
  setp.eq.u32 %p2, %r6, 0;
  @%p2 bra WAIT;
GO:
  st.volatile.global.u32 [%rd3], 1;
  ret;)"),
                                                    4, 256, true);
  EXPECT_EQ(std::count(out.begin(), out.begin() + 32, 1U), 32);
}

}  // namespace
}  // namespace heddle::device::test
