// Reports of launches that do not end on a timed chip: where each thread is, what it waits for, and
// since when.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "device/ptx_text.h"
#include "gpu/divergence_setups.h"
#include "gpu/run_outcome.h"

namespace heddle::gpu::test {
namespace {

using device::test::kernel_of;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;

const std::vector<DivergenceSetup> kSetups{
    {"warpman", {"chip.sms=2"}},
    {"large-warps", {"chip.sms=2"}},
    {"large-warps", large_warps_of(64) + Settings{"chip.sms=2"}},
    {"large-warps", kMajority + Settings{"chip.sms=2"}},
};

std::string fault_of(const std::string& ptx, std::uint32_t blocks, std::uint32_t threads,
                     const DivergenceSetup& setup, const ChipOptions& options = {}) {
  return run_to_completion(ptx, blocks, threads, setup.load(), options, 4096).message;
}

TEST(WarpStatusReport, MergesBlocksThatWaitAtTheSameBarrier) {
  // The second warp of each block waits at a barrier for more warps than arrive.
  const std::string ptx = kernel_of(R"(
  setp.ge.u32 %p1, %r4, 64;
  @%p1 exit;
  setp.ge.u32 %p1, %r4, 32;
  @%p1 bra OTHER;
  bar.sync 3, 64;
  ret;
OTHER:
  bar.sync 5, 96;
  ret;)");
  for (const DivergenceSetup& setup : kSetups) {
    SCOPED_TRACE(setup.name());
    const std::string fault = fault_of(ptx, 9, 96, setup);
    EXPECT_THAT(fault, AllOf(HasSubstr("block (0,0,0) can never finish"),
                             HasSubstr("barrier 3: 32 of 64 threads have arrived; waiting: warp 0; "
                                       "not waiting there: warp 1"),
                             ContainsRegex("at test.ptx:25, barrier, waiting at barrier 3 since "
                                           "cycles? [0-9]+( to [0-9]+)?: block .0,0,0., warp 0; "
                                           "block .1,0,0., warp 0; "),
                             ContainsRegex("at test.ptx:28, barrier, waiting at barrier 5 since "),
                             HasSubstr("more blocks")));
    EXPECT_LT(std::count(fault.begin(), fault.end(), '\n'), 8);
  }
}

TEST(WarpStatusReport, NamesSourceLineWhenPtxHasIt) {
  const std::string ptx = kernel_of(
      ".loc 1 77 3\n setp.ge.u32 %p1, %r4, 32;\n @%p1 exit;\n .loc 1 78 3\n bar.sync 0, 64;\n ret;",
      ".file 1 \"wait.cu\"\n");
  for (const DivergenceSetup& setup : kSetups) {
    EXPECT_THAT(fault_of(ptx, 1, 64, setup), HasSubstr("at wait.cu:78 (test.ptx:")) << setup.name();
  }
}

TEST(WarpStatusReport, NamesLanesOfADivergedWarp) {
  const std::string ptx = kernel_of(R"(
  setp.ge.u32 %p1, %r4, 32;
  @%p1 exit;
  setp.lt.u32 %p1, %r4, 8;
  @%p1 bra FEW;
  bar.sync 1, 64;
  bra END;
FEW:
  bar.sync 1, 64;
END:
  st.global.u32 [%rd2], %r4;
  ret;)");
  for (const DivergenceSetup& setup : kSetups) {
    SCOPED_TRACE(setup.name());
    EXPECT_THAT(fault_of(ptx, 1, 64, setup),
                AllOf(ContainsRegex("at test.ptx:25, barrier, waiting at barrier 1.*: block "
                                    ".0,0,0., warp 0 lanes 8 to 31"),
                      ContainsRegex("at test.ptx:28, barrier, waiting at barrier 1.*: block "
                                    ".0,0,0., warp 0 lanes 0 to 7")));
  }
}

TEST(WarpStatusReport, ListsRunningAndWaitingThreadsAtACycleLimit) {
  const std::string ptx = kernel_of(R"(
  setp.ge.u32 %p1, %r4, 32;
  @%p1 bra MEET;
COUNT:
  add.u32 %r5, %r5, 1;
  setp.ne.u32 %p2, %r5, 0;
  @%p2 bra COUNT;
MEET:
  bar.sync 0;
  st.global.u32 [%rd2], %r5;
  ret;)");
  for (const DivergenceSetup& setup : kSetups) {
    SCOPED_TRACE(setup.name());
    const std::string fault = fault_of(ptx, 3, 96, setup, {.max_cycles = 20'000});
    EXPECT_THAT(fault,
                AllOf(HasSubstr("stopped after 20000 cycles, the limit, with 0 of 3"),
                      ContainsRegex("at test.ptx:2[4-6], [a-z]+, running: block .[0-2],0,0., "
                                    "warp 0"),
                      ContainsRegex("at test.ptx:28, barrier, waiting at barrier 0 since "
                                    "cycle")));
  }
}

TEST(WarpStatusReport, SummarisesManyPlaces) {
  // Each of thirty warps waits at a different instruction.
  std::string body = "shr.u32 %r5, %r4, 5;\n";
  for (int i = 0; i < 30; ++i) {
    const std::string n = std::to_string(i);
    body += "setp.ne.u32 %p1, %r5, " + n + ";\n @%p1 bra N" + n + ";\n bar.sync 1, 992;\n ret;\nN" +
            n + ":\n";
  }
  const std::string fault = fault_of(kernel_of(body + "ret;"), 1, 992, {"warpman", {}});
  EXPECT_THAT(fault, AllOf(HasSubstr("960 of 992 threads have arrived; waiting: warps 0 to 29"),
                           HasSubstr("and threads at 18 more places")));
}

}  // namespace
}  // namespace heddle::gpu::test
