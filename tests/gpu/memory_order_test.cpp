// Memory ordering between threads: fences, releases, barriers and asynchronous copies.

#include <gtest/gtest.h>

#include <string>

#include "device/ptx_text.h"
#include "gpu/chip_run.h"

namespace heddle::gpu::test {
namespace {

using device::test::kernel_of;

TEST(MemoryOrder, FencedStoresAreSeenByAtLeastOneOfTwoReaders) {
  // Each of two blocks stores to its own word, executes a fence, and records the other block's
  // word.
  ChipRun run(kernel_of(R"(
  xor.b32 %r10, %r2, 1;
  mul.wide.u32 %rd3, %r2, 256;
  add.u64 %rd3, %rd1, %rd3;
  mul.wide.u32 %rd4, %r10, 256;
  add.u64 %rd4, %rd1, %rd4;
  st.volatile.global.u32 [%rd3], 1;
  membar.gl;
  ld.volatile.global.u32 %r11, [%rd4];
  st.global.u32 [%rd2+512], %r11;
  ret;)"),
              machine_of({"chip.sms=2"}));
  const auto words = run.zeros<std::uint32_t>(1024);
  run.launch("k", {2}, {1}, words);
  const auto seen = run.download<std::uint32_t>(words, 130);
  EXPECT_TRUE(seen[128] == 1 || seen[129] == 1);
}

TEST(MemoryOrder, LanesSeeAnAtomicAfterTheirWarpBarrier) {
  ChipRun run(kernel_of(R"(
  setp.eq.u32 %p1, %r4, 0;
  @%p1 red.global.add.u32 [%rd1+4096], 3;
  bar.warp.sync 0xffffffff;
  mov.u32 %r13, 3;
  @!%p1 ld.volatile.global.u32 %r13, [%rd1+4096];
  st.global.u32 [%rd2], %r13;
  ret;)"),
              machine_of({"chip.sms=2"}));
  const auto words = run.zeros<std::uint32_t>(4096);
  run.launch("k", {1}, {32}, words);
  for (const std::uint32_t seen : run.download<std::uint32_t>(words, 32)) EXPECT_EQ(seen, 3U);
}

TEST(MemoryOrder, ReleasedFlagIsNotSeenBeforeEarlierAtomics) {
  for (const std::string release :
       {"st.release.gpu.global.u32 [%rd1+256], 1;", "red.release.gpu.global.add.u32 [%rd1+256], 1;",
        "membar.gl;\n st.volatile.global.u32 [%rd1+256], 1;",
        "fence.acq_rel.gpu;\n st.relaxed.gpu.global.u32 [%rd1+256], 1;"}) {
    SCOPED_TRACE(release);
    // Many stores on a slow port delay the atomic. The flag is in the other memory partition, where
    // it could become visible earlier.
    ChipRun run(kernel_of(R"(
  setp.ne.u32 %p1, %r2, 0;
  @%p1 bra READER;
  mul.wide.u32 %rd5, %r4, 512;
  add.u64 %rd5, %rd1, %rd5;
  st.global.u32 [%rd5+65536], 1;
  st.global.u32 [%rd5+98304], 1;
  st.global.u32 [%rd5+131072], 1;
  setp.ne.u32 %p3, %r4, 0;
  @%p3 exit;
  red.global.add.u32 [%rd1+4096], 3;
  )" + release + R"(
  ret;
READER:
  setp.ne.u32 %p3, %r4, 0;
  @%p3 exit;
SPIN:
  ld.acquire.gpu.global.u32 %r5, [%rd1+256];
  setp.eq.u32 %p2, %r5, 0;
  @%p2 bra SPIN;
  ld.relaxed.gpu.global.u32 %r6, [%rd1+4096];
  st.global.u32 [%rd1], %r6;
  ret;)"),
                machine_of({"chip.sms=2", "memory.partitions=2", "interconnect.latency=20",
                            "interconnect.bytes_per_cycle=1"}),
                {.max_cycles = 200000});
    const auto words = run.zeros<std::uint32_t>(65536);
    run.launch("k", {2}, {32}, words);
    EXPECT_EQ(run.download<std::uint32_t>(words, 1)[0], 3U);
  }
}

TEST(MemoryOrder, AsynchronousCopySeesTheThreadsEarlierAtomic) {
  ChipRun run(kernel_of(R"(
  mov.u32 %r10, s;
  mul.lo.u32 %r11, %r4, 4;
  add.u32 %r12, %r10, %r11;
  red.global.add.u32 [%rd2], 3;
  cp.async.ca.shared.global [%r12], [%rd2], 4;
  cp.async.wait_all;
  ld.shared.u32 %r13, [%r12];
  st.global.u32 [%rd2+4096], %r13;
  ret;)",
                        ".shared .align 4 .b32 s[1024];\n"),
              machine_of({"chip.sms=2"}));
  const auto words = run.zeros<std::uint32_t>(4096);
  run.launch("k", {2}, {64}, words);
  for (const std::uint32_t copied : run.download<std::uint32_t>(words + 4096, 128)) {
    EXPECT_EQ(copied, 3U);
  }
}

}  // namespace
}  // namespace heddle::gpu::test
