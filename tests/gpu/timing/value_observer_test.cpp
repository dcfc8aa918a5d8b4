// Which values are observed to be redundant (redundancy.observe), in kernels whose values are
// known.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gpu/divergence_setups.h"
#include "gpu/timing/probe.h"
#include "gpu/workload_on_chip.h"

namespace heddle::gpu::test {
namespace {

const Settings kObserved{"redundancy.observe=yes"};
const std::string kPrefix = "redundancy.observed.";
const std::vector<std::string> kClasses{"integer",     "fp32",          "fp64",
                                        "special",     "predicate",     "shared_load",
                                        "global_load", "constant_load", "other_load"};

/// What ten instructions of a probe's body add to the counters: the difference of a run with 15
/// such instructions and one with 5.
class TenInstructions {
 public:
  TenInstructions(Probe probe, const std::string& instruction, const Settings& settings = {},
                  std::uint32_t warps = 1)
      : TenInstructions(std::move(probe), instruction, machine_of(kPlain + kObserved + settings),
                        warps) {}
  TenInstructions(Probe probe, const std::string& instruction, const Machine& machine,
                  std::uint32_t warps)
      : more_(run(probe, instruction, 15, machine, warps)),
        less_(run(probe, instruction, 5, machine, warps)) {}

  /// `name`: without the prefix of all these counters.
  std::uint64_t counted(const std::string& name) const {
    return more_.counter(kPrefix + name) - less_.counter(kPrefix + name);
  }
  /// All observed passes with results.
  std::uint64_t all_passes() const {
    std::uint64_t sum = 0;
    for (const std::string& each : kClasses) {
      for (const std::string values : {"uniform_full", "uniform_partial", "varying"}) {
        sum += counted(each + "." + values + ".passes");
      }
    }
    return sum;
  }

 private:
  static ProbeRun run(Probe probe, const std::string& instruction, int times,
                      const Machine& machine, std::uint32_t warps) {
    probe.body = clock(0) + repeat(times, instruction) + clock(1) + probe.body;
    return ProbeRun(probe, machine, warps);
  }

  ProbeRun more_;
  ProbeRun less_;
};

/// Each instruction adds %r8 (%l8) to %r9 (%l9), which `values` sets.
const std::string kSum = "add.u32 %r9, %r9, %r8;\n";
Probe sums(const std::string& values) {
  return {.setup = "ld.global.u32 %r8, [%data+64];\n" + values, .body = "", .keep = {"%r9"}};
}
const std::string kUniform = "ld.global.u32 %r9, [%data+128];\n";
const std::string kPerLane = "mad.lo.u32 %r9, %lane, 3, %r8;\n";
const std::string kSquares = "mul.lo.u32 %r9, %lane, %lane;\n";
const std::string kFirstSeven = "setp.lt.u32 %p1, %lane, 7;\n";

// -- classes of instructions ----------------------------------------------------------------------

struct ClassCase {
  std::string name;
  Probe probe;
  std::string instruction;
};

/// Instructions whose values are the same in all lanes.
std::vector<ClassCase> class_cases() {
  const std::vector<std::string> loaded = registers("%r", 15);
  return {
      {"integer", sums(kUniform), kSum},
      {"fp32",
       {.setup = "ld.global.f32 %f1, [%data+64];\n", .body = "", .keep = {"%f1"}},
       "fma.rn.f32 %f1, %f1, %f1, %f1;\n"},
      {"fp64",
       {.setup = "ld.global.f64 %d1, [%data+64];\n", .body = "", .keep = {"%d1"}},
       "add.rn.f64 %d1, %d1, %d1;\n"},
      {"special",
       {.setup = "ld.global.f32 %f1, [%data+64];\n", .body = "", .keep = {"%f1"}},
       "ex2.approx.f32 %f1, %f1;\n"},
      {"predicate",
       {.setup = "ld.global.u32 %r8, [%data+64];\nsetp.lt.u32 %p1, %r8, 9;\n",
        .body = "selp.u32 %r9, 1, 2, %p1;\n",
        .keep = {"%r9"}},
       "setp.lt.xor.u32 %p1, %r8, 30#, %p1;\n"},
      {"shared_load",
       {.setup = "mov.u32 %r9, 0;\nst.shared.u32 [buffer], %r9;\n"
                 "ld.global.u32 %r9, [%data];\n",
        .body = "",
        .keep = {"%r9"},
        .locals = ".shared .align 4 .b32 buffer[4];\n"},
       "ld.shared.u32 %r9, [%r9];\n"},
      {"global_load", {.body = "", .keep = loaded}, "ld.global.u32 %r#, [%data+0x#00];\n"},
      {"constant_load",
       {.body = "", .keep = loaded, .declarations = ".const .align 4 .u32 table[128];\n"},
       "ld.const.u32 %r#, [table+0x#0];\n"},
      {"other_load", {.body = "", .keep = loaded}, "ld.u32 %r#, [%data+0x#00];\n"},
  };
}

TEST(ValueObserver, CountsEachInstructionInItsClass) {
  for (const ClassCase& each : class_cases()) {
    const TenInstructions ten(each.probe, each.instruction);
    EXPECT_EQ(ten.counted(each.name + ".uniform_full.passes"), 10) << each.name;
    EXPECT_EQ(ten.counted(each.name + ".uniform_full.threads"), 320) << each.name;
    EXPECT_EQ(ten.all_passes(), 10) << each.name;
  }
}

TEST(ValueObserver, DoesNotCountStoresAndAtomics) {
  const Probe probe{.setup = kUniform, .body = ""};
  EXPECT_EQ(TenInstructions(probe, "st.global.u32 [%result+0x#0], %r9;\n").all_passes(), 0);
  EXPECT_EQ(TenInstructions(probe, "red.global.add.u32 [%result], %r9;\n").all_passes(), 0);
}

// -- values of the lanes --------------------------------------------------------------------------

/// Expects that all ten passes are integer passes with these values, and how many are affine.
void expect_integer(const TenInstructions& ten, const std::string& values, std::uint64_t threads,
                    std::uint64_t affine) {
  EXPECT_EQ(ten.counted("integer." + values + ".passes"), 10);
  EXPECT_EQ(ten.counted("integer." + values + ".threads"), threads);
  EXPECT_EQ(ten.counted("integer.affine_passes"), affine);
  EXPECT_EQ(ten.counted("integer.affine_threads"), affine == 0 ? 0 : threads);
  EXPECT_EQ(ten.all_passes(), 10);
}

TEST(ValueObserver, FindsUniformAndAffineValues) {
  expect_integer({sums(kUniform), kSum}, "uniform_full", 320, 0);
  expect_integer({sums(kPerLane), kSum}, "varying", 320, 10);
  expect_integer({sums(kSquares), kSum}, "varying", 320, 0);
}

TEST(ValueObserver, FindsAffineResultsOf64Bits) {
  const auto sums_of = [](const std::string& values) {
    return TenInstructions(
        {.setup = "ld.global.u64 %l8, [%data+64];\n" + values, .body = "", .keep = {"%rd9"}},
        "add.u64 %rd9, %rd9, %l8;\n");
  };
  // A sum of the lower halves carries into the upper halves in some lanes.
  expect_integer(sums_of("mul.wide.u32 %rd9, %lane, 0x30000000;\n"), "varying", 320, 10);
  // The lower halves alone are affine.
  expect_integer(sums_of("mul.lo.u32 %r1, %lane, %lane;\ncvt.u64.u32 %rd9, %r1;\n"
                         "shl.b64 %rd9, %rd9, 32;\ncvt.u64.u32 %l9, %lane;\n"
                         "or.b64 %rd9, %rd9, %l9;\n"),
                 "varying", 320, 0);
}

TEST(ValueObserver, IgnoresLanesThatTheGuardExcludes) {
  const std::string guarded = "@%p1 " + kSum;
  expect_integer({sums(kUniform + kFirstSeven), guarded}, "uniform_partial", 70, 0);
  expect_integer({sums(kPerLane + kFirstSeven), guarded}, "varying", 70, 10);
  expect_integer({sums(kSquares + kFirstSeven), guarded}, "varying", 70, 0);
  // The same value in the seven lanes only.
  const std::string uniform_in_seven = kFirstSeven + kSquares + "selp.u32 %r9, %r8, %r9, %p1;\n";
  expect_integer({sums(uniform_in_seven), guarded}, "uniform_partial", 70, 0);
  expect_integer({sums(uniform_in_seven), kSum}, "varying", 320, 0);
}

TEST(ValueObserver, DoesNotCountPassesWithoutActiveLanes) {
  const std::string never = "setp.gt.u32 %p1, %lane, 31;\n";
  EXPECT_EQ(TenInstructions(sums(kUniform + never), "@%p1 " + kSum).all_passes(), 0);
}

TEST(ValueObserver, InstructionWithoutSourcesIsUniformOnlyIfItsResultIs) {
  const auto counted = [](const std::string& special, const std::string& name) {
    const auto run = [&](const std::string& setup) {
      return ProbeRun({.setup = setup, .body = clock(0) + clock(1), .keep = {"%r9"}}, kObserved)
          .counter(kPrefix + "integer." + name);
    };
    return run("mov.u32 %r9, " + special + ";\n") - run("mov.u32 %r9, %tid.x;\n");
  };
  // Another read of %tid.x is not executed, because %thread has its value.
  EXPECT_EQ(counted("%laneid", "affine_passes"), 1);
  EXPECT_EQ(counted("%laneid", "uniform_full.passes"), 0);
  EXPECT_EQ(counted("%smid", "affine_passes"), 0);
  EXPECT_EQ(counted("%smid", "uniform_full.passes"), 1);
}

/// A counter of a block of 40 threads, whose second warp has eight threads. Each thread executes
/// `instructions` sums of a value that is the same in all threads.
std::uint64_t in_small_block(int instructions, const std::string& name) {
  ChipRun run(R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry sums(.param .u64 data)
{
  .reg .b32 %r<4>;
  .reg .b64 %l<2>;
  ld.param.u64 %l1, [data];
  ld.global.u32 %r1, [%l1];
  ld.global.u32 %r2, [%l1+4];
)" + repeat(instructions, "add.u32 %r1, %r1, %r2;\n") +
                  R"(
  st.global.u32 [%l1+8], %r1;
  ret;
}
)",
              machine_of(kPlain + kObserved));
  run.launch("sums", {1}, {40}, run.upload(std::vector<std::uint32_t>{1000, 3, 0}));
  return run.counter(kPrefix + name);
}

TEST(ValueObserver, LastWarpOfABlockIsPartial) {
  const auto counted = [](const std::string& name) {
    return in_small_block(15, "integer." + name) - in_small_block(5, "integer." + name);
  };
  EXPECT_EQ(counted("uniform_full.passes"), 10);
  EXPECT_EQ(counted("uniform_full.threads"), 320);
  EXPECT_EQ(counted("uniform_partial.passes"), 10);
  EXPECT_EQ(counted("uniform_partial.threads"), 80);
  EXPECT_EQ(counted("uniform_full.equal_to_other_warp_passes"), 0) << "other lanes are active";
  EXPECT_EQ(counted("uniform_partial.equal_to_other_warp_passes"), 0);
}

// -- recent passes --------------------------------------------------------------------------------

TEST(ValueObserver, FindsPassesOfAnotherWarp) {
  const auto counted = [](const std::string& values, const std::string& instruction,
                          const std::string& name, std::uint32_t warps = 2,
                          const Settings& settings = {}) {
    return TenInstructions(sums(values), instruction, settings, warps).counted("integer." + name);
  };
  EXPECT_EQ(counted(kUniform, kSum, "uniform_full.equal_to_other_warp_passes"), 10);
  EXPECT_EQ(counted(kUniform, kSum, "uniform_full.equal_to_other_warp_threads"), 320);
  EXPECT_EQ(counted(kUniform, kSum, "uniform_full.equal_to_same_warp_passes"), 0);
  EXPECT_EQ(counted(kSquares, kSum, "varying.equal_to_other_warp_passes"), 10);
  // Each warp has a value of its own.
  EXPECT_EQ(counted("mov.u32 %r9, %warp;\n", kSum, "uniform_full.equal_to_other_warp_passes"), 0);
  EXPECT_EQ(counted("mov.u32 %r9, %thread;\n", kSum, "varying.equal_to_other_warp_passes"), 0);
  // One lane differs.
  EXPECT_EQ(counted("shr.u32 %r9, %thread, 5;\nsetp.eq.u32 %p1, %lane, 31;\n"
                    "selp.u32 %r9, %r9, %lane, %p1;\n",
                    kSum, "varying.equal_to_other_warp_passes"),
            0);
  // Equal values, but in seven lanes of the first warp and nine of the second.
  EXPECT_EQ(counted(kUniform + "mad.lo.u32 %r7, %warp, 2, 7;\nsetp.lt.u32 %p1, %lane, %r7;\n",
                    "@%p1 " + kSum, "uniform_partial.equal_to_other_warp_passes"),
            0);
  // All sub-cores of a multiprocessor are observed together.
  EXPECT_EQ(
      counted(kUniform, kSum, "uniform_full.equal_to_other_warp_passes", 4, {"sm.sub_cores=4"}),
      30);
}

/// What ten iterations of a loop add to a counter: the difference of 30 iterations and 20.
std::uint64_t counted_in_loop(const std::string& setup, const std::string& body,
                              const Settings& settings, const std::string& name) {
  const auto run = [&](int iterations) {
    const std::string bound = std::to_string(iterations);
    return ProbeRun({.setup = setup + "mov.u32 %r7, 0;\n",
                     .body = "LOOP:\n.pragma \"nounroll\";\n" + body +
                             "add.u32 %r7, %r7, 1;\nsetp.lt.u32 %p1, %r7, " + bound +
                             ";\n@%p1 bra LOOP;\n",
                     .stamps = 0,
                     .keep = {"%r9"}},
                    kObserved + settings)
        .counter(kPrefix + name);
  };
  return run(30) - run(20);
}

TEST(ValueObserver, ComparesWithTheLastPassesOfTheWindow) {
  // In every second iteration the exclusive or has the same sources. An iteration has three passes
  // with results, so an equal one is six passes back.
  const auto counted = [](int window, const std::string& name) {
    return counted_in_loop("ld.global.u32 %r8, [%data+64];\nld.global.u32 %r9, [%data+128];\n",
                           "xor.b32 %r9, %r9, %r8;\n",
                           {"redundancy.observe_window=" + std::to_string(window)}, name);
  };
  for (const int window : {5, 6}) {
    EXPECT_EQ(counted(window, "integer.uniform_full.passes"), 20);
    EXPECT_EQ(counted(window, "predicate.uniform_full.passes"), 10);
    EXPECT_EQ(counted(window, "integer.uniform_full.equal_to_other_warp_passes"), 0);
    EXPECT_EQ(counted(window, "predicate.uniform_full.equal_to_same_warp_passes"), 0);
  }
  EXPECT_EQ(counted(6, "integer.uniform_full.equal_to_same_warp_passes"), 10);
  EXPECT_EQ(counted(5, "integer.uniform_full.equal_to_same_warp_passes"), 0);
}

TEST(ValueObserver, LoadIsEqualOnlyIfItLoadsTheSameValue) {
  const auto counted = [](const std::string& stored) {
    return counted_in_loop("",
                           "st.volatile.global.u32 [%result], " + stored +
                               ";\nld.volatile.global.u32 %r9, [%result];\n",
                           {}, "global_load.uniform_full.equal_to_same_warp_passes");
  };
  EXPECT_EQ(counted("%warps"), 10);
  EXPECT_EQ(counted("%r7"), 0) << "each iteration stores and loads another value";
}

// -- branches -------------------------------------------------------------------------------------

TEST(ValueObserver, CountsGuardedBranches) {
  const auto branches = [](const std::string& condition) {
    return TenInstructions({.setup = condition, .body = ""},
                           "@%p1 bra SKIP#;\nst.volatile.global.u32 [%result], %lane;\nSKIP#:\n");
  };
  const TenInstructions none = branches("setp.gt.u32 %p1, %lane, 31;\n");
  EXPECT_EQ(none.counted("branch.passes"), 10);
  EXPECT_EQ(none.counted("branch.threads"), 320);
  EXPECT_EQ(none.counted("branch.uniform_passes"), 10);
  EXPECT_EQ(branches("setp.lt.u32 %p1, %lane, 32;\n").counted("branch.uniform_passes"), 10);
  const TenInstructions some = branches(kFirstSeven);
  EXPECT_EQ(some.counted("branch.passes"), 10);
  EXPECT_EQ(some.counted("branch.uniform_passes"), 0);
  EXPECT_EQ(some.counted("branch.uniform_threads"), 0);
}

// -- passes of several static warps ---------------------------------------------------------------

TEST(ValueObserver, ObservesPackedPasses) {
  // A large warp of eight static warps. %p1 is true for the first half of the lanes of even ones
  // and for the second half of odd ones, so that two of them share a pass.
  const auto in_large_warp = [](const std::string& values) {
    const std::string halves =
        "shr.u32 %r1, %lane, 4;\nand.b32 %r2, %warp, 1;\nsetp.eq.u32 %p1, %r1, %r2;\n";
    Probe probe = sums(values + halves + "@!%p1 bra MEET;\n");
    probe.body = "MEET:\n";
    return TenInstructions(
        probe, kSum,
        load_machine("large-warps",
                     kObserved + Settings{"icache.bytes=0", "divergence.policy=large-warp",
                                          "divergence.large_warp=256"}),
        8);
  };
  const TenInstructions equal = in_large_warp(kUniform);
  EXPECT_EQ(equal.counted("integer.uniform_full.passes"), 10 * 4);
  EXPECT_EQ(equal.counted("integer.uniform_full.threads"), 10 * 128);
  EXPECT_EQ(equal.counted("integer.uniform_full.equal_to_other_warp_passes"), 10 * 3)
      << "each pass has two static warps that no other pass has";
  EXPECT_EQ(in_large_warp("mul.lo.u32 %r9, %warp, 3;\n").counted("integer.varying.passes"), 10 * 4);
}

// -- without effect -------------------------------------------------------------------------------

/// The name and value of each counter that is not the observer's, and not one that exists only if
/// passes are planned.
std::vector<std::pair<std::string, std::uint64_t>> others(const WorkloadOnChip& run,
                                                          std::size_t launch) {
  std::vector<std::pair<std::string, std::uint64_t>> counters;
  for (std::size_t i = 0; i < run.counters.size(); ++i) {
    const std::string& name = run.counters[i].name;
    if (name.starts_with(kPrefix) || name.starts_with("operands.one_lane_")) continue;
    counters.emplace_back(name, run.runs[launch].counters[i]);
  }
  return counters;
}

void expect_same_timing(const DivergenceSetup& setup, const std::string& workload) {
  const WorkloadOnChip plain = run_on_chip(setup.load(), workload);
  const WorkloadOnChip observed =
      run_on_chip(load_machine(setup.machine, setup.settings + kObserved), workload);
  EXPECT_TRUE(observed.result.check.passed()) << workload << " on " << setup.name();
  ASSERT_EQ(plain.runs.size(), observed.runs.size());
  for (std::size_t i = 0; i < plain.runs.size(); ++i) {
    EXPECT_EQ(plain.runs[i].cycles, observed.runs[i].cycles) << workload << " on " << setup.name();
    EXPECT_EQ(others(plain, i), others(observed, i)) << workload << " on " << setup.name();
  }
  EXPECT_GT(sum_of(observed.runs.front(), observed.counters, kPrefix), 0U);
}

TEST(ValueObserver, ChangesNoTiming) {
  std::vector<DivergenceSetup> setups = divergence_setups();
  for (const std::string& machine : kBaselines) setups.push_back({machine, {}});
  setups.push_back({"storage", {"operands.policy=managed"}});
  setups.push_back({"storage", {"operands.policy=register-cache"}});
  setups.push_back({"ilp", {"units.bypass=yes"}});
  setups.push_back({"preexec", {"sm.sub_cores=2", "schedule.schedulers=1"}});
  std::vector<std::string> names{"bfs", "reduction", "histogram", "convolution-texture"};
  if (kSanitized) names = {"n-queens"};
  for (const DivergenceSetup& setup : setups) {
    for (const std::string& name : names) expect_same_timing(setup, name);
  }
}

TEST(ValueObserver, LeavesThePlansOfThePolicyAsTheyAre) {
  for (const Settings& plan :
       {Settings{"redundancy.slices=1"}, Settings{"redundancy.slices=0", "redundancy.skipped=3"},
        Settings{"redundancy.copies=2", "redundancy.held=3"}}) {
    expect_same_timing({"large-warps", Settings{"redundancy.policy=same-values"} + plan}, "bfs");
  }
}

}  // namespace
}  // namespace heddle::gpu::test
