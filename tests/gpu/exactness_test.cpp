// A run is the same to the bit on any number of host threads, and every time.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "gpu/workload_on_chip.h"

namespace heddle::gpu::test {
namespace {

using testing::HasSubstr;

class EveryBaseline : public testing::TestWithParam<std::string> {};

TEST_P(EveryBaseline, RunsEveryWorkloadTheSameOnAnyNumberOfThreads) {
  const Machine machine = load_machine(GetParam());
  for (const std::string& workload : workloads_to_run()) {
    SCOPED_TRACE(workload);
    if (find_misfit(GetParam(), workload)) continue;
    const WorkloadOnChip first = run_on_chip(machine, workload);
    EXPECT_TRUE(first.result.verdict.passed());
    for (const std::uint32_t threads : host_threads({1, 2, 4})) {
      SCOPED_TRACE(threads);
      const WorkloadOnChip again = run_on_chip(machine, workload, {.threads = threads});
      EXPECT_TRUE(again.result.verdict.passed());
      ASSERT_EQ(difference(first.runs, again.runs, first.counters), "");
    }
  }
}

TEST_P(EveryBaseline, TellsWhatRunsOutWhereABlockDoesNotFit) {
  const Machine machine = load_machine(GetParam());
  for (const std::string& workload : workloads_to_run()) {
    SCOPED_TRACE(workload);
    const std::optional<Misfit> misfit = find_misfit(GetParam(), workload);
    if (!misfit) continue;
    try {
      run_on_chip(machine, workload);
      ADD_FAILURE() << "it fits after all";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("what runs out is " + std::string(misfit->runs_out)));
      EXPECT_THAT(error.what(), HasSubstr("'" + GetParam() + "'"));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, EveryBaseline, testing::ValuesIn(kBaselines),
                         [](const auto& tested) { return as_test_name(tested.param); });

std::vector<std::string> variants() {
  std::vector<std::string> names;
  for (const KnownMachine& machine : known_machines()) {
    const std::string name(machine.name);
    if (std::find(kBaselines.begin(), kBaselines.end(), name) == kBaselines.end()) {
      names.push_back(name);
    }
  }
  return names;
}

class EveryVariant : public testing::TestWithParam<std::string> {};

TEST_P(EveryVariant, RunsWorkloadsTheSameOnTwoThreads) {
  const Machine machine = load_machine(GetParam());
  for (const char* const workload : {"reduction", "histogram", "matrix-multiply"}) {
    SCOPED_TRACE(workload);
    const WorkloadOnChip one = run_on_chip(machine, workload);
    const WorkloadOnChip two = run_on_chip(machine, workload, {.threads = 2});
    EXPECT_TRUE(one.result.verdict.passed());
    EXPECT_TRUE(two.result.verdict.passed());
    EXPECT_EQ(difference(one.runs, two.runs, one.counters), "");
  }
}

INSTANTIATE_TEST_SUITE_P(, EveryVariant, testing::ValuesIn(variants()),
                         [](const auto& tested) { return as_test_name(tested.param); });

}  // namespace
}  // namespace heddle::gpu::test
