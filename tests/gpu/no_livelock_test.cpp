// Long launches on a timed chip that are not reported as livelocks, because they may still end.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "device/device.h"
#include "exec/fault/fault.h"
#include "gpu/livelock_run.h"

namespace heddle::gpu::test {
namespace {

using device::test::kernel_of;
using testing::AllOf;
using testing::HasSubstr;

TEST(NoLivelock, IsReportedWhileOneThreadWorks) {
  // The last thread counts for about two million cycles; all others wait for it.
  const std::string body = R"(
  setp.ne.u32 %p1, %r1, 127;
  @%p1 bra WAIT;
  mov.u32 %r5, 60000;
COUNT:
  sub.u32 %r5, %r5, 1;
  rem.u32 %r7, %r5, 77;
  setp.ne.u32 %p2, %r5, 0;
  @%p2 bra COUNT;
  st.volatile.global.u32 [%rd1], 1;
WAIT:
  ld.volatile.global.u32 %r5, [%rd1];
  setp.eq.u32 %p3, %r5, 0;
  @%p3 bra WAIT;
  st.global.u32 [%rd2+64], 9;
  ret;)";
  for (const DivergenceSetup& setup : {kStack, kDynamicFormation}) {
    SCOPED_TRACE(setup.name());
    const RunOutcome outcome = run({body, 2, 64}, setup, {.max_cycles = 50'000'000});
    ASSERT_EQ(outcome.message, "");
    EXPECT_EQ(outcome.words[100 + 16], 9U);
  }
}

TEST(NoLivelock, IsReportedForALoopThatReadsTheClock) {
  const RunOutcome outcome = run({R"(
WAIT:
  mov.u32 %r5, %clock;
  setp.lt.u32 %p1, %r5, 2500000;
  @%p1 bra WAIT;
  st.global.u32 [%rd2], 5;
  ret;)"},
                                 kStack, {.max_cycles = 3'000'000});
  ASSERT_EQ(outcome.message, "");
  EXPECT_EQ(outcome.words[7], 5U);
}

TEST(NoLivelock, IsReportedForBlocksThatTakeTurns) {
  // Two blocks take turns: each waits until the other has incremented the counter.
  const RunOutcome outcome = run({R"(
  setp.ne.u32 %p2, %r4, 0;
  @%p2 exit;
TURN:
  atom.global.add.u32 %r5, [%rd1], 0;
  and.b32 %r6, %r5, 1;
  setp.ne.u32 %p1, %r6, %r2;
  @%p1 bra TURN;
  atom.global.add.u32 %r7, [%rd1], 1;
  setp.lt.u32 %p3, %r5, 6000;
  @%p3 bra TURN;
  ret;)",
                                  2, 32},
                                 kStack, {.max_cycles = 30'000'000});
  ASSERT_EQ(outcome.message, "");
  EXPECT_GE(outcome.words[0], 6000U);
}

TEST(NoLivelock, IsReportedForACountingLoopButANoticeIsGiven) {
  // The loop never ends, but its counter changes. The chip looks for a livelock every 2^20 cycles,
  // that is sixteen times before the cycle limit.
  Chip chip(machine_of({"chip.sms=1"}), {.max_cycles = 17'500'000});
  std::vector<std::string> notices;
  device::DeviceOptions options;
  options.engine = &chip;
  options.notice = [&](std::string_view text) { notices.emplace_back(text); };
  device::Device device(options);
  const auto& module = device.load({{.file = "test.ptx", .text = kernel_of(R"(
  and.b32 %r5, %r5, 0;
COUNT:
  add.u32 %r5, %r5, 1;
  ld.volatile.global.u32 %r6, [%rd1];
  setp.eq.u32 %p1, %r6, 0;
  @%p1 bra COUNT;
  st.global.u32 [%rd2], %r5;
  ret;)")}});
  const device::DevicePointer word = device.allocate(4096);
  EXPECT_THROW(
      device.launch_with(device.find_kernel(module, "k"), {.grid = {1}, .block = {32}}, word),
      exec::SimulatedFault);
  EXPECT_EQ(chip.runs().front().cycles.count, 17'500'000U);
  EXPECT_THAT(notices,
              testing::ElementsAre(AllOf(
                  HasSubstr("kernel 'k' is still running, and may never end: no thread has changed "
                            "memory since cycle 0\n"),
                  testing::ContainsRegex("at test.ptx:2[2-6], [a-z]+, running [0-9]+ instructions, "
                                         "the last at test.ptx:2[2-6], [a-z]+, which read 4 bytes"),
                  HasSubstr("block (0,0,0), warp 0"))));
}

}  // namespace
}  // namespace heddle::gpu::test
