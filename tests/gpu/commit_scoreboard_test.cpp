// The scoreboard that commits in order, with all workloads, various schedulers and various register
// files. Every operand is read from the place that holds its current value, and every cycle has
// exactly one cause.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "gpu/divergence_setups.h"
#include "gpu/workload_on_chip.h"

namespace heddle::gpu::test {
namespace {

const Settings kCheckedScoreboard{"dependence.policy=commit-scoreboard",
                                  "dependence.check_values=yes"};

struct MachineSetup {
  std::string machine;
  Settings settings;
};

const std::vector<MachineSetup> kSetups{
    {"ilp", {}},
    {"ilp", {"units.bypass=yes", "dependence.entries=2"}},
    {"ilp",
     {"units.bypass=yes", "dependence.barriers_commit=no",
      "dependence.predicates_have_entries=no"}},
    {"preexec", {"dependence.entries=64"}},
    {"warpman", {"schedule.policy=greedy-oldest", "operands.policy=banked"}},
    {"storage", {"operands.policy=register-cache", "dependence.entry_words=2"}},
    {"storage", {"operands.policy=managed", "schedule.policy=active-set", "units.bypass=yes"}},
    {"large-warps", {"schedule.policy=fetch-groups", "divergence.policy=stack"}},
    {"uniform", {"residency.policy=partial-block", "schedule.policy=active-set"}}};

std::uint64_t total(const WorkloadOnChip& ran, const std::string& name) {
  std::uint64_t sum = 0;
  for (const KernelRun& run : ran.runs) sum += counter_of(run, ran.counters, name);
  return sum;
}

TEST(CommitScoreboard, ReadsEveryValueFromItsCurrentPlace) {
  const std::vector<std::string> names = workloads_to_run();
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (const std::size_t index : {i % kSetups.size(), (i + 3) % kSetups.size()}) {
      const MachineSetup& setup = kSetups[index];
      if (find_misfit(setup.machine, names[i])) continue;
      SCOPED_TRACE(names[i] + " on " + setup.machine + ", " + std::to_string(index));
      const WorkloadOnChip ran =
          run_on_chip(load_machine(setup.machine, kCheckedScoreboard + setup.settings), names[i]);
      EXPECT_TRUE(ran.result.check.passed());
      EXPECT_EQ(total(ran, "dependence.wrong_values"), 0U);
      EXPECT_GT(total(ran, "dependence.checked_values"), 0U);
      EXPECT_GT(total(ran, "dependence.commits"), 0U);
      for (const KernelRun& run : ran.runs) {
        EXPECT_EQ(sum_of(run, ran.counters, "warp."),
                  counter_of(run, ran.counters, "sm.resident_warp_cycles"));
      }
    }
  }
}

TEST(CommitScoreboard, CountsSameForAnyNumberOfHostThreads) {
  const Machine machine =
      load_machine("ilp", kCheckedScoreboard + Settings{"chip.sms=4", "units.bypass=yes"});
  const WorkloadOnChip one = run_on_chip(machine, "bfs", {.threads = 1});
  const WorkloadOnChip four = run_on_chip(machine, "bfs", {.threads = 4});
  EXPECT_EQ(difference(one.runs, four.runs, one.counters), "");
}

TEST(CommitScoreboard, RejectsLargeWarps) {
  std::string refusal;
  try {
    load_machine("large-warps", kCheckedScoreboard + Settings{"divergence.policy=large-warp"});
  } catch (const InputError& error) {
    refusal = error.what();
  }
  EXPECT_THAT(refusal, testing::HasSubstr("groups threads of several static warps"));
}

}  // namespace
}  // namespace heddle::gpu::test
