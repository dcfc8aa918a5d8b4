// Runs are bit-identical for any number of host threads, and when repeated.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "gpu/workload_on_chip.h"

namespace heddle::gpu::test {
namespace {

using testing::HasSubstr;

class BaselineMachine : public testing::TestWithParam<std::string> {};

/// The number of host threads of the run of a workload that is compared with the run on one: 2 and
/// 4 in turns, so that each workload has both, on different machines.
std::uint32_t threads_of(const std::string& machine, std::size_t workload) {
  const auto place = std::find(kBaselines.begin(), kBaselines.end(), machine) - kBaselines.begin();
  return (static_cast<std::size_t>(place) + workload) % 2 == 0 ? 2 : 4;
}

TEST_P(BaselineMachine, GivesSameRunForAnyNumberOfHostThreads) {
  const Machine machine = load_machine(GetParam());
  const std::vector<std::string> workloads = workloads_to_run();
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    SCOPED_TRACE(workloads[i]);
    if (find_misfit(GetParam(), workloads[i])) continue;
    const std::uint32_t threads = threads_of(GetParam(), i);
    SCOPED_TRACE(threads);
    const WorkloadOnChip first = run_on_chip(machine, workloads[i]);
    const WorkloadOnChip again = run_on_chip(machine, workloads[i], {.threads = threads});
    EXPECT_TRUE(first.result.check.passed());
    EXPECT_TRUE(again.result.check.passed());
    ASSERT_EQ(difference(first.runs, again.runs, first.counters), "");
  }
}

TEST_P(BaselineMachine, NamesTheResourceThatRunsOutWhenABlockDoesNotFit) {
  const Machine machine = load_machine(GetParam());
  for (const std::string& workload : workloads_to_run()) {
    SCOPED_TRACE(workload);
    const std::optional<Misfit> misfit = find_misfit(GetParam(), workload);
    if (!misfit) continue;
    try {
      run_on_chip(machine, workload);
      ADD_FAILURE() << "expected an error: no block fits on the multiprocessor";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(),
                  HasSubstr("the limiting resource is " + std::string(misfit->runs_out)));
      EXPECT_THAT(error.what(), HasSubstr("'" + GetParam() + "'"));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, BaselineMachine, testing::ValuesIn(kBaselines),
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

class VariantMachine : public testing::TestWithParam<std::string> {};

TEST_P(VariantMachine, GivesSameRunOnTwoHostThreads) {
  const Machine machine = load_machine(GetParam());
  for (const char* const workload : {"reduction", "histogram", "matrix-multiply"}) {
    SCOPED_TRACE(workload);
    const WorkloadOnChip one = run_on_chip(machine, workload);
    const WorkloadOnChip two = run_on_chip(machine, workload, {.threads = 2});
    EXPECT_TRUE(one.result.check.passed());
    EXPECT_TRUE(two.result.check.passed());
    EXPECT_EQ(difference(one.runs, two.runs, one.counters), "");
  }
}

INSTANTIATE_TEST_SUITE_P(, VariantMachine, testing::ValuesIn(variants()),
                         [](const auto& tested) { return as_test_name(tested.param); });

}  // namespace
}  // namespace heddle::gpu::test
