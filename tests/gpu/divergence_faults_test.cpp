// Faulting launches under divergence policies that group threads of several warps.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "device/ptx_text.h"
#include "exec/fault/fault.h"
#include "gpu/divergence_setups.h"
#include "gpu/faulted_chip.h"
#include "gpu/run_outcome.h"
#include "gpu/workload_on_chip.h"

namespace heddle::gpu::test {
namespace {

using device::test::kernel_of;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;

/// Large warps of 64, 256 and 96 threads, and dynamic warp formation with two scheduling policies.
const std::vector<DivergenceSetup> kSetups{
    {"large-warps", large_warps_of(64) + Settings{"chip.sms=2"}},
    {"large-warps", large_warps_of(256) + Settings{"chip.sms=2"}},
    {"large-warps", kMajority + Settings{"chip.sms=2"}},
    {"large-warps", kPostDominator + Settings{"chip.sms=2"}},
    {"warpman", large_warps_of(96)},
};

/// `body` uses the registers that kernel_of() sets.
RunOutcome fault_of(const std::string& body, std::uint32_t blocks, std::uint32_t threads,
                    const DivergenceSetup& setup, std::uint32_t host_threads) {
  return run_to_completion(kernel_of(body), blocks, threads, setup.load(),
                           {.threads = host_threads, .max_cycles = 1'000'000});
}

/// Expects the fault, with the same message for any number of host threads.
void expect_fault(const std::string& body, std::uint32_t blocks, std::uint32_t threads,
                  exec::FaultKind kind, const testing::Matcher<const std::string&>& message) {
  for (const DivergenceSetup& setup : kSetups) {
    SCOPED_TRACE(setup.name());
    const RunOutcome outcome = fault_of(body, blocks, threads, setup, 1);
    EXPECT_EQ(outcome.fault, kind) << outcome.message;
    EXPECT_THAT(outcome.message, message);
    EXPECT_EQ(fault_of(body, blocks, threads, setup, 2).message, outcome.message);
  }
}

TEST(FaultsUnderDivergence, ReportsABarrierThatCannotComplete) {
  // In block 2 the first warp waits at barrier 0, the second at barrier 1, and the third has
  // exited.
  expect_fault(R"(
  setp.ne.u32 %p1, %r2, 2;
  @%p1 exit;
  setp.ge.u32 %p2, %r4, 64;
  @%p2 exit;
  setp.ge.u32 %p3, %r4, 32;
  @%p3 bra OTHER;
  bar.sync 0, 64;
  bra END;
OTHER:
  bar.sync 1, 64;
END:
  st.global.u32 [%rd2], %r4;
  ret;)",
               6, 96, exec::FaultKind::deadlock,
               AllOf(HasSubstr("block (2,0,0) can never finish"),
                     HasSubstr("barrier 0: 32 of 64 threads have arrived"),
                     HasSubstr("barrier 1: 32 of 64 threads have arrived"),
                     ContainsRegex("test.ptx:27, barrier, waiting at barrier 0 since cycle [0-9]+: "
                                   "block .2,0,0., warp 0"),
                     ContainsRegex("test.ptx:30, barrier, waiting at barrier 1 since cycle [0-9]+: "
                                   "block .2,0,0., warp 1"),
                     HasSubstr("1 of 3 warps have finished")));
}

TEST(FaultsUnderDivergence, ReportsALoopBarrierThatAWarpSkips) {
  // The second warp reaches the barrier once, the first twice.
  expect_fault(R"(
  mov.u32 %r5, 2;
  setp.ge.u32 %p1, %r4, 32;
  @%p1 mov.u32 %r5, 1;
LOOP:
  bar.sync 4, 64;
  sub.u32 %r5, %r5, 1;
  setp.ne.u32 %p2, %r5, 0;
  @%p2 bra LOOP;
  st.global.u32 [%rd2], %r4;
  ret;)",
               1, 64, exec::FaultKind::deadlock,
               AllOf(HasSubstr("block (0,0,0) can never finish"),
                     HasSubstr("barrier 4: 32 of 64 threads have arrived"),
                     HasSubstr("waiting: warp 0"), HasSubstr("waiting at barrier 4")));
}

TEST(FaultsUnderDivergence, AccessFaultNamesBlockAndThread) {
  // The threads with odd numbers store; every warp has some. The store of thread 365 of the grid is
  // out of bounds. It is thread 77 of block 3 (365 = 3 * 96 + 77), in the block's third warp.
  expect_fault(R"(
  and.b32 %r5, %r4, 1;
  setp.eq.u32 %p1, %r5, 0;
  @%p1 bra J;
  mul.wide.u32 %rd3, %r1, 4;
  setp.eq.u32 %p2, %r1, 365;
  @%p2 add.u64 %rd3, %rd3, 1048576;
  add.u64 %rd3, %rd1, %rd3;
  st.global.u32 [%rd3], %r4;
J: ret;)",
               4, 96, exec::FaultKind::out_of_bounds, HasSubstr("block (3,0,0), thread (77,0,0)"));
}

TEST(FaultsUnderDivergence, AtomicFaultNamesBlockAndThread) {
  expect_fault(R"(
  and.b32 %r5, %r4, 1;
  setp.eq.u32 %p1, %r5, 0;
  @%p1 bra J;
  mul.wide.u32 %rd3, %r1, 4;
  setp.eq.u32 %p2, %r1, 365;
  @%p2 add.u64 %rd3, %rd3, 1048576;
  add.u64 %rd3, %rd1, %rd3;
  red.global.add.u32 [%rd3], 1;
J: ret;)",
               4, 96, exec::FaultKind::out_of_bounds, HasSubstr("block (3,0,0), thread (77,0,0)"));
}

TEST(FaultsUnderDivergence, TrapNamesBlockAndThread) {
  expect_fault("setp.eq.u32 %p1, %r1, 365;\n @%p1 trap;\n ret;", 4, 96, exec::FaultKind::trap,
               HasSubstr("block (3,0,0), thread (77,0,0)"));
}

TEST(FaultsUnderDivergence, MixedBarrierNumbersNameBlockAndThread) {
  expect_fault(
      "mov.u32 %r5, 1;\n setp.eq.u32 %p1, %r1, 365;\n @%p1 mov.u32 %r5, 2;\n"
      "bar.sync %r5;\n ret;",
      4, 96, exec::FaultKind::invalid_barrier,
      AllOf(HasSubstr("block (3,0,0), thread (77,0,0)"),
            HasSubstr("the number of a barrier differs between threads of a warp: 1 and "
                      "2")));
}

TEST(FaultsUnderDivergence, LeaveTheChipUnaffected) {
  constexpr std::uint32_t kThreadsPerBlock = 96;
  for (const DivergenceSetup& setup : kSetups) {
    SCOPED_TRACE(setup.name());
    expect_as_new_after_faults(setup.load(), kThreadsPerBlock);
  }
}

}  // namespace
}  // namespace heddle::gpu::test
