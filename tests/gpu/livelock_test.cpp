// Livelocks on a timed chip, and their messages. The chip looks for a livelock every 2^20 cycles.

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

const DivergenceSetup kBarrel{"large-warps", {"chip.sms=2"}};
const DivergenceSetup kLarge{"large-warps", large_warps_of(256) + Settings{"chip.sms=2"}};
const DivergenceSetup kLargeScoreboard{"warpman", large_warps_of(96) + Settings{"chip.sms=2"}};

std::vector<DivergenceSetup> every_setup() {
  if (kSanitized) return {kStack, kLarge, kDynamicFormation};
  return {kStack, kBarrel, kLarge, kLargeScoreboard, kDynamicFormation};
}

/// Expects a livelock when the chip first looks for one, with the same message for one and two host
/// threads.
void expect_livelock(const Kernel& kernel, const DivergenceSetup& setup,
                     const testing::Matcher<const std::string&>& message) {
  SCOPED_TRACE(setup.name());
  const RunOutcome outcome = run(kernel, setup, {.max_cycles = 1'100'000});
  EXPECT_EQ(outcome.fault, exec::FaultKind::livelock) << outcome.message;
  EXPECT_THAT(outcome.message, message);
  EXPECT_EQ(run(kernel, setup, {.threads = 2, .max_cycles = 1'100'000}).message, outcome.message);
}

// Loops that never end: every thread loads a word that nobody writes, or repeats an atomic that
// always fails.
const std::string kSpinningLoad = R"(
WAIT:
  ld.volatile.global.u32 %r5, [%rd1+8];
  setp.eq.u32 %p1, %r5, 0;
  @%p1 bra WAIT;
  ret;)";
const std::string kFailingAtomic = R"(
  st.volatile.global.u32 [%rd1], 1;
TRY:
  atom.global.cas.b32 %r5, [%rd1], 0, 1;
  setp.ne.u32 %p1, %r5, 0;
  @%p1 bra TRY;
  ret;)";
/// Every thread increments a counter under a lock.
const std::string kLockedIncrement = R"(
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
/// Ends all threads except the first of each block.
const std::string kFirstOfEachBlock = "setp.ne.u32 %p2, %r4, 0;\n @%p2 exit;\n";

TEST(TimedLivelock, ReportsPlaceAndAddressOfASpin) {
  for (const DivergenceSetup& setup : every_setup()) {
    expect_livelock({kSpinningLoad, 3, 64}, setup,
                    AllOf(HasSubstr("kernel 'k': livelock: "), HasSubstr("(found at cycle 10"),
                          HasSubstr("at test.ptx:23, load, repeating 3 instructions, the last at "
                                    "test.ptx:25, branch, which read 4 bytes at 0x"),
                          HasSubstr("8 bytes into 'out' (4096 bytes at 0x"),
                          HasSubstr("block (0,0,0), warps 0 to 1; block (1,0,0), warps 0 to 1; "
                                    "block (2,0,0), warps 0 to 1")));
  }
}

TEST(TimedLivelock, NamesWarpsThatRunAsBlocksOfTheirOwn) {
  const Machine machine =
      DivergenceSetup{"warpman", {"chip.sms=2", "dispatch.small_blocks=true"}}.load();
  const RunOutcome outcome = run_to_completion(device::test::kernel_of(kSpinningLoad), 2, 80,
                                               machine, {.max_cycles = 1'100'000});
  EXPECT_EQ(outcome.fault, exec::FaultKind::livelock) << outcome.message;
  EXPECT_THAT(outcome.message,
              HasSubstr("block (0,0,0), warps 0 to 2; block (1,0,0), warps 0 to 2"));
}

TEST(TimedLivelock, IsDetectedWithAtomicsInFlight) {
  for (const DivergenceSetup& setup : every_setup()) {
    expect_livelock({kFailingAtomic, 5, 96}, setup,
                    AllOf(HasSubstr("repeating 3 instructions"),
                          HasSubstr("which try to change 4 bytes at 0x"), HasSubstr("hold 0x1")));
  }
}

TEST(TimedLivelock, ListsThreadsAtABarrierBesideThoseThatSpin) {
  for (const DivergenceSetup& setup : {kStack, kDynamicFormation}) {
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
                    setup,
                    AllOf(HasSubstr("read 4 bytes at 0x4, of shared memory, that hold 0x0: block "
                                    "(0,0,0), warp 0; block (1,0,0), warp 0"),
                          HasSubstr("waiting at barrier 0"),
                          HasSubstr(": block (0,0,0), warps 1 to 2; block (1,0,0), warps 1 to 2")));
  }
}

TEST(TimedLivelock, IsDetectedWhileBlocksAwaitDispatch) {
  expect_livelock({kSpinningLoad, 500, 256}, kStack,
                  AllOf(HasSubstr("block (0,0,0), warps 0 to 7; block (1,0,0), warps 0 to 7; "),
                        HasSubstr("more blocks")));
}

// -- locks ----------------------------------------------------------------------------------------

TEST(TimedLivelock, ExplainsALockWithinAWarpWithAStack) {
  for (const DivergenceSetup& setup : {kStack, kBarrel, kLarge}) {
    expect_livelock({kLockedIncrement}, setup,
                    AllOf(HasSubstr("hold 0x1: block (0,0,0), warp 0 lanes 1 to 31"),
                          HasSubstr("waiting for others on the same stack: block (0,0,0), warp 0 "
                                    "lane 0"),
                          HasSubstr("divergence.policy=dynamic-formation")));
  }
}

TEST(TimedLivelock, ExplainsALockBetweenBlocksThatShareALargeWarp) {
  expect_livelock({kFirstOfEachBlock + kLockedIncrement, 4, 32}, kLarge,
                  AllOf(HasSubstr("hold 0x1"), HasSubstr("waiting for others on the same stack"),
                        HasSubstr("divergence.policy=dynamic-formation")));
}

TEST(TimedLivelock, IsAbsentWhenWarpFormationFreesALock) {
  for (const DivergenceSetup& setup :
       {kDynamicFormation,
        DivergenceSetup{"large-warps", kPostDominator + Settings{"chip.sms=2"}}}) {
    SCOPED_TRACE(setup.name());
    const RunOutcome outcome = run({kLockedIncrement, 2, 64}, setup, {.max_cycles = 3'000'000});
    ASSERT_EQ(outcome.message, "");
    EXPECT_EQ(outcome.words[1], 128U);
  }
}

TEST(TimedLivelock, IsAbsentForALockBetweenBlocksWithSeparateWarps) {
  for (const DivergenceSetup& setup : {kStack, kBarrel}) {
    SCOPED_TRACE(setup.name());
    const RunOutcome outcome =
        run({kFirstOfEachBlock + kLockedIncrement, 8, 32}, setup, {.max_cycles = 3'000'000});
    ASSERT_EQ(outcome.message, "");
    EXPECT_EQ(outcome.words[1], 8U);
  }
}

TEST(TimedLivelock, LeavesTheChipUsable) {
  ChipRun run(kernel_of(kSpinningLoad), kStack.load());
  EXPECT_THROW(run.launch("k", {2}, {32}, run.zeros<std::uint32_t>(1024)), exec::SimulatedFault);
  run.device().reset();
  run.load(kernel_of("st.global.u32 [%rd2], %r1;\n ret;"));
  const auto out = run.zeros<std::uint32_t>(64);
  run.launch("k", {2}, {32}, out);
  EXPECT_EQ(run.download<std::uint32_t>(out, 64)[63], 63U);
}

}  // namespace
}  // namespace heddle::gpu::test
