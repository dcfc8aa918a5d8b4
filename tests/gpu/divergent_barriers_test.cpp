// Barriers in divergent code, under every divergence policy.

#include "gpu/kernel_of_words.h"

namespace heddle::gpu::test {
namespace {

/// PTX that sets %r11 to the address of the thread's word in shared memory, and %r10 to the address
/// of the first word.
const std::string kSharedAddress =
    "mov.u32 %r10, s;\n shl.b32 %r11, %r4, 2;\n add.u32 %r11, %r10, %r11;\n";
const std::string kShared = ".shared .align 4 .b32 s[1024];\n";

TEST(DivergentBarriers, MakeEarlierStoresVisible) {
  expect_everywhere(
      {.body = kSharedAddress + R"(
  st.shared.u32 [%r11], %r1;
  bar.sync 0;
  sub.u32 %r13, %r3, 1;
  sub.u32 %r13, %r13, %r4;
  shl.b32 %r13, %r13, 2;
  add.u32 %r13, %r10, %r13;
  ld.shared.u32 %r14, [%r13];
  st.global.u32 [%rd2], %r14;
  ret;)",
       .declarations = kShared,
       .expected = [](auto block, auto thread,
                      auto threads) { return block * threads + threads - 1 - thread; }},
      {32, 48, 96, 128, 320});
}

TEST(DivergentBarriers, WithDifferentNumbersAreIndependent) {
  // Each pair of warps has its own barrier and number of iterations, and exchanges a word in every
  // iteration.
  expect_everywhere({.body = kSharedAddress + R"(
  shr.u32 %r12, %r4, 6;
  add.u32 %r13, %r12, 1;
  mul.lo.u32 %r14, %r13, 3;
  xor.b32 %r15, %r4, 32;
  shl.b32 %r15, %r15, 2;
  add.u32 %r15, %r10, %r15;
  mov.u32 %r16, %r1;
LOOP:
  st.shared.u32 [%r11], %r16;
  bar.sync %r13, 64;
  ld.shared.u32 %r16, [%r15];
  add.u32 %r16, %r16, 1000;
  bar.sync %r13, 64;
  sub.u32 %r14, %r14, 1;
  setp.ne.u32 %p1, %r14, 0;
  @%p1 bra LOOP;
  st.global.u32 [%rd2], %r16;
  ret;)",
                     .declarations = kShared,
                     .expected =
                         [](auto block, auto thread, auto threads) {
                           const std::uint32_t turns = (thread / 64 + 1) * 3;
                           const std::uint32_t from = turns % 2 == 0 ? thread : thread ^ 32;
                           return block * threads + from + 1000 * turns;
                         }},
                    {64, 128, 320});
}

TEST(DivergentBarriers, OnBothSidesOfABranchSynchroniseEvenAndOddWarps) {
  expect_everywhere({.body = kSharedAddress + R"(
  st.shared.u32 [%r11], %r1;
  xor.b32 %r12, %r4, 64;
  shl.b32 %r12, %r12, 2;
  add.u32 %r12, %r10, %r12;
  and.b32 %r13, %r4, 32;
  setp.eq.u32 %p1, %r13, 0;
  @%p1 bra EVEN;
  bar.sync 1, 64;
  ld.shared.u32 %r14, [%r12];
  add.u32 %r14, %r14, 7000;
  bra JOIN;
EVEN:
  bar.sync 2, 64;
  ld.shared.u32 %r14, [%r12];
JOIN:
  bar.sync 0;
  st.global.u32 [%rd2], %r14;
  ret;)",
                     .declarations = kShared,
                     .expected =
                         [](auto block, auto thread, auto threads) {
                           return block * threads + (thread ^ 64) + (thread & 32 ? 7000 : 0);
                         }},
                    {128});
}

TEST(DivergentBarriers, WithACountSynchroniseSomeWarps) {
  expect_everywhere(
      {.body = kSharedAddress + R"(
  st.shared.u32 [%r11], %r1;
  mov.u32 %r14, 5;
  setp.ge.u32 %p1, %r4, 64;
  @%p1 bra JOIN;
  bar.sync 3, 64;
  xor.b32 %r12, %r4, 63;
  shl.b32 %r12, %r12, 2;
  add.u32 %r12, %r10, %r12;
  ld.shared.u32 %r14, [%r12];
JOIN:
  bar.sync 0;
  st.global.u32 [%rd2], %r14;
  ret;)",
       .declarations = kShared,
       .expected = [](auto block, auto thread,
                      auto threads) { return thread < 64 ? block * threads + (thread ^ 63) : 5; }},
      {64, 96, 128, 320});
}

TEST(DivergentBarriers, DoNotWaitForExitedThreads) {
  // All threads from the third warp on exit, and two of every three threads of the first warp.
  expect_everywhere({.body = kSharedAddress + R"(
  setp.ge.u32 %p1, %r4, 64;
  @%p1 exit;
  rem.u32 %r12, %r4, 3;
  setp.ne.u32 %p2, %r12, 0;
  setp.lt.and.u32 %p3, %r4, 32, %p2;
  @%p3 exit;
  st.shared.u32 [%r11], %r1;
  bar.sync 0;
  ld.shared.u32 %r14, [%r10+128];
  st.global.u32 [%rd2], %r14;
  ret;)",
                     .declarations = kShared,
                     .expected = [](auto block, auto thread, auto threads) -> std::uint32_t {
                       if (thread >= 64 || (thread < 32 && thread % 3 != 0)) return 0;
                       return block * threads + 32;
                     }},
                    {64, 96, 128, 320});
}

TEST(DivergentBarriers, ReleaseWaitingWarpsWhenALateWarpExits) {
  expect_everywhere({.body = R"(
  setp.ge.u32 %p1, %r4, 32;
  @%p1 bra WAIT;
  mov.u32 %r20, 0;
LOOP: add.u32 %r20, %r20, 1;
  setp.lt.u32 %p2, %r20, 100;
  @%p2 bra LOOP;
  exit;
WAIT: bar.sync 0;
  st.global.u32 [%rd2], 1;
  ret;)",
                     .expected = [](auto, auto thread, auto) { return thread < 32 ? 0U : 1U; }},
                    {64, 96, 128, 320});
}

TEST(DivergentBarriers, HandOverABufferFromProducerToConsumer) {
  // Warp 0 fills a buffer for warp 1, ten times; the other warps take no part.
  expect_everywhere({.body = R"(
  mov.u32 %r10, s;
  and.b32 %r12, %r4, 31;
  shl.b32 %r11, %r12, 2;
  add.u32 %r11, %r10, %r11;
  mov.u32 %r20, 10;
  mov.u32 %r21, 0;
  setp.ge.u32 %p1, %r4, 64;
  @%p1 bra END;
  setp.ge.u32 %p1, %r4, 32;
  @%p1 bra CONSUME;
PRODUCE:
  bar.sync 1, 64;
  mad.lo.u32 %r13, %r20, 100, %r12;
  st.shared.u32 [%r11], %r13;
  bar.arrive 2, 64;
  sub.u32 %r20, %r20, 1;
  setp.ne.u32 %p2, %r20, 0;
  @%p2 bra PRODUCE;
  bra END;
CONSUME:
  bar.arrive 1, 64;
  bar.sync 2, 64;
  ld.shared.u32 %r14, [%r11];
  add.u32 %r21, %r21, %r14;
  sub.u32 %r20, %r20, 1;
  setp.ne.u32 %p2, %r20, 0;
  @%p2 bra CONSUME;
END:
  st.global.u32 [%rd2], %r21;
  ret;)",
                     .declarations = kShared,
                     .expected = [](auto, auto thread, auto) -> std::uint32_t {
                       if (thread < 32 || thread >= 64) return 0;
                       return 5500 + 10 * (thread - 32);
                     }},
                    {64, 96, 128, 320});
}

/// PTX for the second warp: lane n stores 500 + n in shared memory, at %r11.
const std::string kStoreWord = "add.u32 %r12, %r4, 468;\n st.shared.u32 [%r11], %r12;\n";
/// PTX for the first warp: it loads the words that the second warp stored.
const std::string kLoadWord = "ld.shared.u32 %r14, [%r11+128];\n st.global.u32 [%rd2], %r14;\n";

void expect_word_received(const std::string& body) {
  expect_everywhere(
      {.body = kSharedAddress + "setp.lt.u32 %p1, %r4, 32;\n" + body,
       .declarations = kShared,
       .expected = [](auto, auto thread, auto) { return thread < 32 ? 500 + thread : 0U; }},
      {64});
}

TEST(DivergentBarriers, MayWaitForWarpsOnTheOtherSideOfABranch) {
  // The first warp exits on its side of the branch; the other side is where the remaining warps
  // reconverge.
  for (const std::string barrier : {"bar.sync 0;\n", "bar.sync 1, 64;\n"}) {
    expect_word_received("@!%p1 bra REST;\n" + barrier + kLoadWord + "ret;\nREST:\n" + kStoreWord +
                         barrier + "ret;\n");
  }
}

TEST(DivergentBarriers, MayWaitForWarpsPastTheReconvergencePoint) {
  expect_word_received("@!%p1 bra REST;\n bar.sync 1, 64;\n" + kLoadWord + "REST: @%p1 bra END;\n" +
                       kStoreWord + "bar.arrive 1, 64;\nEND: ret;\n");
}

TEST(DivergentBarriers, LetWarpsThatTheirGuardExcludesContinue) {
  expect_word_received("@%p1 bar.sync 1, 64;\n @!%p1 bra LEAVE;\n" + kLoadWord + "ret;\nLEAVE:\n" +
                       kStoreWord + "bar.arrive 1, 64;\n ret;\n");
}

TEST(DivergentBarriers, SynchroniseWarpsThatRanAhead) {
  // Every warp except the last waits for its successor, which arrives after its own wait. Warps are
  // therefore released from the last to the first. Then all warps meet at barrier 0.
  expect_everywhere(
      {.body = kSharedAddress + R"(
  shr.u32 %r12, %r4, 5;
  add.u32 %r13, %r12, 1;
  shr.u32 %r15, %r3, 5;
  st.shared.u32 [%r11], %r1;
  setp.ne.u32 %p1, %r13, %r15;
  @!%p1 bra LAST;
  bar.sync %r13, 64;
LAST:
  setp.eq.u32 %p2, %r12, 0;
  @%p2 bra FIRST;
  bar.arrive %r12, 64;
FIRST:
  bar.sync 0;
  sub.u32 %r13, %r3, 1;
  sub.u32 %r13, %r13, %r4;
  shl.b32 %r13, %r13, 2;
  add.u32 %r13, %r10, %r13;
  ld.shared.u32 %r14, [%r13];
  st.global.u32 [%rd2], %r14;
  ret;)",
       .declarations = kShared,
       .expected = [](auto block, auto thread,
                      auto threads) { return block * threads + threads - 1 - thread; }},
      {64, 96, 128, 320});
}

TEST(DivergentBarriers, ReconvergeLanesThatSkipOneWithThoseThatWait) {
  // A whole warp waits as soon as some of its lanes have arrived. After the branch, all lanes
  // execute the addition together.
  expect_everywhere({.body = R"(
  and.b32 %r5, %r4, 31;
  setp.ge.u32 %p1, %r5, 16;
  @%p1 bra MEET;
  bar.sync 0;
  add.u32 %r5, %r5, 1000;
MEET:
  redux.sync.add.u32 %r6, %r5, 0xffffffff;
  st.global.u32 [%rd2], %r6;
  ret;)",
                     .expected = [](auto, auto, auto) { return 496U + 16 * 1000; }},
                    {32, 96, 128, 320});
}

TEST(DivergentBarriers, MayBeOnBothSidesOfADivergentBranch) {
  expect_everywhere({.body = kSharedAddress + R"(
  and.b32 %r5, %r4, 1;
  setp.eq.u32 %p1, %r5, 0;
  @%p1 bra EVEN;
  st.shared.u32 [%r11], 7;
  barrier.sync 0;
  ld.shared.u32 %r6, [%r11+-4];
  bra J;
EVEN:
  st.shared.u32 [%r11], 9;
  barrier.sync 0;
  ld.shared.u32 %r6, [%r11+4];
J: st.global.u32 [%rd2], %r6;
  ret;)",
                     .declarations = kShared,
                     .expected = [](auto, auto thread, auto) { return thread % 2 == 0 ? 7U : 9U; }},
                    {32, 48, 96, 128, 320});
}

TEST(DivergentBarriers, ReducePredicatesOfBothSides) {
  // Odd and even threads execute different barrier instructions. Each barrier counts the threads of
  // both sides whose numbers are multiples of 5.
  const auto reductions = [](const std::string& number) {
    return "barrier.red.popc.u32 %r6, 1, %p1;\n barrier.red.and.pred %p2, 1, %p1;\n"
           "barrier.red.or.pred %p3, 1, %p1;\n mov.u32 %r7, " +
           number + ";\n";
  };
  expect_everywhere({.body = R"(
  rem.u32 %r5, %r4, 5;
  setp.eq.u32 %p1, %r5, 0;
  and.b32 %r5, %r4, 1;
  setp.eq.u32 %p4, %r5, 0;
  @%p4 bra EVEN;
)" + reductions("1") + "bra J;\nEVEN:\n" +
                             reductions("2") + R"(
J:
  selp.u32 %r8, 8, 0, %p2;
  selp.u32 %r9, 4, 0, %p3;
  add.u32 %r7, %r7, %r8;
  add.u32 %r7, %r7, %r9;
  mad.lo.u32 %r6, %r6, 16, %r7;
  st.global.u32 [%rd2], %r6;
  ret;)",
                     .expected =
                         [](auto, auto thread, auto threads) {
                           return (threads + 4) / 5 * 16 + 4 + (thread % 2 == 0 ? 2 : 1);
                         }},
                    {32, 48, 96, 128, 320});
}

TEST(DivergentWarpBarriers, MayBeOnBothSidesOfABranch) {
  expect_everywhere({.body = kSharedAddress + R"(
  and.b32 %r5, %r4, 1;
  setp.eq.u32 %p1, %r5, 0;
  @%p1 bra EVEN;
  st.shared.u32 [%r11], 7;
  bar.warp.sync 0xffffffff;
  ld.shared.u32 %r6, [%r11+-4];
  bra J;
EVEN:
  st.shared.u32 [%r11], 9;
  bar.warp.sync 0xffffffff;
  ld.shared.u32 %r6, [%r11+4];
J: st.global.u32 [%rd2], %r6;
  ret;)",
                     .declarations = kShared,
                     .expected = [](auto, auto thread, auto) { return thread % 2 == 0 ? 7U : 9U; }},
                    {32, 48, 96, 128, 320});
}

TEST(DivergentBarriers, SupportATreeReduction) {
  expect_everywhere(
      {.body = kSharedAddress + R"(
  add.u32 %r12, %r4, 1;
  st.shared.u32 [%r11], %r12;
  mov.u32 %r13, 512;
LOOP:
  bar.sync 0;
  add.u32 %r14, %r4, %r13;
  setp.lt.u32 %p1, %r4, %r13;
  setp.lt.and.u32 %p1, %r14, %r3, %p1;
  @!%p1 bra NEXT;
  shl.b32 %r14, %r14, 2;
  add.u32 %r14, %r10, %r14;
  ld.shared.u32 %r15, [%r14];
  ld.shared.u32 %r16, [%r11];
  add.u32 %r15, %r15, %r16;
  st.shared.u32 [%r11], %r15;
NEXT:
  shr.u32 %r13, %r13, 1;
  setp.ne.u32 %p1, %r13, 0;
  @%p1 bra LOOP;
  bar.sync 0;
  ld.shared.u32 %r15, [%r10];
  st.global.u32 [%rd2], %r15;
  ret;)",
       .declarations = kShared,
       .expected = [](auto, auto, auto threads) { return threads * (threads + 1) / 2; }},
      {32, 48, 96, 128, 320});
}

}  // namespace
}  // namespace heddle::gpu::test
