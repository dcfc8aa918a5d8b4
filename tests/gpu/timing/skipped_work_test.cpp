// A redundancy policy that skips the unit and half of the register accesses of uniform
// instructions: instructions whose active threads all read the same values. It counts what it
// skips.

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "energy/account.h"
#include "gpu/divergence_setups.h"
#include "gpu/timing/probe.h"
#include "gpu/workload_on_chip.h"
#include "sm/redundancy/redundancy.h"

namespace heddle::gpu::test {
namespace {

struct UniformSkipsParameters {
  std::uint32_t result_latency = 1;
  std::uint32_t source_latency = 0;
  bool global_loads = false;

  void declare(config::Declarations& parameters) {
    parameters.number("result_latency", result_latency, {.least = 1, .most = 99},
                      "cycles from operands to result when the unit is skipped");
    parameters.number("source_latency", source_latency, {.least = 0, .most = 99},
                      "cycles from issue to the operands that are not read");
    parameters.flag("global_loads", global_loads, "whether loads from global memory are skipped");
  }
};

class UniformSkips final : public sm::Redundancy {
 public:
  explicit UniformSkips(const UniformSkipsParameters& parameters)
      : result_latency_(parameters.result_latency),
        source_latency_(parameters.source_latency),
        skips_global_loads_(parameters.global_loads) {}

  void started(sm::WarpSlot, std::span<const sm::StaticWarp> static_warps, Cycle) override {
    ++started_slots_;
    for (const sm::StaticWarp& static_warp : static_warps) {
      ++started_static_warps_;
      live_ |= sm::set_of(static_warp.hardware_warp);
    }
  }
  void ended(sm::HardwareWarpId hardware_warp, Cycle) override {
    ++ended_static_warps_;
    live_ &= ~sm::set_of(hardware_warp);
  }
  sm::Plan plan(const sm::PassValues& before, Cycle now) override {
    const sm::IssueInfo& instruction = before.instruction();
    if (instruction.reads_time) clock_read_at_ = now.number;
    if (!is_live(before)) ++plans_without_start_;
    if (!is_skipped(before)) return {};
    sm::Plan plan{.source_latency = source_latency_};
    for (std::size_t i = 1; i < before.reads().size(); i += 2) {
      plan.accessed.reads = plan.accessed.reads.without(i);
      if (before.reads()[i] < sm::kFirstPredicate) ++skipped_reads_;
    }
    plan.accessed.writes = sm::RegisterSelection::none();
    for (const std::uint16_t reg : before.writes()) {
      if (reg < sm::kFirstPredicate) ++skipped_writes_;
    }
    // Stores and atomics access memory all the same.
    if (skips_global_loads_ || instruction.route != sm::MemoryRoute::global ||
        instruction.kind != sm::InstructionKind::load) {
      plan.slices = 0;
      plan.skip_latency = result_latency_;
      ++skipped_passes_;
    }
    return plan;
  }
  void observe_executed(const sm::PassValues&, Cycle) override {}
  void declare(CounterList& counters) override {
    counters.add("skipped_passes", skipped_passes_, "passes", "that skipped their unit");
    counters.add("skipped_reads", skipped_reads_, "registers", "");
    counters.add("skipped_writes", skipped_writes_, "registers", "");
    counters.add("started_slots", started_slots_, "warps", "");
    counters.add("started_static_warps", started_static_warps_, "static warps", "");
    counters.add("ended_static_warps", ended_static_warps_, "static warps", "");
    counters.add("plans_without_start", plans_without_start_, "passes",
                 "of static warps that had not started, or had ended");
    counters.add("clock_read_at", clock_read_at_, "core cycles", "the last one");
  }

 private:
  static bool is_skipped(const sm::PassValues& before) {
    if (before.instruction().kind == sm::InstructionKind::arithmetic &&
        !before.instruction().is_repeatable) {
      return false;
    }
    return std::all_of(before.reads().begin(), before.reads().end(),
                       [&](std::uint16_t number) { return before.is_uniform(number); });
  }
  bool is_live(const sm::PassValues& before) const {
    return (live_ & sm::set_of(before.hardware_warp(before.lanes().lowest()))) != 0;
  }

  Cycles result_latency_;
  Cycles source_latency_;
  bool skips_global_loads_;
  sm::WarpSet live_ = 0;  ///< The hardware warps of static warps that have started.
  std::uint64_t skipped_passes_ = 0;
  std::uint64_t skipped_reads_ = 0;
  std::uint64_t skipped_writes_ = 0;
  std::uint64_t started_slots_ = 0;
  std::uint64_t started_static_warps_ = 0;
  std::uint64_t ended_static_warps_ = 0;
  std::uint64_t plans_without_start_ = 0;
  std::uint64_t clock_read_at_ = 0;
};

const sm::RedundancyRegistry::Entry uniform_skips_entry{
    "uniform-skips", "for tests: skips the unit and half of the registers of uniform instructions",
    [](const UniformSkipsParameters& parameters, const sm::RedundancyDescription&) {
      return std::make_unique<UniformSkips>(parameters);
    }};

const Settings kNone{"redundancy.policy=none"};

Settings skips(int result_latency, int source_latency = 0) {
  return {"redundancy.policy=uniform-skips",
          "redundancy.result_latency=" + std::to_string(result_latency),
          "redundancy.source_latency=" + std::to_string(source_latency)};
}

/// A register file whose only bank reads one register per cycle, and a fp32 unit that accepts a
/// warp per cycle.
const Settings kOneBank{
    "operands.policy=banked", "operands.banks=1",       "operands.ports=1r1w",
    "operands.collectors=8",  "operands.read_cycles=1", "units.shared_alu=no",
    "units.fp32.lanes=32",    "units.fp32.latency=8",   "units.integer.lanes=32"};

const std::string kUniform = repeat(10, "ld.global.f32 %f2#, [%data+0x#00];\n");
const std::string kPerLane = "mul.wide.u32 %l1, %lane, 4;\nadd.u64 %l1, %l1, %data;\n" +
                             repeat(10, "ld.global.f32 %f2#, [%l1+0x#00];\n");

ProbeRun measure(const std::string& values, const std::string& instructions,
                 const Settings& settings) {
  return ProbeRun(
      {.setup = values,
       .body = clock(0) + instructions + clock(1),
       .keep = registers("%f", 10, 10) + registers("%f", 10, 20) + registers("%f", 4, 30)},
      kOneBank + settings);
}

/// Each addition reads two registers and writes one.
const std::string kDependentSums = repeat(5, "add.rn.f32 %f20, %f20, %f21;\n");
const std::string kIndependentSums = repeat(6, "add.rn.f32 %f1#, %f2#, %f29;\n");

TEST(SkippedWork, UniformChainWaitsForOneReadAndTheSkipLatency) {
  const auto cycles = [](const std::string& values, const Settings& settings) {
    return measure(values, kDependentSums, settings).cycles();
  };
  // Two reads of the bank, and the unit.
  EXPECT_EQ(cycles(kUniform, kNone), 1 + 4 * (2 + 8) + 1);
  EXPECT_EQ(cycles(kPerLane, skips(3)), 1 + 4 * (2 + 8) + 1);
  // One read of the bank. The result is neither computed nor written.
  for (const int latency : {1, 3, 6}) {
    EXPECT_EQ(cycles(kUniform, skips(latency)), 1 + 4 * (1 + latency) + 1) << latency;
  }
  // The other source arrives later than the one that is read.
  EXPECT_EQ(cycles(kUniform, skips(3, 1)), 1 + 4 * (1 + 3) + 1);
  EXPECT_EQ(cycles(kUniform, skips(3, 5)), 1 + 4 * (5 + 3) + 1);
}

TEST(SkippedWork, UnitAcceptsOthersWhileItIsSkipped) {
  const Settings narrow{"operands.policy=flat", "units.fp32.lanes=8"};
  EXPECT_EQ(measure(kUniform, kIndependentSums, narrow).cycles(), 1 + 5 * 4 + 1);
  EXPECT_EQ(measure(kUniform, kIndependentSums, narrow + skips(3)).cycles(), 1 + 5 * 1 + 1);
}

TEST(SkippedWork, CollectorIsFreeAfterOneRead) {
  const Settings one_collector{"operands.collectors=1"};
  EXPECT_EQ(measure(kUniform, kIndependentSums, one_collector).cycles(), 1 + 6 * 2);
  EXPECT_EQ(measure(kUniform, kIndependentSums, one_collector + skips(3)).cycles(), 1 + 6 * 1);
}

using Counts = std::map<std::string, std::uint64_t, std::less<>>;

/// What the instructions add to the counters of a run.
Counts counts_of(const std::string& instructions, const Settings& settings,
                 const std::vector<std::string>& names) {
  const ProbeRun with = measure(kUniform, instructions, settings);
  const ProbeRun without = measure(kUniform, "", settings);
  Counts counts;
  for (const std::string& name : names) counts[name] = with.counter(name) - without.counter(name);
  return counts;
}

const std::vector<std::string> kWork{"operands.reads",
                                     "operands.writes",
                                     "units.fp32.instructions",
                                     "units.fp32.busy_cycles",
                                     "units.fp32.lane_operations",
                                     "sm.warp_instructions",
                                     "sm.thread_instructions"};

TEST(SkippedWork, IsCountedByThePolicyAlone) {
  EXPECT_EQ(counts_of(kDependentSums, kNone, kWork), (Counts{{"operands.reads", 10},
                                                             {"operands.writes", 5},
                                                             {"units.fp32.instructions", 5},
                                                             {"units.fp32.busy_cycles", 5},
                                                             {"units.fp32.lane_operations", 160},
                                                             {"sm.warp_instructions", 5},
                                                             {"sm.thread_instructions", 160}}));
  EXPECT_EQ(counts_of(kDependentSums, skips(3), kWork), (Counts{{"operands.reads", 5},
                                                                {"operands.writes", 0},
                                                                {"units.fp32.instructions", 0},
                                                                {"units.fp32.busy_cycles", 0},
                                                                {"units.fp32.lane_operations", 0},
                                                                {"sm.warp_instructions", 5},
                                                                {"sm.thread_instructions", 160}}));
  EXPECT_EQ(counts_of(kDependentSums, skips(3),
                      {"redundancy.skipped_passes", "redundancy.skipped_reads",
                       "redundancy.skipped_writes"}),
            (Counts{{"redundancy.skipped_passes", 5},
                    {"redundancy.skipped_reads", 5},
                    {"redundancy.skipped_writes", 5}}));
}

TEST(SkippedWork, TakesNoEnergy) {
  const Machine machine = machine_of(kPlain + kOneBank);
  const auto account = [&](const std::string& technology, const Counts& counts) {
    return energy::account(energy::load_technology(technology), machine, {.counters = counts});
  };
  const Counts all = counts_of(kDependentSums, kNone, kWork);
  const Counts some = counts_of(kDependentSums, skips(3), kWork);
  const auto unit_energy = [&](const Counts& counts) {
    return account("published-40nm", counts).find(energy::Component::fp32_units).dynamic_energy;
  };
  EXPECT_GT(unit_energy(all), 0);
  EXPECT_EQ(unit_energy(some), 0);
  const auto register_energy = [&](const Counts& counts) {
    return account("storage-40nm", counts).registers.actual;
  };
  EXPECT_EQ(register_energy(all),
            register_energy({{"operands.reads", 10}}) + register_energy({{"operands.writes", 5}}));
  EXPECT_EQ(register_energy(some), register_energy({{"operands.reads", 5}}));
}

// -- memory ---------------------------------------------------------------------------------------

/// Cycles from the issue of a load from shared memory to the use of its result.
ProbeRun load_and_use(const std::string& loads, const Settings& settings) {
  return ProbeRun({.setup = "mov.u32 %r20, array;\n",
                   .body = clock(0) + loads + "add.u32 %r50, %r1, 5;\n" + clock(1),
                   .keep = {"%r1", "%r50"},
                   .declarations = ".shared .align 16 .b8 array[64];\n"},
                  Settings{"scratchpad.latency=23"} + settings);
}

TEST(SkippedWork, SkippedLoadDoesNotAccessMemory) {
  const std::string load = "ld.shared.u32 %r1, [%r20];\n";
  EXPECT_EQ(load_and_use(load, kNone).cycles(), 1 + 23 + 1);
  EXPECT_EQ(load_and_use(load, kNone).counter("scratchpad.accesses"), 1);
  for (const int latency : {1, 4}) {
    const ProbeRun skipped = load_and_use(load, skips(latency));
    EXPECT_EQ(skipped.cycles(), 1 + latency + 1);
    EXPECT_EQ(skipped.counter("scratchpad.accesses"), 0);
  }
}

TEST(SkippedWork, SkippedGlobalLoadIsNoLongWait) {
  const auto run = [](int latency) {
    return measure("", "ld.global.f32 %f10, [%data];\nadd.f32 %f20, %f10, %f10;\n",
                   skips(latency) + Settings{"redundancy.global_loads=yes"});
  };
  const ProbeRun slow = run(30);
  const ProbeRun fast = run(10);
  EXPECT_EQ(slow.cycles(), fast.cycles() + 20) << "the sum waits for the load";
  EXPECT_EQ(slow.counter("warp.long_scoreboard"), fast.counter("warp.long_scoreboard"));
  EXPECT_GT(slow.counter("warp.wait"), fast.counter("warp.wait"));
}

TEST(SkippedWork, LoadThatAccessesMemoryWritesOnlyPlannedRegisters) {
  // The first four loads miss the L1 and the others hit. Each reads the two registers of the
  // address and writes one.
  const std::string loads = repeat(4, "ld.global.f32 %f1#, [%data+0x1#000];\n") +
                            "add.f32 %f18, %f13, %f12;\n" +
                            repeat(4, "ld.global.f32 %f3#, [%data+0x1#008];\n");
  const std::vector<std::string> names{"operands.reads", "operands.writes", "l1.accesses"};
  const std::string add_only = "add.f32 %f18, %f23, %f22;\n";
  const auto of_loads = [&](const Settings& settings) {
    Counts counts = counts_of(loads, settings, names);
    for (const auto& [name, count] : counts_of(add_only, settings, names)) counts[name] -= count;
    return counts;
  };
  EXPECT_EQ(of_loads(kNone),
            (Counts{{"operands.reads", 16}, {"operands.writes", 8}, {"l1.accesses", 8}}));
  EXPECT_EQ(of_loads(skips(1)),
            (Counts{{"operands.reads", 8}, {"operands.writes", 0}, {"l1.accesses", 8}}));
}

// -- what the policy is told ----------------------------------------------------------------------

TEST(SkippingPolicy, LearnsTheCycleOfIssue) {
  const ProbeRun run = measure(kUniform, kDependentSums, skips(1));
  EXPECT_EQ(run.counter("redundancy.clock_read_at"), run.stamp(1));
}

TEST(SkippingPolicy, LearnsOfStartsAndEndsOfStaticWarps) {
  const std::map<std::string, Settings> groupings{
      {"stack", {}}, {"large-warp", large_warps_of(64)}, {"dynamic-formation", kMajority}};
  for (const auto& [name, grouping] : groupings) {
    const ProbeRun run({.setup = "setp.lt.u32 %p1, %lane, 7;\n@%p1 bra MEET;\n",
                        .body = "add.u32 %r1, %r1, %lane;\nMEET:\n",
                        .stamps = 0,
                        .keep = {"%r1"}},
                       load_machine("large-warps", grouping + skips(1)), 8, 20);
    EXPECT_EQ(run.counter("redundancy.started_static_warps"), 8 * 20) << name;
    EXPECT_EQ(run.counter("redundancy.ended_static_warps"), 8 * 20) << name;
    EXPECT_EQ(run.counter("redundancy.plans_without_start"), 0) << name;
    EXPECT_EQ(run.counter("redundancy.started_slots"), name == "large-warp" ? 4 * 20 : 8 * 20);
  }
}

TEST(SkippingPolicy, ChangesNoResult) {
  std::vector<DivergenceSetup> setups = divergence_setups();
  setups.push_back({"preexec", {}});
  setups.push_back({"storage", {"operands.policy=register-cache"}});
  setups.push_back({"storage", {"operands.policy=managed"}});
  std::vector<std::string> names{"bfs"};
  if (!kSanitized) names.insert(names.end(), {"reduction", "histogram"});
  for (const DivergenceSetup& setup : setups) {
    const Machine machine = load_machine(setup.machine, setup.settings + skips(2));
    for (const std::string& name : names) {
      const WorkloadOnChip run = run_on_chip(machine, name);
      EXPECT_TRUE(run.result.check.passed()) << name << " on " << setup.name();
      const auto counted = [&](const std::string& counter) {
        return counter_of(run.runs.front(), run.counters, "redundancy." + counter);
      };
      EXPECT_GT(counted("skipped_passes"), 0) << name << " on " << setup.name();
      EXPECT_EQ(counted("plans_without_start"), 0) << name << " on " << setup.name();
      EXPECT_EQ(counted("started_static_warps"), counted("ended_static_warps"))
          << name << " on " << setup.name();
    }
  }
}

}  // namespace
}  // namespace heddle::gpu::test
