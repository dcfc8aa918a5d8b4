// Launches in time that never end, though their threads run: what is said of them. The threads of
// all multiprocessors are looked at every 2^20 cycles.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "device/ptx_text.h"
#include "exec/fault/fault.h"
#include "gpu/livelock_run.h"

namespace heddle::gpu::test {
namespace {

using device::test::kernel_of;
using testing::AllOf;
using testing::HasSubstr;

const WayToDiverge kBarrel{"large-warps", {"chip.sms=2"}};
const WayToDiverge kLarge{"large-warps", large_warps_of(256) + Settings{"chip.sms=2"}};
const WayToDiverge kLargeScoreboard{"warpman", large_warps_of(96) + Settings{"chip.sms=2"}};

std::vector<WayToDiverge> every_way() {
  if (kSanitized) return {kStack, kLarge, kFormed};
  return {kStack, kBarrel, kLarge, kLargeScoreboard, kFormed};
}

/// It is found at the first look, and the same is said at any number of host threads.
void expect_livelock(const Kernel& kernel, const WayToDiverge& way,
                     const testing::Matcher<const std::string&>& message) {
  SCOPED_TRACE(way.name());
  const Ended ended = run(kernel, way, {.max_cycles = 1'100'000});
  EXPECT_EQ(ended.fault, exec::FaultKind::livelock) << ended.message;
  EXPECT_THAT(ended.message, message);
  EXPECT_EQ(run(kernel, way, {.threads = 2, .max_cycles = 1'100'000}).message, ended.message);
}

/// A load, or an atomic that fails, of what nobody writes, by all threads that do not exit.
const std::string kWait = R"(
WAIT:
  ld.volatile.global.u32 %r5, [%rd1+8];
  setp.eq.u32 %p1, %r5, 0;
  @%p1 bra WAIT;
  ret;)";
const std::string kTryForEver = R"(
  st.volatile.global.u32 [%rd1], 1;
TRY:
  atom.global.cas.b32 %r5, [%rd1], 0, 1;
  setp.ne.u32 %p1, %r5, 0;
  @%p1 bra TRY;
  ret;)";
/// Every thread takes a lock and counts one.
const std::string kLock = R"(
LOCK:
  atom.global.cas.b32 %r5, [%rd1], 0, 1;
  setp.ne.u32 %p1, %r5, 0;
  @%p1 bra LOCK;
  ld.volatile.global.u32 %r6, [%rd1+4];
  add.u32 %r6, %r6, 1;
  st.volatile.global.u32 [%rd1+4], %r6;
  membar.gl;
  atom.global.exch.b32 %r7, [%rd1], 0;
  ret;)";
const std::string kFirstOfEachBlock = "setp.ne.u32 %p2, %r4, 0;\n @%p2 exit;\n";

TEST(LivelocksInTime, ASpinOnWhatNobodyWritesSaysWhereAndOnWhat) {
  for (const WayToDiverge& way : every_way()) {
    expect_livelock({kWait, 3, 64}, way,
                    AllOf(HasSubstr("kernel 'k': livelock: "), HasSubstr("(found at cycle 10"),
                          HasSubstr("at test.ptx:23, load, repeating 3 instructions, the last at "
                                    "test.ptx:25, branch, which read 4 bytes at 0x"),
                          HasSubstr("8 bytes into 'out' (4096 bytes at 0x"),
                          HasSubstr("block (0,0,0), warps 0 to 1; block (1,0,0), warps 0 to 1; "
                                    "block (2,0,0), warps 0 to 1")));
  }
}

TEST(LivelocksInTime, AtomicsUnderWayAreNoWayOut) {
  for (const WayToDiverge& way : every_way()) {
    expect_livelock({kTryForEver, 5, 96}, way,
                    AllOf(HasSubstr("repeating 3 instructions"),
                          HasSubstr("which try to change 4 bytes at 0x"), HasSubstr("hold 0x1")));
  }
}

TEST(LivelocksInTime, ThreadsAtABarrierWaitForThoseThatSpin) {
  for (const WayToDiverge& way : {kStack, kFormed}) {
    expect_livelock({R"(
  setp.ge.u32 %p1, %r4, 32;
  @%p1 bra MEET;
WAIT:
  ld.volatile.shared.u32 %r5, [s+4];
  setp.eq.u32 %p2, %r5, 0;
  @%p2 bra WAIT;
MEET:
  bar.sync 0;
  ret;)",
                     2, 96},
                    way,
                    AllOf(HasSubstr("read 4 bytes at 0x4, of shared memory, that hold 0x0: block "
                                    "(0,0,0), warp 0; block (1,0,0), warp 0"),
                          HasSubstr("waiting at barrier 0"),
                          HasSubstr(": block (0,0,0), warps 1 to 2; block (1,0,0), warps 1 to 2")));
  }
}

TEST(LivelocksInTime, BlocksThatHaveNoRoomDoNotKeepItFromBeingOne) {
  expect_livelock({kWait, 500, 256}, kStack,
                  AllOf(HasSubstr("block (0,0,0), warps 0 to 7; block (1,0,0), warps 0 to 7; "),
                        HasSubstr("more blocks")));
}

// -- locks ----------------------------------------------------------------------------------------

TEST(LivelocksInTime, ALockBetweenThreadsOfAWarpWithAStackSaysWhyItIsNeverFree) {
  for (const WayToDiverge& way : {kStack, kBarrel, kLarge}) {
    expect_livelock({kLock}, way,
                    AllOf(HasSubstr("hold 0x1: block (0,0,0), warp 0 lanes 1 to 31"),
                          HasSubstr("waiting for others on the same stack: block (0,0,0), warp 0 "
                                    "lane 0"),
                          HasSubstr("divergence.policy=dynamic-formation")));
  }
}

TEST(LivelocksInTime, ALockBetweenBlocksThatShareALargeWarpSaysWhyItIsNeverFree) {
  expect_livelock({kFirstOfEachBlock + kLock, 4, 32}, kLarge,
                  AllOf(HasSubstr("hold 0x1"), HasSubstr("waiting for others on the same stack"),
                        HasSubstr("divergence.policy=dynamic-formation")));
}

TEST(LivelocksInTime, ALockIsFreedByThreadsThatGoOnByThemselves) {
  for (const WayToDiverge& way :
       {kFormed, WayToDiverge{"large-warps", kPostDominator + Settings{"chip.sms=2"}}}) {
    SCOPED_TRACE(way.name());
    const Ended ended = run({kLock, 2, 64}, way, {.max_cycles = 3'000'000});
    ASSERT_EQ(ended.message, "");
    EXPECT_EQ(ended.words[1], 128U);
  }
}

TEST(LivelocksInTime, ALockBetweenBlocksIsFreedWhereEachHasItsOwnWarps) {
  for (const WayToDiverge& way : {kStack, kBarrel}) {
    SCOPED_TRACE(way.name());
    const Ended ended = run({kFirstOfEachBlock + kLock, 8, 32}, way, {.max_cycles = 3'000'000});
    ASSERT_EQ(ended.message, "");
    EXPECT_EQ(ended.words[1], 8U);
  }
}

TEST(LivelocksInTime, AfterOneTheChipGoesOn) {
  ChipRun run(kernel_of(kWait), kStack.described());
  EXPECT_THROW(run.launch("k", {2}, {32}, run.zeros<std::uint32_t>(1024)), exec::SimulatedFault);
  run.device().reset();
  run.load(kernel_of("st.global.u32 [%rd2], %r1;\n ret;"));
  const auto out = run.zeros<std::uint32_t>(64);
  run.launch("k", {2}, {32}, out);
  EXPECT_EQ(run.download<std::uint32_t>(out, 64)[63], 63U);
}

}  // namespace
}  // namespace heddle::gpu::test
