// Divergence: warps whose threads take different paths compute the same as each thread alone.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "device/ptx_text.h"

namespace heddle::device::test {
namespace {

/// A random program of basic blocks. Each block mixes its number into the thread's value, counts a
/// step, and branches to one of two blocks by a bit of the value. A thread ends at block 0 or when
/// its steps are used up.
struct RandomProgram {
  struct Block {
    std::uint32_t constant;
    std::uint32_t bit;
    std::size_t taken, other;
    enum class End { branch, exit, jump } end;
  };
  std::vector<Block> blocks;

  explicit RandomProgram(unsigned seed) {
    std::mt19937 random(seed);
    const std::size_t count = 2 + random() % 24;
    // Some programs branch mostly forward, like compiled code; others anywhere (irreducible
    // loops).
    const bool structured = random() % 2 == 0;
    for (std::size_t i = 0; i < count; ++i) {
      const auto target = [&]() -> std::size_t {
        if (structured && random() % 6 != 0) return std::min(count - 1, i + 1 + random() % 3);
        return random() % count;
      };
      Block block{.constant = static_cast<std::uint32_t>(random()),
                  .bit = static_cast<std::uint32_t>(random() % 32),
                  .taken = target(),
                  .other = target(),
                  .end = Block::End::branch};
      if (random() % 12 == 0) block.end = Block::End::exit;
      if (random() % 8 == 0) block.end = Block::End::jump;
      blocks.push_back(block);
    }
    blocks.back().end = Block::End::exit;
  }

  static constexpr std::uint32_t kSteps = 60;

  /// The result of the thread with the given value, computed on the host.
  std::uint32_t run_on_host(std::uint32_t value) const {
    std::size_t at = 0;
    for (std::uint32_t step = kSteps; step > 0; --step) {
      const Block& block = blocks[at];
      value = (value ^ block.constant) * 2654435761U + 12345;
      if (block.end == Block::End::exit) return value;
      const bool is_taken = block.end == Block::End::jump || (value >> block.bit & 1) != 0;
      at = is_taken ? block.taken : block.other;
    }
    return value ^ 0xffffffff;  // Out of steps.
  }

  std::string ptx() const {
    std::string body = fmt::format("  mov.u32 %r10, %r1;\n  mov.u32 %r11, {};\n", kSteps);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const Block& block = blocks[i];
      body += fmt::format(
          "B{}:\n  setp.eq.u32 %p1, %r11, 0;\n  @%p1 bra OUT;\n  sub.u32 %r11, %r11, 1;\n"
          "  xor.b32 %r10, %r10, {};\n  mad.lo.u32 %r10, %r10, 2654435761, 12345;\n",
          i, block.constant);
      switch (block.end) {
        case Block::End::exit:
          body += "  st.global.u32 [%rd2], %r10;\n  exit;\n";
          break;
        case Block::End::jump:
          body += fmt::format("  bra B{};\n", block.taken);
          break;
        case Block::End::branch:
          body += fmt::format(
              "  shr.u32 %r12, %r10, {};\n  and.b32 %r12, %r12, 1;\n  setp.ne.u32 %p2, %r12, 0;\n"
              "  @%p2 bra B{};\n  bra B{};\n",
              block.bit, block.taken, block.other);
          break;
      }
    }
    body += "OUT:\n  not.b32 %r10, %r10;\n  st.global.u32 [%rd2], %r10;\n  ret;\n";
    return kernel_of(body);
  }
};

TEST(Divergence, ComputesTheSameAsEachThreadAlone) {
  constexpr std::uint32_t kThreads = 96;
  for (unsigned seed = 0; seed < 300; ++seed) {
    const RandomProgram program(seed);
    const std::vector<std::uint32_t> out = run(program.ptx(), 1, kThreads, kThreads);
    for (std::uint32_t thread = 0; thread < kThreads; ++thread) {
      ASSERT_EQ(out[thread], program.run_on_host(thread))
          << "seed " << seed << ", thread " << thread << "\n"
          << program.ptx();
    }
  }
}

TEST(Divergence, ReconvergesAfterAnIf) {
  // After an if/else, activemask must contain all lanes again.
  const std::vector<std::uint32_t> out = run(kernel_of(R"(
  and.b32 %r5, %r1, 3;
  setp.lt.u32 %p1, %r5, 2;
  @%p1 bra A;
  activemask.b32 %r6;
  bra J;
A: activemask.b32 %r6;
J: activemask.b32 %r7;
  shl.b32 %r8, %r1, 3;
  cvt.u64.u32 %rd3, %r8;
  add.u64 %rd3, %rd1, %rd3;
  st.global.v2.u32 [%rd3], {%r6, %r7};
  ret;)"),
                                             1, 32, 64);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(out[lane * 2], lane % 4 < 2 ? 0x33333333u : 0xccccccccu);
    EXPECT_EQ(out[lane * 2 + 1], 0xffffffffu);
  }
}

TEST(Divergence, LeavesMissingLanesOfPartialWarpInactive) {
  const std::vector<std::uint32_t> out = run(kernel_of(R"(
  activemask.b32 %r6;
  st.global.u32 [%rd2], %r6;
  ret;)"),
                                             1, 40, 40);
  EXPECT_EQ(out[0], 0xffffffffu);
  EXPECT_EQ(out[39], 0xffu);
}

TEST(Divergence, AllowsADifferentRecursionDepthForEachThread) {
  const std::string factorial = R"(
.func (.param .u32 out) fact(.param .u32 n)
{
  .reg .pred %p<2>;
  .reg .b32 %r<6>;
  ld.param.u32 %r1, [n];
  setp.le.u32 %p1, %r1, 1;
  @%p1 bra ONE;
  sub.u32 %r2, %r1, 1;
  { .param .u32 a; .param .u32 b;
    st.param.u32 [a], %r2;
    call.uni (b), fact, (a);
    ld.param.u32 %r3, [b]; }
  mul.lo.u32 %r4, %r3, %r1;
  st.param.u32 [out], %r4;
  ret;
ONE:
  st.param.u32 [out], 1;
  ret;
}
)";
  const std::vector<std::uint32_t> out = run(kernel_of(R"(
  rem.u32 %r5, %r1, 11;
  { .param .u32 a; .param .u32 b;
    st.param.u32 [a], %r5;
    call.uni (b), fact, (a);
    ld.param.u32 %r6, [b]; }
  st.global.u32 [%rd2], %r6;
  ret;)",
                                                       factorial),
                                             1, 64, 64);
  for (std::uint32_t thread = 0; thread < 64; ++thread) {
    std::uint32_t expected = 1;
    for (std::uint32_t i = 2; i <= thread % 11; ++i) expected *= i;
    EXPECT_EQ(out[thread], expected) << thread;
  }
}

TEST(Divergence, AllowsMutualRecursionWithoutParameters) {
  const std::string functions = R"(
.global .u32 count;
.func inner() { .reg .b64 %rd<2>; .reg .b32 %r<2>; mov.u64 %rd1, count;
  atom.global.add.u32 %r1, [%rd1], 1; ret; }
.func outer() { call.uni inner; call.uni inner; ret; }
)";
  const std::vector<std::uint32_t> out = run(kernel_of(R"(
  setp.lt.u32 %p1, %r1, 5;
  @%p1 call outer;
  mov.u64 %rd3, count;
  ld.global.u32 %r6, [%rd3];
  st.global.u32 [%rd2], %r6;
  ret;)",
                                                       functions),
                                             1, 32, 32);
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(out[lane], 10u);
}

TEST(Divergence, AllowsDifferentCalleesThroughATable) {
  std::string functions;
  for (int i = 0; i < 4; ++i) {
    functions += fmt::format(R"(
.func (.param .u32 out) f{0}(.param .u32 n)
{{
  .reg .b32 %r<3>;
  ld.param.u32 %r1, [n];
  mad.lo.u32 %r2, %r1, {1}, {0};
  st.param.u32 [out], %r2;
  ret;
}}
)",
                             i, 10 * (i + 1));
  }
  functions += ".global .align 8 .u64 table[4] = {f0, f1, f2, f3};\n";
  const std::vector<std::uint32_t> out = run(kernel_of(R"(
  and.b32 %r5, %r1, 3;
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
                                                       functions),
                                             1, 32, 32);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(out[lane], lane * 10 * (lane % 4 + 1) + lane % 4) << lane;
  }
}

TEST(Divergence, SendsEachThreadToItsTargetOfAnIndexedBranch) {
  const std::vector<std::uint32_t> out = run(kernel_of(R"(
  rem.u32 %r5, %r1, 3;
  ts: .branchtargets L0, L1, L2;
  brx.idx %r5, ts;
L0: mov.u32 %r6, 100; bra J;
L1: mov.u32 %r6, 200; bra J;
L2: mov.u32 %r6, 300;
J: activemask.b32 %r7;
  popc.b32 %r7, %r7;
  add.u32 %r6, %r6, %r7;
  st.global.u32 [%rd2], %r6;
  ret;)"),
                                             1, 32, 32);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(out[lane], 100 * (lane % 3 + 1) + 32) << "all lanes must reconverge";
  }
}

}  // namespace
}  // namespace heddle::device::test
