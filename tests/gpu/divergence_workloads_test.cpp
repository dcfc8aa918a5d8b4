// Under every divergence policy, workloads compute correct results and execute the same number of
// thread instructions. A run is bit-identical for any number of host threads.

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "gpu/divergence_setups.h"
#include "gpu/workload_on_chip.h"

namespace heddle::gpu::test {
namespace {

const std::vector<Settings> kSetups{
    large_warps_of(256),
    large_warps_of(64) + Settings{"schedule.policy=fetch-groups", "schedule.fetch_group=2",
                                  "divergence.memory_by_rows=false",
                                  "divergence.single_cycle_jumps=false"},
    kMajority,
    kPostDominator,
};

std::uint64_t thread_instructions(const WorkloadOnChip& ran) {
  std::uint64_t sum = 0;
  for (const KernelRun& run : ran.runs) sum += run.thread_instructions;
  return sum;
}

std::uint64_t warp_instructions(const WorkloadOnChip& ran) {
  std::uint64_t sum = 0;
  for (const KernelRun& run : ran.runs) sum += run.warp_instructions;
  return sum;
}

/// Whether the number of executed instructions depends on the order of atomics. In bucket-sort this
/// order decides the places of the elements, and the work of sorting depends on these places.
bool depends_on_execution_order(std::string_view workload) { return workload == "bucket-sort"; }

class WorkloadsUnderDivergencePolicies : public testing::TestWithParam<std::string> {};

TEST_P(WorkloadsUnderDivergencePolicies, ProduceCorrectResultsWithEqualThreadInstructions) {
  const WorkloadOnChip with_stacks = run_on_chip(load_machine("large-warps"), GetParam());
  for (const Settings& setup : kSetups) {
    SCOPED_TRACE(testing::PrintToString(setup));
    const Machine machine = load_machine("large-warps", setup);
    const WorkloadOnChip ran = run_on_chip(machine, GetParam());
    EXPECT_TRUE(ran.result.check.passed());
    if (depends_on_execution_order(GetParam())) continue;
    EXPECT_EQ(thread_instructions(ran), thread_instructions(with_stacks));
    // A large warp issues in passes of at most 32 threads. It never issues more passes than its
    // static warps would issue with one stack each.
    if (machine.sm.divergence.policy == "large-warp") {
      EXPECT_LE(warp_instructions(ran), warp_instructions(with_stacks));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, WorkloadsUnderDivergencePolicies, testing::ValuesIn(workloads_to_run()),
                         [](const auto& tested) { return as_test_name(tested.param); });

class DivergencePolicies : public testing::TestWithParam<std::size_t> {
 public:
  static const std::vector<DivergenceSetup>& setups() {
    static const std::vector<DivergenceSetup> all{
        // A pass (an issue of up to 32 threads) that waits for an operand collector is counted as
        // issuing. The flat policy has no such waits.
        {"warpman", large_warps_of(256) + Settings{"operands.policy=flat"}},
        {"large-warps", large_warps_of(128) + Settings{"chip.sms=4"}},
        {"large-warps", kMajority + Settings{"chip.sms=4"}},
        {"large-warps", kPostDominator + Settings{"chip.sms=4"}},
    };
    return all;
  }
};

TEST_P(DivergencePolicies, GiveSameRunForAnyNumberOfHostThreads) {
  const Machine machine = setups()[GetParam()].load();
  // Workloads with atomics, with barriers, and with strong divergence.
  for (const std::string& workload : tested_workloads({"histogram", "bfs", "reduction"})) {
    SCOPED_TRACE(workload);
    const WorkloadOnChip first = run_on_chip(machine, workload, {.threads = 1});
    EXPECT_TRUE(first.result.check.passed());
    for (const std::uint32_t threads : host_threads({2, 4})) {
      SCOPED_TRACE(threads);
      const WorkloadOnChip again = run_on_chip(machine, workload, {.threads = threads});
      EXPECT_TRUE(again.result.check.passed());
      ASSERT_EQ(difference(first.runs, again.runs, first.counters), "");
    }
  }
}

TEST_P(DivergencePolicies, KeepCountersConsistent) {
  const Machine machine = setups()[GetParam()].load();
  for (const std::string& workload : tested_workloads({"histogram", "bfs", "reduction"})) {
    SCOPED_TRACE(workload);
    const WorkloadOnChip ran = run_on_chip(machine, workload);
    for (const KernelRun& run : ran.runs) {
      const auto counted = [&](std::string_view name) {
        return counter_of(run, ran.counters, name);
      };
      const auto sum = [&](std::string_view prefix) { return sum_of(run, ran.counters, prefix); };
      EXPECT_EQ(run.blocks_done, run.grid.count());
      EXPECT_EQ(sum("scheduler."),
                run.cycles.count * machine.chip.sms * machine.sm.schedule.schedulers);
      EXPECT_EQ(counted("scheduler.selected"), run.warp_instructions);
      EXPECT_EQ(sum("lanes."), run.warp_instructions);
      EXPECT_EQ(counted("lanes.0"), 0U);
      EXPECT_EQ(counted("l1.hits") + counted("l1.misses") + counted("l1.merged"),
                counted("l1.accesses"));
      EXPECT_EQ(counted("crossbar_out.requests_sent"), counted("crossbar.requests"));
      EXPECT_EQ(counted("crossbar.responses"), counted("crossbar_in.responses_received"));
      std::uint64_t lanes = 0;
      for (std::uint64_t n = 0; n <= 32; ++n) lanes += n * counted("lanes." + std::to_string(n));
      // A jump occupies a large warp of any size for one cycle and counts the lanes of one pass.
      EXPECT_LE(lanes, run.thread_instructions);
      if (machine.sm.divergence.policy == "dynamic-formation") {
        EXPECT_EQ(lanes, run.thread_instructions);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, DivergencePolicies,
                         testing::Range(std::size_t{0}, DivergencePolicies::setups().size()),
                         [](const auto& tested) {
                           return as_test_name(DivergencePolicies::setups()[tested.param].name());
                         });

}  // namespace
}  // namespace heddle::gpu::test
