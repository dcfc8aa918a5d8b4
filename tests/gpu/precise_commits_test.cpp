// The scoreboard that commits in order is precise: at any time, the instructions that a warp has
// committed are exactly the first ones in program order (checked by stopping_scoreboard.cpp).

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "device/ptx_text.h"
#include "gpu/chip_run.h"

namespace heddle::gpu::test {
namespace {

constexpr std::uint32_t kThreads = 128;
constexpr std::uint32_t kWords = 4096;

/// A kernel with loads that miss, partial writes of registers, divergent branches, stores, and
/// barriers.
std::string mixed_kernel() {
  return device::test::kernel_of(R"(
  and.b32 %r5, %r1, 31;
  mul.wide.u32 %rd6, %r1, 4;
  mov.u64 %rd7, tile;
  cvta.shared.u64 %rd7, %rd7;
  add.u64 %rd7, %rd7, %rd6;
  mov.u32 %r10, 0;
  mov.u32 %r11, 0;
LOOP:
  mad.lo.u32 %r12, %r1, 17, %r11;
  mad.lo.u32 %r12, %r10, 321, %r12;
  and.b32 %r12, %r12, 1023;
  mul.wide.u32 %rd5, %r12, 4;
  add.u64 %rd5, %rd5, %rd1;
  ld.global.u32 %r13, [%rd5+4096];
  mul.lo.u32 %r14, %r10, 7;
  add.u32 %r14, %r14, %r5;
  setp.lt.u32 %p1, %r14, 40;
  @%p1 add.u32 %r14, %r14, %r1;
  mul.lo.u32 %r16, %r14, %r14;
  @%p1 ld.global.u32 %r14, [%rd5+8192];
  xor.b32 %r15, %r16, 3;
  setp.gt.u32 %p2, %r13, 500;
  @%p2 bra SIDE;
  add.u32 %r11, %r11, %r13;
  ld.global.u32 %r17, [%rd5+12000];
  sub.u32 %r11, %r11, %r17;
  bra MEET;
SIDE:
  mul.lo.u32 %r15, %r15, 5;
  rem.u32 %r11, %r14, 77;
MEET:
  add.u32 %r11, %r11, %r15;
  st.global.u32 [%rd2], %r11;
  st.u32 [%rd7], %r11;
  add.u32 %r18, %r11, 1;
  bar.sync 0;
  xor.b32 %r19, %r10, 1;
  ld.volatile.shared.u32 %r20, [tile+64];
  add.u32 %r11, %r11, %r20;
  bar.sync 0;
  @%p1 st.global.u32 [%rd2+512], %r18;
  add.u32 %r10, %r10, 1;
  setp.lt.u32 %p3, %r10, 9;
  @%p3 bra LOOP;
  ret;)",
                                 ".shared .align 4 .b32 tile[128];\n");
}

/// Runs mixed_kernel() with the scoreboard that checks itself.
class StoppedRun : public ChipRun {
 public:
  explicit StoppedRun(const Settings& settings)
      : ChipRun(mixed_kernel(), Settings{"chip.sms=1", "dependence.policy=stopping-scoreboard",
                                         "dependence.check_values=yes"} +
                                    settings) {
    std::vector<std::uint32_t> words(kWords);
    std::mt19937 random(5);
    for (std::size_t i = 512; i < words.size(); ++i) words[i] = random() % 1000;
    launch("k", {1}, {kThreads}, upload(words));
  }
};

const Settings kFewEntries{"dependence.entries=3"};
const Settings kPredicted{"branch.policy=gshare", "branch.resolve_cycles=12"};

TEST(PreciseCommits, LeaveExactlyThePrefixOfEachWarp) {
  for (const Settings& settings :
       {Settings{}, kFewEntries, Settings{"dependence.entries=32"},
        Settings{"units.bypass=yes", "schedule.policy=greedy-oldest"},
        Settings{"operands.policy=banked", "dependence.entry_words=2"}, kPredicted}) {
    const StoppedRun run(settings);
    SCOPED_TRACE(settings.empty() ? "defaults" : settings.front());
    EXPECT_EQ(run.counter("dependence.imprecise"), 0U);
    EXPECT_EQ(run.counter("dependence.wrong_values"), 0U);
    EXPECT_GT(run.counter("dependence.stops"), 4000U);
    EXPECT_GT(2 * run.counter("dependence.outstanding"), run.counter("dependence.stops"));
    EXPECT_GT(run.counter("dependence.compared"), 1'000'000U);
    EXPECT_GT(run.counter("dependence.lane_mask_waits"), 0U);
    if (settings == kFewEntries) {
      EXPECT_GT(run.counter("dependence.issued_without_entry"), 100U);
    }
    if (settings == kPredicted) {
      EXPECT_GT(run.counter("scheduler.wrong_path"), 0U);
    }
  }
}

TEST(PreciseCommits, AreFoundImpreciseWhenCheckRunsOneInstructionAhead) {
  EXPECT_GT(StoppedRun({"dependence.ahead=1"}).counter("dependence.imprecise"), 10'000U);
}

}  // namespace
}  // namespace heddle::gpu::test
