// Cycles lost after a predicted branch: none if the prediction was right, the latency of resolving
// the branch if it was wrong.

#include <gtest/gtest.h>

#include "gpu/timing/probe.h"

namespace heddle::gpu::test {
namespace {

constexpr int kResolve = 9;
constexpr int kFetch = 2;

/// `%p1` is true for all lanes, `%p2` for none, `%p3` for half of them.
const std::string kPredicates =
    "ld.global.u32 %r50, [%data+4];\nsetp.ne.u32 %p1, %r50, 77;\nsetp.eq.u32 %p2, %r50, 77;\n"
    "mul.lo.u32 %r51, %r50, %lane;\nsetp.lt.u32 %p3, %r51, 16;\n";
/// Code that is too long for the compiler to predicate.
const std::string kDetour =
    repeat(30, "mad.lo.u32 %r29, %r29, %r50, %r50;\n") + "st.global.u32 [%result], %r29;\n";

Settings predicted_by(const std::string& policy) {
  return {"branch.policy=" + policy, "branch.resolve_cycles=" + std::to_string(kResolve),
          "fetch.latency=" + std::to_string(kFetch)};
}

/// A branch over a detour. The clock is read before it (0), on the fall-through path (1), and at
/// its target (2).
ProbeRun branch_on(const std::string& guard, const Settings& settings) {
  return ProbeRun(
      {.setup = kPredicates + "mov.u32 %r29, %lane;\n",
       .body = clock(0) + guard + " bra after;\n" + clock(1) + kDetour + "after:\n" + clock(2),
       .stamps = 3,
       .keep = {"%r29"}},
      settings);
}

TEST(BranchPredictionTiming, CorrectNotTakenPredictionCostsNothing) {
  const ProbeRun run = branch_on("@%p2", predicted_by("static"));
  EXPECT_EQ(run.cycles(), 1 + 1) << "the branch costs one cycle, like any instruction";
  EXPECT_EQ(run.counter("branch.forward_mispredicted"), 0u);
}

TEST(BranchPredictionTiming, MispredictionCostsTheResolveLatency) {
  const ProbeRun run = branch_on("@%p1", predicted_by("static"));
  EXPECT_EQ(run.stamp(2) - run.stamp(0), 1 + kResolve + kFetch) << "as without prediction";
  EXPECT_EQ(run.counter("branch.forward_mispredicted"), 1u);
}

TEST(BranchPredictionTiming, CorrectTakenPredictionCostsAFetch) {
  const ProbeRun run = branch_on("@%p1", predicted_by("perfect"));
  EXPECT_EQ(run.stamp(2) - run.stamp(0), 1 + 1 + kFetch);
}

TEST(BranchPredictionTiming, PrefetchedTargetCostsNothing) {
  const Settings ahead{"branch.fetches_targets=yes"};
  const ProbeRun run = branch_on("@%p1", predicted_by("perfect") + ahead);
  EXPECT_EQ(run.stamp(2) - run.stamp(0), 1 + 1);
  const ProbeRun wrong = branch_on("@%p1", predicted_by("static") + ahead);
  EXPECT_EQ(wrong.stamp(2) - wrong.stamp(0), 1 + kResolve + kFetch)
      << "the branch was predicted as not taken";
}

TEST(BranchPredictionTiming, DivergentBranchFollowsItsPredictedSide) {
  const ProbeRun run = branch_on("@%p3", predicted_by("static"));
  EXPECT_EQ(run.counter("branch.diverged"), 1u);
  const ProbeRun waits = branch_on("@%p3", predicted_by("wait"));
  // Half of the lanes take the fall-through path. The first lane, whose clock values are stored,
  // takes the other side. This side executes first and then waits for the other lanes.
  EXPECT_EQ(waits.stamp(2) - run.stamp(2) - (waits.stamp(0) - run.stamp(0)),
            static_cast<std::uint32_t>(kResolve - 1));
}

/// A loop of `rounds` iterations.
ProbeRun loop(int rounds, const Settings& settings) {
  return ProbeRun(
      {.setup = "ld.global.u32 %r40, [%data+" + std::to_string(4 * rounds) +
                "];\nmov.u32 %r41, 0;\nld.global.u32 %r50, [%data+4];\n"
                "mov.u32 %r42, 0;\n",
       .body = clock(0) + "around:\n" + repeat(20, "mad.lo.u32 %r42, %r42, %r50, #;\n") +
               "add.u32 %r41, %r41, 1;\nsetp.lt.u32 %p1, %r41, %r40;\n"
               "@%p1 bra around;\n" +
               clock(1),
       .keep = {"%r42"}},
      Settings{"units.integer.latency=1"} + settings);
}

TEST(BranchPredictionTiming, LoopPaysOnlyForItsExit) {
  const auto cycles = [](const std::string& policy, int rounds) {
    return loop(rounds, predicted_by(policy)).cycles();
  };
  const std::uint32_t saved = kResolve - 1;
  // After a correct prediction, the next iteration is fetched as after a jump. The instruction
  // after the loop is in the buffer without prediction, but must be fetched again after a
  // misprediction.
  EXPECT_EQ(cycles("wait", 9) - cycles("static", 9), 8 * saved - kFetch);
  EXPECT_EQ(cycles("static", 2) - cycles("perfect", 2), cycles("static", 9) - cycles("perfect", 9));
  EXPECT_EQ(cycles("static", 9) - cycles("perfect", 9), saved + kFetch);
}

TEST(BranchPredictionTiming, GshareLearnsALoop) {
  Settings gshare = predicted_by("gshare");
  gshare.emplace_back("branch.history_bits=0");
  const ProbeRun run = loop(20, gshare);
  EXPECT_EQ(run.counter("branch.backward_mispredicted"), 2u) << "the first iteration and the exit";
  EXPECT_EQ(run.counter("branch.backward_correct"), 18u);
  EXPECT_EQ(run.cycles() - loop(20, predicted_by("static")).cycles(),
            static_cast<std::uint32_t>(kResolve - 1));
}

TEST(BranchPredictionTiming, PredictorsAreResetBetweenLaunches) {
  const std::string text = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry count(.param .u64 rounds)
{
  .reg .pred %p;
  .reg .b32 %r<4>;
  .reg .b64 %a;
  ld.param.u64 %a, [rounds];
  ld.global.u32 %r1, [%a];
  mov.u32 %r2, 0;
around:
  mad.lo.u32 %r2, %r2, 3, 1;
  add.u32 %r1, %r1, -1;
  setp.ne.u32 %p, %r1, 0;
  @%p bra around;
  st.global.u32 [%a+4], %r2;
  ret;
}
)";
  ChipRun chip(text, kPlain + predicted_by("gshare") + Settings{"branch.history_bits=0"});
  const device::DevicePointer rounds = chip.zeros<std::uint32_t>(2);
  const std::uint32_t ten = 10;
  chip.device().copy_to_device(rounds, std::as_bytes(std::span(&ten, 1)));
  chip.launch("count", {1, 1, 1}, {32, 1, 1}, rounds);
  const std::uint64_t once = chip.counter("branch.backward_mispredicted");
  chip.launch("count", {1, 1, 1}, {32, 1, 1}, rounds);
  EXPECT_EQ(once, 2u);
  EXPECT_EQ(chip.counter("branch.backward_mispredicted"), 2u)
      << "each launch starts without history";
}

}  // namespace
}  // namespace heddle::gpu::test
