// Which operations of lanes are counted and take energy: those of threads whose guard holds, once
// for each hardware instruction that an instruction represents.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "energy/account.h"
#include "gpu/divergence_setups.h"
#include "gpu/timing/probe.h"
#include "gpu/workload_on_chip.h"

namespace heddle::gpu::test {
namespace {

/// Every unit accepts a warp per cycle.
const Settings kWideUnits{"units.integer.lanes=32", "units.fp32.lanes=32", "units.fp64.lanes=32",
                          "units.special.lanes=32"};

ProbeRun run_of(const std::string& instructions, const Settings& settings = {}) {
  return ProbeRun({.setup = "setp.lt.u32 %p1, %lane, 7;\nld.global.u32 %r20, [%data+8];\n" +
                            repeat(10,
                                   "ld.global.f32 %f2#, [%data+0x#00];\n"
                                   "mov.f32 %f1#, %f2#;\nmov.u32 %r1#, %lane;\n"),
                   .body = clock(0) + instructions + "MEET:\n" + clock(1),
                   .keep = registers("%f", 10, 10) + registers("%r", 10, 10)},
                  kWideUnits + settings);
}

/// What the instructions add to a counter.
std::uint64_t added(const std::string& instructions, const std::string& counter,
                    const std::string& around = "", const Settings& settings = {}) {
  return run_of(around + instructions, settings).counter(counter) -
         run_of(around, settings).counter(counter);
}

const std::string kSixSums = repeat(6, "add.rn.f32 %f1#, %f2#, %f29;\n");

TEST(LaneOperations, CountsAllLanesOfAFullWarp) {
  EXPECT_EQ(added(kSixSums, "units.fp32.lane_operations"), 6U * 32);
  EXPECT_EQ(added(kSixSums, "units.integer.lane_operations"), 0U);
}

TEST(LaneOperations, CountsOnlyLanesWhoseGuardHolds) {
  const std::string guarded = repeat(6, "@%p1 add.rn.f32 %f1#, %f2#, %f29;\n");
  EXPECT_EQ(added(guarded, "units.fp32.lane_operations"), 6U * 7);
  EXPECT_EQ(added(guarded, "units.fp32.instructions"), 6U);
}

TEST(LaneOperations, CountsOnlyLanesOnThePath) {
  // So much code is not predicated by the compiler.
  const std::string branch = "@!%p1 bra MEET;\n" +
                             repeat(30, "mad.lo.u32 %r10, %r10, %r20, %r20;\n") +
                             "st.global.u32 [%result], %r10;\n";
  EXPECT_EQ(added(kSixSums, "units.fp32.lane_operations", branch), 6U * 7);
}

TEST(LaneOperations, CountsEachHardwareInstructionOfADivision) {
  // With 32 lanes, the unit is busy for one cycle for each hardware instruction.
  const std::string division = "div.u32 %r11, %r12, %r20;\n";
  const std::uint64_t hardware_instructions = added(division, "units.integer.busy_cycles");
  EXPECT_GT(hardware_instructions, 1U);
  EXPECT_EQ(added(division, "units.integer.instructions"), 1U);
  EXPECT_EQ(added(division, "units.integer.lane_operations"), hardware_instructions * 32);
  // A sum has the same sources and result, and is one hardware instruction.
  const std::string sum = "add.u32 %r11, %r12, %r20;\n";
  EXPECT_EQ(added("@%p1 " + division, "units.integer.lane_operations") -
                added("@%p1 " + sum, "units.integer.lane_operations"),
            (hardware_instructions - 1) * 7);
}

TEST(LaneOperations, CountsThreadsAtTheMispredictedBranch) {
  // 7 threads come to the branch, which is taken but predicted as not taken. The wrong path of the
  // branch in the setup, which 25 threads take, ends at once, at a load.
  const auto run = [](int resolve_cycles) {
    return ProbeRun(
        {.setup = "setp.lt.u32 %p1, %lane, 7;\nld.global.u32 %r20, [%data+8];\n"
                  "setp.ne.u32 %p2, %r20, 77;\n" +
                  repeat(20, "mov.u32 %r#, %lane;\n") + "@!%p1 bra MEET;\n",
         .body = "@%p2 bra LATER;\n" + repeat(12, "add.u32 %r#, %r20, #;\n") +
                 repeat(30, "mad.lo.u32 %r12, %r12, %r20, %r20;\n") +
                 "st.global.u32 [%result], %r12;\nLATER:\nMEET:\n",
         .stamps = 0,
         .keep = registers("%r", 20)},
        kWideUnits + Settings{"branch.policy=static",
                              "branch.resolve_cycles=" + std::to_string(resolve_cycles)});
  };
  const ProbeRun slow = run(9);
  const ProbeRun fast = run(1);
  const auto more = [&](const std::string& counter) {
    return slow.counter(counter) - fast.counter(counter);
  };
  EXPECT_EQ(more("scheduler.wrong_path"), 8U);
  EXPECT_EQ(more("units.integer.instructions"), 8U);
  EXPECT_EQ(more("units.integer.lane_operations"), 8U * 7);
}

TEST(LaneOperations, CountsLanesOfAtomics) {
  const std::string atomic = "mul.wide.u32 %l1, %lane, 4;\nadd.u64 %l1, %l1, %result;\n";
  const auto atomics = [&](const std::string& guard, const std::string& counter) {
    return added(guard + "atom.global.add.u32 %r11, [%l1], 5;\n", counter, atomic);
  };
  EXPECT_EQ(atomics("", "atomic.lane_operations"), 32U);
  EXPECT_EQ(atomics("@%p1 ", "atomic.lane_operations"), 7U);
  EXPECT_EQ(atomics("@%p1 ", "atomic.performed"), 1U);
}

TEST(LaneOperations, TakeEnergyOneByOne) {
  const auto picojoules = [](const std::string& instructions) {
    const std::string name = "units.fp32.lane_operations";
    return energy::account(energy::load_technology("published-40nm"), machine_of(kPlain),
                           {.counters = {{name, added(instructions, name)}}})
        .find(energy::Component::fp32_units)
        .dynamic_energy;
  };
  // An operation takes 4.6 * 0.889 = 4.0894 pJ.
  EXPECT_EQ(picojoules(kSixSums), 785U);                                          // 6 * 32.
  EXPECT_EQ(picojoules(repeat(6, "@%p1 add.rn.f32 %f1#, %f2#, %f29;\n")), 172U);  // 6 * 7.
}

/// The operations of a run, by counter.
std::map<std::string, std::uint64_t> operations_of(const Machine& machine,
                                                   const std::string& workload) {
  const WorkloadOnChip run = run_on_chip(machine, workload);
  EXPECT_TRUE(run.result.check.passed()) << workload;
  std::map<std::string, std::uint64_t> operations;
  for (const char* const counter :
       {"units.integer.lane_operations", "units.fp32.lane_operations",
        "units.special.lane_operations", "atomic.lane_operations", "lsu.texture_lanes"}) {
    for (const KernelRun& launch : run.runs) {
      operations[counter] += counter_of(launch, run.counters, counter);
    }
  }
  return operations;
}

// Threads of these programs execute the same instructions, however they are grouped.
TEST(LaneOperations, DoNotDependOnTheGroupingOfThreads) {
  for (const std::string workload : {"mandelbrot", "convolution-texture", "histogram"}) {
    const auto expected = operations_of(load_machine("large-warps"), workload);
    EXPECT_GT(expected.at("units.integer.lane_operations"), 0U);
    for (const DivergenceSetup& setup : divergence_setups()) {
      if (setup.machine != "large-warps") continue;
      EXPECT_EQ(operations_of(setup.load(), workload), expected)
          << workload << " on " << setup.name();
    }
  }
}

}  // namespace
}  // namespace heddle::gpu::test
