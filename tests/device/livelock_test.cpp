// Livelocks in launches without timing: threads that repeat steps forever without changing
// anything.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "device/ptx_text.h"
#include "gpu/sanitized.h"

namespace heddle::device::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr std::uint64_t kLimit = 50'000'000;

/// The fault's message for a kernel with the given body.
std::string livelock_of(const std::string& body, std::uint32_t blocks, std::uint32_t threads) {
  return fault_of(kernel_of(body), blocks, threads, 1024, {.max_warp_instructions = kLimit});
}

TEST(Livelock, ReportsPlaceAndAddressOfASpin) {
  EXPECT_THAT(livelock_of(R"(
WAIT:
  ld.volatile.global.u32 %r5, [%rd1+8];
  setp.eq.u32 %p1, %r5, 0;
  @%p1 bra WAIT;
  ret;)",
                          3, 64),
              AllOf(HasSubstr("kernel 'k': livelock: all threads that run repeat what they do"),
                    HasSubstr("at test.ptx:22, load, repeating 3 instructions, the last at "
                              "test.ptx:24, branch, which read 4 bytes at 0x"),
                    HasSubstr("8 bytes into 'out' (4096 bytes at 0x"), HasSubstr("that hold 0x0: "),
                    HasSubstr("block (0,0,0), warps 0 to 1; block (1,0,0), warps 0 to 1; block "
                              "(2,0,0), warps 0 to 1")));
}

TEST(Livelock, IgnoresAtomicsThatChangeNothing) {
  // The lock is never released.
  EXPECT_THAT(livelock_of(R"(
  setp.ne.u32 %p1, %r4, 0;
  @%p1 exit;
LOCK:
  atom.global.exch.b32 %r5, [%rd1], 1;
  setp.ne.u32 %p1, %r5, 0;
  @%p1 bra LOCK;
  ret;)",
                          2, 32),
              AllOf(HasSubstr("livelock"), HasSubstr("which try to change 4 bytes"),
                    HasSubstr("that hold 0x1: block (1,0,0), warp 0 lane 0")));
}

TEST(Livelock, NamesThreadsAtABarrierThatWaitForASpin) {
  EXPECT_THAT(livelock_of(R"(
  setp.lt.u32 %p1, %r4, 32;
  @!%p1 bra MEET;
WAIT:
  ld.volatile.global.u32 %r5, [%rd1];
  setp.eq.u32 %p2, %r5, 0;
  @%p2 bra WAIT;
MEET:
  bar.sync 0;
  ret;)",
                          1, 96),
              AllOf(HasSubstr("livelock"), HasSubstr("block (0,0,0), warp 0"),
                    HasSubstr("waiting at barrier 0: block (0,0,0), warps 1 to 2")));
}

TEST(Livelock, NamesThreadsOfAWarpThatStealALockFromEachOther) {
  EXPECT_THAT(
      livelock_of(R"(
LOCK:
  atom.global.cas.b32 %r5, [%rd1], 0, 1;
  setp.ne.u32 %p1, %r5, 0;
  @%p1 bra LOCK;
  atom.global.exch.b32 %r7, [%rd1], 0;
  ret;)",
                  1, 32),
      AllOf(HasSubstr("livelock"), HasSubstr("that hold 0x1: block (0,0,0), warp 0 lanes 1 to 31"),
            HasSubstr("at test.ptx:25, atomic, waiting for others on the same stack: block "
                      "(0,0,0), warp 0 lane 0"),
            HasSubstr("divergence.policy=dynamic-formation")));
}

TEST(Livelock, DetectsASpinWithAPeriodicRegister) {
  const std::string poll = R"(
.func (.param .u32 out) poll(.param .u64 at)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [at];
  ld.volatile.u32 %r1, [%rd1];
  st.param.u32 [out], %r1;
  ret;
}
)";
  // The pause between two polls goes from 1 to 7 and back.
  const std::string ptx = kernel_of(R"(
  mov.u32 %r7, 1;
WAIT:
  { .param .u64 a; .param .u32 b;
    st.param.u64 [a], %rd1;
    call.uni (b), poll, (a);
    ld.param.u32 %r5, [b]; }
  nanosleep.u32 %r7;
  add.u32 %r7, %r7, 1;
  and.b32 %r7, %r7, 7;
  setp.eq.u32 %p1, %r5, 0;
  @%p1 bra WAIT;
  ret;)",
                                    poll);
  EXPECT_THAT(fault_of(ptx, 1, 32, 16, {.max_warp_instructions = kLimit}), HasSubstr("livelock"));
}

// The following launches are not livelocks.

TEST(Livelock, IgnoresAThreadThatCounts) {
  const std::vector<std::uint32_t> out = run(kernel_of(R"(
  mov.u32 %r5, 3000000;
COUNT:
  sub.u32 %r5, %r5, 1;
  ld.volatile.global.u32 %r6, [%rd1];
  setp.ne.u32 %p1, %r5, 0;
  @%p1 bra COUNT;
  st.global.u32 [%rd2], 7;
  ret;)"),
                                             1, 32, 32);
  EXPECT_EQ(out[31], 7U);
}

TEST(Livelock, NotesALongCountingThreadOnce) {
  if (gpu::test::kSanitized) GTEST_SKIP() << "the notice comes after 100 million instructions";
  std::vector<std::string> notices;
  DeviceOptions options{.max_warp_instructions = 150'000'000};
  options.notice = [&](std::string_view text) { notices.emplace_back(text); };
  EXPECT_THAT(fault_of(kernel_of("COUNT: add.u32 %r5, %r5, 1;\n setp.ne.u32 %p1, %r5, 0;\n"
                                 "@%p1 bra COUNT;\n st.global.u32 [%rd2], %r5;\n ret;"),
                       1, 32, 32, options),
              HasSubstr("the limit"));
  EXPECT_THAT(notices, testing::ElementsAre(AllOf(
                           HasSubstr("kernel 'k' is still running, and may never end: no thread "
                                     "has changed memory in the last 1"),
                           HasSubstr("at test.ptx:20, add, running "))));
}

TEST(Livelock, AllowsLongWaitsForAWorkingThread) {
  const std::vector<std::uint32_t> out = run(kernel_of(R"(
  setp.ne.u32 %p1, %r1, 255;
  @%p1 bra WAIT;
  mov.u32 %r5, 1000000;
COUNT:
  sub.u32 %r5, %r5, 1;
  setp.ne.u32 %p2, %r5, 0;
  @%p2 bra COUNT;
  st.volatile.global.u32 [%rd1], 1;
WAIT:
  ld.volatile.global.u32 %r5, [%rd1];
  setp.eq.u32 %p3, %r5, 0;
  @%p3 bra WAIT;
  st.global.u32 [%rd2+64], 9;
  ret;)"),
                                             4, 64, 1024);
  EXPECT_EQ(out[255 + 16], 9U);
}

TEST(Livelock, IgnoresAThreadThatChangesMemory) {
  for (const char* change :
       {"st.volatile.global.u32 [%rd1+4], %r5;", "st.volatile.shared.u32 [s], %r5;",
        "atom.global.xor.b32 %r6, [%rd1+4], 1;"}) {
    const std::string ptx =
        kernel_of("WAIT: xor.b32 %r5, %r5, 1;\n" + std::string(change) +
                      "ld.volatile.global.u32 %r7, [%rd1];\n setp.eq.u32 %p1, %r7, 0;\n"
                      "@%p1 bra WAIT;\n ret;",
                  ".shared .u32 s;\n");
    EXPECT_THAT(fault_of(ptx, 1, 32, 16, {.max_warp_instructions = 10'000'000}),
                AllOf(Not(HasSubstr("livelock")), HasSubstr("the limit")))
        << change;
  }
}

TEST(Livelock, IgnoresAThreadThatReadsTheClock) {
  const std::string ptx = kernel_of(R"(
WAIT:
  mov.u32 %r5, %clock;
  setp.lt.u32 %p1, %r5, 9000000;
  @%p1 bra WAIT;
  st.global.u32 [%rd2], 5;
  ret;)");
  EXPECT_EQ(run(ptx, 1, 32, 32)[0], 5U);
}

}  // namespace
}  // namespace heddle::device::test
