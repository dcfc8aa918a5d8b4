// Cross-lane instructions, calls and multi-way branches in divergent code. Each thread computes the
// right values under every divergence policy.

#include "gpu/kernel_of_words.h"

namespace heddle::gpu::test {
namespace {

/// A thread's input value in the tests below.
std::uint32_t value_of(std::uint32_t block, std::uint32_t thread, std::uint32_t threads) {
  return (block * threads + thread) * 2654435761U >> 20;
}

TEST(CrossLaneInstructions, ExchangeValuesWithinTheirMask) {
  // In every even-numbered warp, the lanes whose numbers are multiples of 3 exchange values.
  expect_everywhere({.body = R"(
  mul.lo.u32 %r5, %r1, 2654435761;
  shr.u32 %r5, %r5, 20;
  and.b32 %r6, %r4, 31;
  rem.u32 %r7, %r6, 3;
  shr.u32 %r8, %r4, 5;
  and.b32 %r8, %r8, 1;
  add.u32 %r7, %r7, %r8;
  mov.u32 %r20, 77;
  setp.ne.u32 %p1, %r7, 0;
  @%p1 bra J;
  and.b32 %r9, %r5, 1;
  setp.ne.u32 %p2, %r9, 0;
  vote.sync.ballot.b32 %r20, %p2, 0x49249249;
  shfl.sync.idx.b32 %r21, %r5, 6, 31, 0x49249249;
  shfl.sync.bfly.b32 %r22, %r5, 3, 31, 0x49249249;
  rem.u32 %r23, %r5, 3;
  match.any.sync.b32 %r24, %r23, 0x49249249;
  redux.sync.add.u32 %r25, %r5, 0x49249249;
  mul.lo.u32 %r21, %r21, 3;
  mul.lo.u32 %r24, %r24, 7;
  mul.lo.u32 %r25, %r25, 11;
  add.u32 %r20, %r20, %r21;
  add.u32 %r20, %r20, %r24;
  add.u32 %r20, %r20, %r25;
J: st.global.u32 [%rd2], %r20;
  ret;)",
                     .expected = [](auto block, auto thread, auto threads) -> std::uint32_t {
                       if (thread % 32 % 3 != 0 || thread / 32 % 2 != 0) return 77;
                       const std::uint32_t first = thread / 32 * 32;
                       const std::uint32_t own_value = value_of(block, thread, threads);
                       std::uint32_t odd = 0, same = 0, sum = 0;
                       for (std::uint32_t lane = 0; lane < 32 && first + lane < threads;
                            lane += 3) {
                         const std::uint32_t value = value_of(block, first + lane, threads);
                         if (value % 2 != 0) odd |= 1U << lane;
                         if (value % 3 == own_value % 3) same |= 1U << lane;
                         sum += value;
                       }
                       return odd + 3 * value_of(block, first + 6, threads) + 7 * same + 11 * sum;
                     }},
                    {32, 96, 128, 320});
}

TEST(CrossLaneInstructions, ExchangeValuesInALoopThatLanesLeaveOneByOne) {
  // Lane i executes i iterations. Iteration n (from 1) adds up the numbers of the lanes that are
  // still in the loop, that is lanes n to 31; the mask of the instruction names these lanes.
  expect_everywhere({.body = R"(
  and.b32 %r5, %r4, 31;
  mov.u32 %r6, 0;
  mov.u32 %r7, 0;
LOOP:
  setp.eq.u32 %p1, %r5, %r6;
  @%p1 bra OUT;
  add.u32 %r6, %r6, 1;
  mov.u32 %r8, 0xffffffff;
  shl.b32 %r8, %r8, %r6;
  redux.sync.add.u32 %r9, %r5, %r8;
  add.u32 %r7, %r7, %r9;
  bra LOOP;
OUT:
  st.global.u32 [%rd2], %r7;
  ret;)",
                     .expected =
                         [](auto, auto thread, auto) {
                           std::uint32_t sum = 0;
                           for (std::uint32_t turn = 1; turn <= thread % 32; ++turn) {
                             for (std::uint32_t lane = turn; lane < 32; ++lane) sum += lane;
                           }
                           return sum;
                         }},
                    {32, 96, 128, 320});
}

TEST(DivergentCalls, ThroughATableReturnToTheirCallers) {
  std::string functions;
  for (int i = 0; i < 4; ++i) {
    functions += ".func (.param .u32 out) f" + std::to_string(i) + R"((.param .u32 n)
{
  .reg .b32 %r<3>;
  ld.param.u32 %r1, [n];
  mad.lo.u32 %r2, %r1, )" +
                 std::to_string(10 * (i + 1)) + ", " + std::to_string(i) + R"(;
  st.param.u32 [out], %r2;
  ret;
}
)";
  }
  functions += ".global .align 8 .u64 table[4] = {f0, f1, f2, f3};\n";
  expect_everywhere({.body = R"(
  mul.lo.u32 %r5, %r4, 7;
  shr.u32 %r5, %r5, 3;
  and.b32 %r5, %r5, 3;
  mul.wide.u32 %rd4, %r5, 8;
  mov.u64 %rd5, table;
  add.u64 %rd4, %rd5, %rd4;
  ld.global.u64 %rd6, [%rd4];
  { .param .u32 a; .param .u32 b;
    st.param.u32 [a], %r1;
    proto: .callprototype (.param .u32 _) _ (.param .u32 _);
    call (b), %rd6, (a), proto;
    ld.param.u32 %r6, [b]; }
  st.global.u32 [%rd2], %r6;
  ret;)",
                     .declarations = functions,
                     .expected =
                         [](auto block, auto thread, auto threads) {
                           const std::uint32_t which = thread * 7 / 8 % 4;
                           return (block * threads + thread) * 10 * (which + 1) + which;
                         }},
                    {32, 48, 96, 128, 320});
}

TEST(DivergentCalls, RecurseToDifferentDepths) {
  const std::string factorial = R"(
.func (.param .u32 out) fact(.param .u32 n)
{
  .reg .pred %p<2>;
  .reg .b32 %r<6>;
  .local .align 4 .b32 l[1];
  ld.param.u32 %r1, [n];
  st.local.u32 [l], %r1;
  setp.le.u32 %p1, %r1, 1;
  @%p1 bra ONE;
  sub.u32 %r2, %r1, 1;
  { .param .u32 a; .param .u32 b;
    st.param.u32 [a], %r2;
    call.uni (b), fact, (a);
    ld.param.u32 %r3, [b]; }
  ld.local.u32 %r5, [l];
  mul.lo.u32 %r4, %r3, %r5;
  st.param.u32 [out], %r4;
  ret;
ONE:
  st.param.u32 [out], 1;
  ret;
}
)";
  expect_everywhere({.body = R"(
  rem.u32 %r5, %r1, 11;
  { .param .u32 a; .param .u32 b;
    st.param.u32 [a], %r5;
    call.uni (b), fact, (a);
    ld.param.u32 %r6, [b]; }
  st.global.u32 [%rd2], %r6;
  ret;)",
                     .declarations = factorial,
                     .expected =
                         [](auto block, auto thread, auto threads) {
                           std::uint32_t product = 1;
                           for (std::uint32_t i = 2; i <= (block * threads + thread) % 11; ++i) {
                             product *= i;
                           }
                           return product;
                         }},
                    {32, 48, 96, 128, 320});
}

TEST(DivergentCalls, AllocateStackSpacePerThread) {
  // A thread allocates 32 bytes, 96 bytes or nothing, depending on its number modulo 3. It frees
  // the bytes again.
  const auto takes = [](const std::string& label, int bytes) {
    return label + ": stacksave.u64 %rd10;\n alloca.u64 %rd11, " + std::to_string(bytes) + R"(, 16;
  st.local.u32 [%rd11], %r1;
  st.local.u32 [%rd11+)" +
           std::to_string(bytes - 4) + R"(], %r4;
  ld.local.u32 %r6, [%rd11];
  ld.local.u32 %r7, [%rd11+)" +
           std::to_string(bytes - 4) + R"(];
  add.u32 %r6, %r6, %r7;
  stackrestore.u64 %rd10;
  bra J;
)";
  };
  expect_everywhere({.body = R"(
  rem.u32 %r5, %r4, 3;
  mov.u32 %r6, 9;
  setp.eq.u32 %p1, %r5, 0;
  @%p1 bra SMALL;
  setp.eq.u32 %p1, %r5, 1;
  @%p1 bra LARGE;
  bra J;
)" + takes("SMALL", 32) + takes("LARGE", 96) +
                             R"(J: st.global.u32 [%rd2], %r6;
  ret;)",
                     .expected =
                         [](auto block, auto thread, auto threads) {
                           return thread % 3 == 2 ? 9 : block * threads + 2 * thread;
                         }},
                    {32, 48, 96, 320});
}

TEST(DivergentBranches, WithManyTargetsReconverge) {
  expect_everywhere(
      {.body = R"(
  rem.u32 %r5, %r1, 3;
  mov.u32 %r8, 4;
  mov.u32 %r6, 0;
LOOP:
  ts: .branchtargets L0, L1, L2;
  brx.idx %r5, ts;
L0: add.u32 %r6, %r6, 100; bra J;
L1: mad.lo.u32 %r6, %r6, 2, 200; bra J;
L2: add.u32 %r6, %r6, %r4;
J:
  add.u32 %r5, %r5, 1;
  rem.u32 %r5, %r5, 3;
  sub.u32 %r8, %r8, 1;
  setp.ne.u32 %p1, %r8, 0;
  @%p1 bra LOOP;
  st.global.u32 [%rd2], %r6;
  ret;)",
       .expected =
           [](auto block, auto thread, auto threads) {
             std::uint32_t value = 0;
             std::uint32_t target = (block * threads + thread) % 3;
             for (int turn = 0; turn < 4; ++turn, target = (target + 1) % 3) {
               value = target == 0 ? value + 100 : target == 1 ? 2 * value + 200 : value + thread;
             }
             return value;
           }},
      {32, 48, 96, 128, 320});
}

}  // namespace
}  // namespace heddle::gpu::test
