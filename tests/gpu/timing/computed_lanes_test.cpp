// Plans that compute an instruction in few lanes, and that access one lane of its registers: their
// counters and energies. The test policy makes such plans for passes whose active threads all have
// the same source values.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "energy/account.h"
#include "gpu/timing/probe.h"
#include "sm/redundancy/redundancy.h"

namespace heddle::gpu::test {
namespace {

struct OneLaneParameters {
  std::uint32_t computed = 1;
  std::uint32_t sent = 1;
  std::uint32_t moves = 0;
  bool one_lane = true;

  void declare(config::Declarations& parameters) {
    parameters.number("computed", computed, {.least = 1, .most = 32}, "lanes that are computed");
    parameters.number("sent", sent, {.least = 0, .most = 32}, "slices through the unit");
    parameters.number("moves", moves, {.least = 0, .most = 9}, "register moves before it");
    parameters.flag("one_lane", one_lane, "whether registers are accessed in one lane");
  }
};

class OneLane final : public sm::Redundancy {
 public:
  explicit OneLane(const OneLaneParameters& parameters)
      : plan_{.slices = parameters.sent,
              .computed_lanes = parameters.computed,
              .copies = parameters.moves} {
    if (!parameters.one_lane) return;
    plan_.one_lane = {.reads = sm::RegisterSelection::all(),
                      .writes = sm::RegisterSelection::all()};
  }

  sm::Plan plan(const sm::PassValues& before, Cycle) override {
    const sm::IssueInfo& instruction = before.instruction();
    const bool is_planned =
        instruction.kind != sm::InstructionKind::arithmetic || instruction.is_repeatable;
    const bool is_uniform =
        std::all_of(before.reads().begin(), before.reads().end(),
                    [&](std::uint16_t number) { return before.is_uniform(number); });
    return is_planned && is_uniform ? plan_ : sm::Plan{};
  }
  void observe_executed(const sm::PassValues&, Cycle) override {}
  void declare(CounterList&) override {}

 private:
  sm::Plan plan_;
};

const sm::RedundancyRegistry::Entry one_lane_entry{
    "one-lane", "for tests: computes uniform instructions in one lane, or in a few",
    [](const OneLaneParameters& parameters, const sm::RedundancyDescription&) {
      return std::make_unique<OneLane>(parameters);
    }};

const Settings kOneLane{"redundancy.policy=one-lane"};
const Settings kOneBank{
    "operands.policy=banked", "operands.banks=1",       "operands.ports=1r1w",
    "operands.collectors=8",  "operands.read_cycles=1", "units.shared_alu=no",
    "units.fp32.lanes=8",     "units.fp32.latency=8",   "units.integer.lanes=32"};

const std::string kUniform = repeat(10, "ld.global.f32 %f2#, [%data+0x#00];\n");
const std::string kPerLane = "mul.wide.u32 %l1, %lane, 4;\nadd.u64 %l1, %l1, %data;\n" +
                             repeat(10, "ld.global.f32 %f2#, [%l1+0x#00];\n");
/// Each reads two registers and writes one.
const std::string kSixSums = repeat(6, "add.rn.f32 %f1#, %f2#, %f29;\n");

ProbeRun run_of(const std::string& values, const std::string& instructions,
                const Settings& settings) {
  return ProbeRun(
      {.setup = "setp.lt.u32 %p1, %lane, 7;\n" + values,
       .body = clock(0) + instructions + clock(1),
       .keep = registers("%f", 10, 10) + registers("%f", 10, 20) + registers("%f", 4, 30)},
      kOneBank + settings);
}

using Counts = std::map<std::string, std::uint64_t, std::less<>>;

/// What the instructions add to the counters.
Counts counts_of(const std::string& values, const std::string& instructions,
                 const Settings& settings, const std::vector<std::string>& names) {
  const ProbeRun with = run_of(values, instructions, settings);
  const ProbeRun without = run_of(values, "", settings);
  Counts counts;
  for (const std::string& name : names) counts[name] = with.counter(name) - without.counter(name);
  return counts;
}

std::uint64_t computed(const std::string& values, const std::string& instructions,
                       const Settings& settings) {
  const std::string name = "units.fp32.lane_operations";
  return counts_of(values, instructions, settings, {name})[name];
}

TEST(ComputedLanes, AreThoseOfThePlan) {
  EXPECT_EQ(computed(kUniform, kSixSums, kOneLane), 6U * 1);
  EXPECT_EQ(computed(kUniform, kSixSums, kOneLane + Settings{"redundancy.computed=2"}), 6U * 2);
  EXPECT_EQ(computed(kPerLane, kSixSums, kOneLane), 6U * 32);
  EXPECT_EQ(computed(kUniform, kSixSums, {"redundancy.policy=none"}), 6U * 32);
}

TEST(ComputedLanes, AreAtMostThoseWhoseGuardHolds) {
  const std::string guarded = repeat(6, "@%p1 add.rn.f32 %f1#, %f2#, %f29;\n");
  const Settings many = kOneLane + Settings{"redundancy.computed=9"};
  const std::string initial = repeat(10, "mov.f32 %f1#, %f20;\n");
  EXPECT_EQ(computed(kUniform + initial, guarded, many), 6U * 7);
  EXPECT_EQ(computed(kUniform, kSixSums, many), 6U * 9);
}

TEST(ComputedLanes, AreNoneInASkippedUnit) {
  EXPECT_EQ(computed(kUniform, kSixSums, kOneLane + Settings{"redundancy.sent=0"}), 0U);
}

TEST(ComputedLanes, OfARegisterMoveAreAllOfTheWarp) {
  const std::vector<std::string> names{"units.integer.lane_operations"};
  EXPECT_EQ(counts_of(kUniform, kSixSums, kOneLane + Settings{"redundancy.moves=2"}, names),
            (Counts{{names[0], 6 * 2 * 32}}));
  EXPECT_EQ(counts_of(kUniform, kSixSums, kOneLane, names), (Counts{{names[0], 0}}));
}

const std::vector<std::string> kAccesses{"operands.reads", "operands.one_lane_reads",
                                         "operands.writes", "operands.one_lane_writes"};

TEST(OneLaneRegisters, AreCountedAmongTheAccesses) {
  EXPECT_EQ(counts_of(kUniform, kSixSums, kOneLane, kAccesses),
            (Counts{{"operands.reads", 12},
                    {"operands.one_lane_reads", 12},
                    {"operands.writes", 6},
                    {"operands.one_lane_writes", 6}}));
  EXPECT_EQ(counts_of(kPerLane, kSixSums, kOneLane, kAccesses),
            (Counts{{"operands.reads", 12},
                    {"operands.one_lane_reads", 0},
                    {"operands.writes", 6},
                    {"operands.one_lane_writes", 0}}));
}

TEST(OneLaneRegisters, IncludeResultsOfLoadsThatHitAndMiss) {
  // Each load reads the two registers of the address. The first four miss the L1, and the others
  // hit.
  const std::string loads = repeat(4, "ld.global.f32 %f1#, [%data+0x1#000];\n") +
                            "add.f32 %f18, %f13, %f12;\n" +
                            repeat(4, "ld.global.f32 %f3#, [%data+0x1#008];\n");
  EXPECT_EQ(counts_of(kUniform, loads, kOneLane, kAccesses),
            (Counts{{"operands.reads", 18},
                    {"operands.one_lane_reads", 18},
                    {"operands.writes", 9},
                    {"operands.one_lane_writes", 9}}));
}

TEST(OneLaneRegisters, TakeTheTimeOfWholeOnes) {
  const auto cycles = [](const Settings& settings) {
    return run_of(kUniform, kSixSums, kOneLane + Settings{"operands.collectors=1"} + settings)
        .cycles();
  };
  EXPECT_EQ(cycles({"redundancy.one_lane=yes"}), cycles({"redundancy.one_lane=no"}));
  EXPECT_EQ(cycles({"redundancy.one_lane=yes"}), 1U + 6 * 2)
      << "the only collector waits for two reads of the only bank";
}

TEST(OneLaneRegisters, ArePartOfNoLevelAboveTheRegisterFile) {
  const Settings cached{"operands.policy=register-cache", "operands.active_only=no"};
  Counts counts = counts_of(kUniform, kSixSums, kOneLane + cached, kAccesses);
  EXPECT_EQ(counts["operands.one_lane_reads"], 0U);
  EXPECT_EQ(counts["operands.one_lane_writes"], 0U);
}

// Picojoules by simt-40nm, from Xiang, Toward Efficient SIMT Execution, Table 2 (registers), and
// Horowitz (4.6 * 0.889 for a fused multiply-add).
TEST(OneLaneRegisters, TakeTheEnergyOfTheirLane) {
  const auto account = [](const std::string& values) {
    std::vector<std::string> names = kAccesses;
    names.push_back("units.fp32.lane_operations");
    return energy::account(energy::load_technology("simt-40nm"), machine_of(kPlain + kOneBank),
                           {.counters = counts_of(values, kSixSums, kOneLane, names)});
  };
  const energy::Account one = account(kUniform);
  EXPECT_EQ(one.find(energy::Component::register_file).dynamic_energy, 64U);   // 12*2.46 + 6*5.82.
  EXPECT_EQ(one.find(energy::Component::register_wires).dynamic_energy, 34U);  // 18 * 1.9.
  EXPECT_EQ(one.find(energy::Component::fp32_units).dynamic_energy, 25U);      // 6 * 4.0894.
  const energy::Account all = account(kPerLane);
  EXPECT_EQ(all.find(energy::Component::register_file).dynamic_energy, 2062U);  // 32 times.
  EXPECT_EQ(all.find(energy::Component::register_wires).dynamic_energy, 1094U);
  EXPECT_EQ(all.find(energy::Component::fp32_units).dynamic_energy, 785U);
}

}  // namespace
}  // namespace heddle::gpu::test
