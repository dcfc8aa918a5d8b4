// Uniform vector instructions in all workloads: what the hardware takes for uniform is uniform,
// and results that are reused are the results that would have been computed.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "gpu/divergence_setups.h"
#include "gpu/workload_on_chip.h"
#include "sm/redundancy/uniform_vectors.h"

namespace heddle::gpu::test {
namespace {

/// Compares what 'scalar-file' takes for uniform with the values that the threads have.
class CheckedUniform final : public sm::Redundancy {
 public:
  explicit CheckedUniform(const sm::RedundancyDescription& description)
      : uniform_(description, sm::ScalarPlace::scalar_file, std::nullopt) {}

  void ended(sm::HardwareWarpId hardware_warp, Cycle at) override {
    uniform_.ended(hardware_warp, at);
  }
  sm::Plan plan(const sm::PassValues& before, Cycle now) override {
    const sm::Plan plan = uniform_.plan(before, now);
    writes_ = plan.accessed.writes;
    is_scalar_ = plan.interval.has_value();
    // What is not read from the vector file is uniform, for threads outside of the path, too.
    count_different(before, before.reads(), plan.accessed.reads);
    if (is_scalar_) {
      ++scalar_instructions_;
      different_ += before.active().full() ? 0 : 1;
    }
    return plan;
  }
  void observe_computed(std::size_t pass, Cycle at) override {
    uniform_.observe_computed(pass, at);
  }
  void observe_executed(const sm::PassValues& after, Cycle now) override {
    uniform_.observe_executed(after, now);
    count_different(after, after.writes(), writes_);
    if (is_scalar_) count_different(after, after.writes(), sm::RegisterSelection::none());
    writes_ = sm::RegisterSelection::all();
    is_scalar_ = false;
  }
  void declare(CounterList& counters) override {
    uniform_.declare(counters);
    counters.add("scalar_instructions", scalar_instructions_, "warp instructions", "");
    counters.add("different", different_, "registers", "taken for uniform that are not");
  }

 private:
  /// Counts those of the registers that are not in `vector` and have different values.
  void count_different(const sm::PassValues& values, std::span<const std::uint16_t> numbers,
                       sm::RegisterSelection vector) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (!vector.contains(i) && !values.is_uniform(numbers[i])) ++different_;
    }
  }

  sm::UniformVectors uniform_;
  sm::RegisterSelection writes_ = sm::RegisterSelection::all();
  bool is_scalar_ = false;
  std::uint64_t scalar_instructions_ = 0;
  std::uint64_t different_ = 0;
};

const sm::RedundancyRegistry::Entry checked_entry{
    "checked-uniform", "for tests: compares detection with values",
    [](const sm::RedundancyDescription& description) {
      return std::make_unique<CheckedUniform>(description);
    }};

std::uint64_t sum(const WorkloadOnChip& run, std::string_view counter) {
  std::uint64_t sum = 0;
  for (const KernelRun& each : run.runs) sum += counter_of(each, run.counters, counter);
  return sum;
}

class UniformWorkloads : public testing::TestWithParam<std::string> {};

TEST_P(UniformWorkloads, DetectedInstructionsAreUniformAndReusedResultsRight) {
  for (const char* converts : {"yes", "no"}) {
    const Machine machine = load_machine("uniform", {"redundancy.policy=checked-uniform",
                                                     std::string("redundancy.convert=") + converts,
                                                     "redundancy.reuse_operand_bits=64"});
    if (find_misfit(machine.name, GetParam())) return;
    const WorkloadOnChip run = run_on_chip(machine, GetParam());
    EXPECT_TRUE(run.result.check.passed());
    EXPECT_EQ(sum(run, "redundancy.different"), 0);
    EXPECT_EQ(sum(run, "redundancy.reuse.wrong_results"), 0);
    if (std::string(converts) == "yes") {
      EXPECT_EQ(sum(run, "redundancy.scalar_instructions"), sum(run, "redundancy.detected"));
    }
    // The order of atomics decides how many instructions this workload executes.
    if (GetParam() == "bucket-sort") continue;
    const WorkloadOnChip plain = run_on_chip(load_machine("uniform"), GetParam());
    EXPECT_EQ(sum(run, "sm.warp_instructions") - sum(run, "redundancy.copies"),
              sum(plain, "sm.warp_instructions"));
  }
}

INSTANTIATE_TEST_SUITE_P(AllWorkloads, UniformWorkloads, testing::ValuesIn(workloads_to_run()),
                         [](const auto& tested) { return as_test_name(tested.param); });

/// Machines with other mechanisms that take part in issuing an instruction.
std::vector<DivergenceSetup> combinations() {
  const Settings active_set{"schedule.policy=active-set", "schedule.active_warps=6"};
  return {{"warpman", {"schedule.policy=greedy-oldest"}},
          {"warpman", active_set + Settings{"operands.policy=register-cache"}},
          {"warpman", active_set + Settings{"operands.policy=managed"}},
          {"warpman", {"operands.policy=banked"}},
          {"warpman", {"residency.policy=partial-block-reuse"}},
          {"warpman", {"residency.policy=warp-release", "sm.sub_cores=2"}},
          {"ilp", {"dependence.policy=commit-scoreboard", "branch.policy=gshare"}},
          {"preexec", {"l1.prefetch.policy=stride"}},
          {"storage", {"dependence.policy=stall-on-miss"}}};
}

TEST(UniformVectors, KeepResultsWithOtherMechanisms) {
  for (DivergenceSetup setup : combinations()) {
    SCOPED_TRACE(setup.name());
    setup.settings.push_back("redundancy.policy=checked-uniform");
    const Machine machine = setup.load();
    for (const char* workload : {"hotspot", "pathfinder", "reduction"}) {
      SCOPED_TRACE(workload);
      const WorkloadOnChip run = run_on_chip(machine, workload);
      EXPECT_TRUE(run.result.check.passed());
      EXPECT_EQ(sum(run, "redundancy.different"), 0);
      EXPECT_EQ(sum(run, "redundancy.reuse.wrong_results"), 0);
      EXPECT_GT(sum(run, "redundancy.reuse.hits"), 0);
    }
  }
}

TEST(UniformVectors, AreExactOnAnyNumberOfThreads) {
  for (const char* policy : {"token", "scalar-file"}) {
    const Machine machine = load_machine("uniform", {std::string("redundancy.policy=") + policy});
    const WorkloadOnChip one = run_on_chip(machine, "matrix-multiply");
    for (const std::uint32_t threads : host_threads({2, 4})) {
      const WorkloadOnChip more = run_on_chip(machine, "matrix-multiply", {.threads = threads});
      EXPECT_EQ(difference(more.runs, one.runs, one.counters), "");
    }
  }
}

}  // namespace
}  // namespace heddle::gpu::test
