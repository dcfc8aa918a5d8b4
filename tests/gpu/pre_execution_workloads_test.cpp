// Pre-execution in all workloads: every result that a warp reuses is the result that it would have
// computed, bit for bit, and no renaming register is lost.

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "gpu/divergence_setups.h"
#include "gpu/workload_on_chip.h"

namespace heddle::gpu::test {
namespace {

const std::string kPolicy = "lookahead.policy=pre-execution";

std::uint64_t sum(const WorkloadOnChip& run, std::string_view counter) {
  std::uint64_t sum = 0;
  for (const KernelRun& each : run.runs) sum += counter_of(each, run.counters, counter);
  return sum;
}

void expect_right_results(const WorkloadOnChip& run) {
  EXPECT_TRUE(run.result.check.passed());
  EXPECT_EQ(sum(run, "lookahead.wrong_results"), 0U);
  EXPECT_EQ(sum(run, "lookahead.registers_taken"), sum(run, "lookahead.registers_freed"))
      << "a register is lost";
}

class PreExecutionWorkloads : public testing::TestWithParam<std::string> {};

TEST_P(PreExecutionWorkloads, ReusesOnlyRightResults) {
  for (const char* const entries : {"lookahead.queue_entries=8", "lookahead.queue_entries=32"}) {
    SCOPED_TRACE(entries);
    const Machine machine = load_machine("preexec", {kPolicy, entries});
    if (find_misfit(machine.name, GetParam())) return;
    const WorkloadOnChip run = run_on_chip(machine, GetParam());
    expect_right_results(run);
    // The order of atomics decides how many instructions this workload executes.
    if (GetParam() == "bucket-sort") continue;
    const workload::RunResult untimed = run_untimed(machine, GetParam());
    ASSERT_EQ(run.runs.size(), untimed.launches.size());
    for (std::size_t i = 0; i < run.runs.size(); ++i) {
      EXPECT_EQ(run.runs[i].warp_instructions, untimed.launches[i].result.warp_instructions);
      EXPECT_EQ(run.runs[i].thread_instructions, untimed.launches[i].result.thread_instructions);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(AllWorkloads, PreExecutionWorkloads, testing::ValuesIn(workloads_to_run()),
                         [](const auto& tested) { return as_test_name(tested.param); });

/// Machines with other mechanisms that take part, and small structures.
std::vector<DivergenceSetup> combinations() {
  return {{"preexec", {"schedule.policy=round-robin", "l1.prefetch.policy=stride"}},
          {"preexec", {"schedule.policy=active-set", "schedule.active_warps=6"}},
          {"preexec", {"operands.policy=flat", "fetch.width=4", "fetch.buffer=8"}},
          {"preexec", {"residency.policy=partial-block-reuse"}},
          {"preexec", {"residency.policy=warp-release", "sm.sub_cores=2"}},
          {"preexec", {"lookahead.rename_registers=3", "lookahead.queue_entries=32"}},
          {"preexec", {"lookahead.switch_cycles=5", "sm.registers=16384"}},
          {"warpman", {"dependence.policy=scoreboard"}},
          {"storage", {}}};
}

TEST(PreExecution, KeepsResultsWithOtherMechanisms) {
  std::uint64_t reused = 0;
  for (DivergenceSetup setup : combinations()) {
    SCOPED_TRACE(setup.name());
    setup.settings.push_back(kPolicy);
    const Machine machine = setup.load();
    for (const std::string& workload :
         tested_workloads({"hotspot", "matrix-multiply", "bfs", "reduction"})) {
      SCOPED_TRACE(workload);
      const WorkloadOnChip run = run_on_chip(machine, workload);
      expect_right_results(run);
      reused += sum(run, "lookahead.reused");
    }
  }
  EXPECT_GT(reused, 0U);
}

TEST(PreExecution, NewBlocksTakeRegistersBack) {
  // Blocks use nearly all registers, so that each new block takes some that others have in use.
  const Machine machine = load_machine("preexec", {kPolicy, "chip.sms=2", "sm.registers=16384"});
  const WorkloadOnChip run = run_on_chip(machine, "reduction");
  expect_right_results(run);
  EXPECT_GT(sum(run, "lookahead.moved"), 0U);
  EXPECT_GT(sum(run, "lookahead.dropped"), 0U);
}

TEST(PreExecution, IsExactOnAnyNumberOfThreads) {
  const Machine machine = load_machine("preexec", {kPolicy});
  for (const std::string& workload : tested_workloads({"matrix-multiply", "reduction", "spmv"})) {
    SCOPED_TRACE(workload);
    const WorkloadOnChip one = run_on_chip(machine, workload);
    for (const std::uint32_t threads : {2U, 4U}) {
      const WorkloadOnChip more = run_on_chip(machine, workload, {.threads = threads});
      EXPECT_EQ(difference(more.runs, one.runs, one.counters), "");
    }
  }
}

}  // namespace
}  // namespace heddle::gpu::test
