#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "device/ptx_text.h"

namespace heddle::device::test {
namespace {

using testing::HasSubstr;

/// Declares an array of 1024 words in shared memory.
const char* const kShared = ".shared .align 4 .b32 s[1024];\n";

TEST(Barrier, MakesEarlierWritesVisibleToOtherWarps) {
  // Each thread writes its own word and reads the word of its mirror image in the block.
  const std::vector<std::uint32_t> out = run(kernel_of(R"(
  mov.u32 %r10, s;
  shl.b32 %r11, %r4, 2;
  add.u32 %r12, %r10, %r11;
  st.shared.u32 [%r12], %r1;
  bar.sync 0;
  sub.u32 %r13, 255, %r4;
  shl.b32 %r13, %r13, 2;
  add.u32 %r13, %r10, %r13;
  ld.shared.u32 %r14, [%r13];
  st.global.u32 [%rd2], %r14;
  ret;)",
                                                       kShared),
                                             3, 256, 768);
  for (std::uint32_t i = 0; i < 768; ++i) EXPECT_EQ(out[i], i / 256 * 256 + 255 - i % 256);
}

TEST(Barrier, DoesNotWaitForExitedWarps) {
  const std::vector<std::uint32_t> out = run(kernel_of(R"(
  setp.ge.u32 %p1, %r4, 64;
  @%p1 exit;
  bar.sync 0;
  st.global.u32 [%rd2], 1;
  ret;)"),
                                             1, 256, 256);
  for (std::uint32_t i = 0; i < 256; ++i) EXPECT_EQ(out[i], i < 64 ? 1u : 0u);
}

TEST(Barrier, ReleasesWaitingWarpsWhenTheLastOneExits) {
  const std::vector<std::uint32_t> out = run(kernel_of(R"(
  setp.lt.u32 %p1, %r4, 224;
  @%p1 bra WAIT;
  mov.u32 %r20, 0;
LOOP: add.u32 %r20, %r20, 1;
  setp.lt.u32 %p2, %r20, 20000;
  @%p2 bra LOOP;
  exit;
WAIT: bar.sync 0;
  st.global.u32 [%rd2], 1;
  ret;)"),
                                             1, 256, 256);
  for (std::uint32_t i = 0; i < 224; ++i) EXPECT_EQ(out[i], 1u);
}

TEST(Barrier, LetsAProducerArriveAndAConsumerWait) {
  // Warp 0 fills the buffer and arrives; warp 1 waits for both and reads. Warps 2 and 3 do not
  // participate.
  const std::vector<std::uint32_t> out = run(kernel_of(R"(
  mov.u32 %r10, s;
  shl.b32 %r11, %r4, 2;
  add.u32 %r12, %r10, %r11;
  setp.ge.u32 %p1, %r4, 64;
  @%p1 exit;
  setp.ge.u32 %p1, %r4, 32;
  @%p1 bra CONSUME;
  add.u32 %r13, %r4, 500;
  st.shared.u32 [%r12], %r13;
  bar.arrive 3, 64;
  exit;
CONSUME:
  bar.sync 3, 64;
  ld.shared.u32 %r14, [%r12+-128];
  st.global.u32 [%rd2], %r14;
  ret;)",
                                                       kShared),
                                             1, 128, 128);
  for (std::uint32_t i = 32; i < 64; ++i) EXPECT_EQ(out[i], 500 + i - 32);
}

TEST(Barrier, CountsAndCombinesAPredicateOverTheBlock) {
  const std::vector<std::uint32_t> out = run(kernel_of(R"(
  rem.u32 %r5, %r4, 5;
  setp.eq.u32 %p1, %r5, 0;
  barrier.red.popc.u32 %r6, 1, %p1;
  barrier.red.and.pred %p2, 1, %p1;
  barrier.red.or.pred %p3, 1, %p1;
  setp.lt.u32 %p4, %r4, 1000;
  barrier.red.and.pred %p5, 1, %p4;
  selp.u32 %r7, 1, 0, %p2;
  selp.u32 %r8, 2, 0, %p3;
  selp.u32 %r9, 4, 0, %p5;
  add.u32 %r7, %r7, %r8;
  add.u32 %r7, %r7, %r9;
  mad.lo.u32 %r6, %r6, 16, %r7;
  st.global.u32 [%rd2], %r6;
  ret;)"),
                                             1, 128, 128);
  for (std::uint32_t i = 0; i < 128; ++i) EXPECT_EQ(out[i], 26u * 16 + 2 + 4) << i;
}

TEST(Barrier, LetsDivergedPathsWaitAtDifferentBarriers) {
  const std::vector<std::uint32_t> out = run(kernel_of(R"(
  mov.u32 %r10, s;
  shl.b32 %r11, %r4, 2;
  add.u32 %r12, %r10, %r11;
  and.b32 %r5, %r4, 1;
  setp.eq.u32 %p1, %r5, 0;
  @%p1 bra EVEN;
  st.shared.u32 [%r12], 7;
  barrier.sync 0;
  ld.shared.u32 %r6, [%r12+-4];
  bra J;
EVEN:
  st.shared.u32 [%r12], 9;
  barrier.sync 0;
  ld.shared.u32 %r6, [%r12+4];
J: st.global.u32 [%rd2], %r6;
  ret;)",
                                                       kShared),
                                             1, 64, 64);
  for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(out[i], i % 2 == 0 ? 7u : 9u) << i;
}

TEST(Barrier, LetsDivergedPathsMeetAtAWarpBarrier) {
  const std::vector<std::uint32_t> out = run(kernel_of(R"(
  mov.u32 %r10, s;
  shl.b32 %r11, %r4, 2;
  add.u32 %r12, %r10, %r11;
  and.b32 %r5, %r4, 1;
  setp.eq.u32 %p1, %r5, 0;
  @%p1 bra EVEN;
  st.shared.u32 [%r12], 7;
  bar.warp.sync 0xffffffff;
  ld.shared.u32 %r6, [%r12+-4];
  bra J;
EVEN:
  st.shared.u32 [%r12], 9;
  bar.warp.sync 0xffffffff;
  ld.shared.u32 %r6, [%r12+4];
J: st.global.u32 [%rd2], %r6;
  ret;)",
                                                       kShared),
                                             1, 64, 64);
  for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(out[i], i % 2 == 0 ? 7u : 9u) << i;
}

TEST(Barrier, ReportsWhereEachWarpWaitsInADeadlock) {
  const std::string fault = fault_of(kernel_of(R"(
  setp.lt.u32 %p1, %r4, 32;
  @%p1 bra A;
  bar.sync 1, 64;
  exit;
A: bar.sync 2, 64;
  ret;)"),
                                     2, 64);
  EXPECT_THAT(fault, HasSubstr("kernel 'k': deadlock: block (0,0,0) can never finish"));
  EXPECT_THAT(fault, HasSubstr("barrier 1: 32 of 64 threads have arrived; waiting: warp 1; not "
                               "waiting there: warp 0"));
  EXPECT_THAT(fault, HasSubstr("barrier 2: 32 of 64 threads have arrived; waiting: warp 0; not "
                               "waiting there: warp 1"));
  EXPECT_THAT(fault,
              HasSubstr("at test.ptx:25, barrier, waiting at barrier 2: block (0,0,0), warp 0"));
  EXPECT_THAT(fault,
              HasSubstr("at test.ptx:23, barrier, waiting at barrier 1: block (0,0,0), warp 1"));
}

TEST(Barrier, FaultsOnInvalidNumberOrCount) {
  EXPECT_THAT(fault_of(kernel_of("  bar.sync %r4;\n  ret;"), 1, 32),
              HasSubstr("the number of a barrier differs between threads of a warp: 0 and 1"));
  EXPECT_THAT(fault_of(kernel_of("  mov.u32 %r5, 16;\n  bar.sync %r5;\n  ret;"), 1, 32),
              HasSubstr("barrier 16 does not exist"));
  EXPECT_THAT(fault_of(kernel_of("  mov.u32 %r5, 40;\n  bar.sync 0, %r5;\n  ret;"), 1, 64),
              HasSubstr("must be a multiple of 32"));
}

}  // namespace
}  // namespace heddle::device::test
