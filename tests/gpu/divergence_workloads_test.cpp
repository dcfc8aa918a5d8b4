// Workloads get right, and do as much work, however their threads travel together; and a run is the
// same to the bit on any number of host threads.

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "gpu/ways_to_diverge.h"
#include "gpu/workload_on_chip.h"

namespace heddle::gpu::test {
namespace {

const std::vector<Settings> kWays{
    large_warps_of(256),
    large_warps_of(64) + Settings{"schedule.policy=fetch-groups", "schedule.fetch_group=2",
                                  "divergence.memory_by_rows=false",
                                  "divergence.jumps_at_once=false"},
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

/// Atomics give the elements of bucket-sort their places, and the work of sorting goes by those.
bool goes_by_who_is_first(std::string_view workload) { return workload == "bucket-sort"; }

class WorkloadsThatDiverge : public testing::TestWithParam<std::string> {};

TEST_P(WorkloadsThatDiverge, AreRightAndExecuteAsManyThreadInstructions) {
  const WorkloadOnChip by_warps = run_on_chip(load_machine("large-warps"), GetParam());
  for (const Settings& way : kWays) {
    SCOPED_TRACE(testing::PrintToString(way));
    const Machine machine = load_machine("large-warps", way);
    const WorkloadOnChip ran = run_on_chip(machine, GetParam());
    EXPECT_TRUE(ran.result.verdict.passed());
    if (goes_by_who_is_first(GetParam())) continue;
    EXPECT_EQ(thread_instructions(ran), thread_instructions(by_warps));
    // A row never needs more than a warp with a stack of its own would.
    if (machine.sm.divergence.policy == "large-warp") {
      EXPECT_LE(warp_instructions(ran), warp_instructions(by_warps));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, WorkloadsThatDiverge, testing::ValuesIn(workloads_to_run()),
                         [](const auto& tested) { return as_test_name(tested.param); });

class WaysToDiverge : public testing::TestWithParam<std::size_t> {
 public:
  static const std::vector<WayToDiverge>& ways() {
    static const std::vector<WayToDiverge> all{
        // A pass that waits for an operand collector counts as issuing, so there are none.
        {"warpman", large_warps_of(256) + Settings{"operands.policy=flat"}},
        {"large-warps", large_warps_of(128) + Settings{"chip.sms=4"}},
        {"large-warps", kMajority + Settings{"chip.sms=4"}},
        {"large-warps", kPostDominator + Settings{"chip.sms=4"}},
    };
    return all;
  }
};

TEST_P(WaysToDiverge, AreTheSameOnAnyNumberOfHostThreads) {
  const Machine machine = ways()[GetParam()].described();
  // Of these one has atomics, one barriers, and one threads that go far apart.
  for (const char* const workload : {"histogram", "reduction", "bfs"}) {
    SCOPED_TRACE(workload);
    const WorkloadOnChip first = run_on_chip(machine, workload, {.threads = 1});
    EXPECT_TRUE(first.result.verdict.passed());
    for (const std::uint32_t threads : host_threads({2, 4})) {
      SCOPED_TRACE(threads);
      const WorkloadOnChip again = run_on_chip(machine, workload, {.threads = threads});
      EXPECT_TRUE(again.result.verdict.passed());
      ASSERT_EQ(difference(first.runs, again.runs, first.counters), "");
    }
  }
}

TEST_P(WaysToDiverge, CountWhatAddsUp) {
  const Machine machine = ways()[GetParam()].described();
  for (const char* const workload : {"histogram", "reduction", "bfs"}) {
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
      EXPECT_EQ(counted("crossbar.answers"), counted("crossbar_in.responses_received"));
      std::uint64_t lanes = 0;
      for (std::uint64_t n = 0; n <= 32; ++n) lanes += n * counted("lanes." + std::to_string(n));
      // A jump takes a large warp one cycle, as one sub-warp.
      EXPECT_LE(lanes, run.thread_instructions);
      if (machine.sm.divergence.policy == "dynamic-formation") {
        EXPECT_EQ(lanes, run.thread_instructions);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, WaysToDiverge,
                         testing::Range(std::size_t{0}, WaysToDiverge::ways().size()),
                         [](const auto& tested) {
                           return as_test_name(WaysToDiverge::ways()[tested.param].name());
                         });

}  // namespace
}  // namespace heddle::gpu::test
