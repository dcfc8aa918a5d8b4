// Accesses outside of a kernel's buffer. They fault, or are permitted and counted, as the device's
// options say.

#include <gmock/gmock.h>

#include "base/error.h"
#include "device/ptx_text.h"

namespace heddle::device::test {
namespace {

using testing::HasSubstr;

/// Two buffers of 1 MiB, a multiple of every alignment. The kernel receives the first one.
struct TwoBuffers {
  explicit TwoBuffers(const std::string& body, exec::MemoryOptions memory = {})
      : device({.memory = memory}) {
    const LoadedModule& module = device.load({{"test.ptx", kernel_of(body)}});
    kernel = device.find_kernel(module, "k");
    first = device.allocate(1 << 20, "first");
    second = device.allocate(1 << 20, "second");
  }
  void launch() { device.launch_with(kernel, {.grid = {}, .block = {32, 1, 1}}, first); }

  Device device;
  Kernel kernel;
  DevicePointer first = 0;
  DevicePointer second = 0;
};

TEST(OutOfBounds, StorePastABuffersEndDoesNotReachTheNextBuffer) {
  TwoBuffers buffers("  st.global.u32 [%rd2+1048576], 1;\n  ret;");
  try {
    buffers.launch();
    FAIL();
  } catch (const exec::SimulatedFault& fault) {
    EXPECT_EQ(fault.kind(), exec::FaultKind::out_of_bounds);
    EXPECT_THAT(fault.what(), HasSubstr("0 bytes past the end of 'first'"));
  }
}

TEST(OutOfBounds, LoadBeforeTheFirstBufferFaults) {
  TwoBuffers buffers("  ld.global.u32 %r5, [%rd2+-256];\n  st.global.u32 [%rd2], %r5;\n  ret;");
  EXPECT_THROW(buffers.launch(), exec::SimulatedFault);
}

TEST(OutOfBounds, BuffersAreAdjacentWithoutGaps) {
  TwoBuffers buffers("  st.global.u32 [%rd2+1048576], 5;\n  ret;", {.gap = 0});
  EXPECT_EQ(buffers.second, buffers.first + (1 << 20));
  buffers.launch();
  EXPECT_EQ(buffers.device.download<std::uint32_t>(buffers.second, 1).front(), 5U);
}

TEST(OutOfBounds, CountsPermittedAccessesByPlaceOverAllLaunches) {
  TwoBuffers buffers(
      "  ld.global.u32 %r5, [%rd2+-256];\n  st.global.u32 [%rd2], %r5;\n"
      "  st.global.u32 [%rd2+1048576], %r4;\n  ld.global.u32 %r6, [%rd2+1048576];\n"
      "  atom.global.add.u32 %r7, [%rd1+-4], %r6;\n  ret;",
      {.out_of_bounds = exec::OutOfBounds::pages});
  buffers.launch();
  buffers.launch();
  const std::vector<StrayInstruction>& strays = buffers.device.stray_instructions();
  ASSERT_EQ(strays.size(), 4U);
  for (const StrayInstruction& stray : strays) EXPECT_EQ(stray.kernel, "k");
  EXPECT_EQ(strays[0].count.loads, 64U);
  EXPECT_THAT(strays[0].place, HasSubstr("test.ptx:20, load"));
  EXPECT_EQ(strays[1].count.stores, 64U);
  EXPECT_EQ(strays[2].count.loads, 64U);
  EXPECT_EQ(strays[3].count.atomics, 64U);
  // The stray stores could be loaded again: 0 + 1 + ... + 31, twice.
  EXPECT_EQ(*reinterpret_cast<std::uint32_t*>(buffers.device.memory().host(buffers.first - 4)),
            992U);
}

TEST(OutOfBounds, PermitsAndCountsAccessesWithinTheLastUnitOfSharedMemory) {
  const std::string body =
      "  .shared .align 4 .b8 own[100];\n  mov.u32 %r5, own;\n  st.shared.u32 [%r5+120], %r4;\n"
      "  ld.shared.u32 %r6, [%r5+120];\n  st.global.u32 [%rd2], %r6;\n  ret;";
  TwoBuffers buffers(body, {.out_of_bounds = exec::OutOfBounds::pages});
  buffers.launch();
  EXPECT_EQ(buffers.device.download<std::uint32_t>(buffers.first, 1).front(), 31U);
  const std::vector<StrayInstruction>& strays = buffers.device.stray_instructions();
  ASSERT_EQ(strays.size(), 2U);
  EXPECT_EQ(strays[0].count.stores, 32U);
  EXPECT_EQ(strays[1].count.loads, 32U);
  TwoBuffers strict(body);
  EXPECT_THROW(strict.launch(), exec::SimulatedFault);
}

TEST(OutOfBounds, FaultsOnAccessesThatNoGpuPermits) {
  TwoBuffers buffers("  st.global.u32 [%rd2+67108864], 1;\n  ret;",
                     {.out_of_bounds = exec::OutOfBounds::pages});
  EXPECT_THROW(buffers.launch(), exec::SimulatedFault);
}

}  // namespace
}  // namespace heddle::device::test
