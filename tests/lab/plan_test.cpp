#include "lab/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/error.h"

namespace heddle::lab {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kStudy = R"(title = "A study"
machine = "storage"
size = "tiny"
seed = 7
workloads = ["bfs", "scan"]
[metric]
name = "ipc"
[[variant]]
name = "base"
[[variant]]
name = "wide"
set = ["l1.bytes=32K"]
)";

Plan plan_of(const Overrides& overrides, const std::string& head = "",
             const std::string& end = "") {
  return plan_runs(read_experiment(head + kStudy + end, "study", "study.toml"), overrides,
                   sources());
}

std::string error_of(const Overrides& overrides, const std::string& head = "") {
  try {
    plan_of(overrides, head);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Plan, ContainsTheWholeTableForEachSeed) {
  const Plan plan = plan_of({.seeds = 3});
  ASSERT_EQ(plan.cells.size(), 12U);
  EXPECT_EQ(plan.seeds, 3U);
  std::set<std::string> keys;
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    EXPECT_EQ(plan.cells[i].seed, 7 + i / 4);
    EXPECT_EQ(plan.cells[i].row, plan.cells[i % 4].row);
    EXPECT_EQ(plan.cells[i].variant, plan.cells[i % 4].variant);
    keys.insert(plan.cells[i].key);
  }
  EXPECT_EQ(keys.size(), 12U);
}

TEST(Plan, RowWithSubstituteRunsTheOtherVariantInItsColumn) {
  const Plan plan =
      plan_of({}, "", "[[workload]]\nname = \"fft\"\nsubstitute = { base = \"wide\" }\n");
  ASSERT_EQ(plan.cells.size(), 6U);
  EXPECT_NE(plan.cells[2].key, plan.cells[3].key);
  EXPECT_EQ(plan.cells[4].key, plan.cells[5].key);
  EXPECT_EQ(plan.cells[4].variant, "wide");
  EXPECT_EQ(plan.cells[4].machine.sm.memory.l1.cache.bytes, 32768U);
}

TEST(Plan, UsesTheExperimentsSeedsUnlessOthersAreRequested) {
  EXPECT_EQ(plan_of({}).seeds, 1U);
  EXPECT_EQ(plan_of({}, "seeds = 2\n").seeds, 2U);
  EXPECT_EQ(plan_of({.seeds = 1}, "seeds = 2\n").cells.size(), 4U);
  EXPECT_THAT(error_of({}, "seeds = 0\n"),
              AllOf(HasSubstr("study.toml:1:"), HasSubstr("'seeds' must be from 1 to 100")));
}

TEST(Plan, ContainsTheSameRunsForOneSeedAsAmongSeveral) {
  EXPECT_EQ(plan_of({}).cells[3].key, plan_of({.seeds = 2}).cells[3].key);
}

TEST(Plan, NamesTheSeedInTitlesIfThereAreSeveral) {
  EXPECT_THAT(plan_of({.seeds = 2}).cells[5].full_title(),
              HasSubstr("(tiny, seed 8, row 'bfs', variant 'wide', run "));
  EXPECT_THAT(plan_of({}).cells[1].full_title(),
              HasSubstr("(tiny, row 'bfs', variant 'wide', run "));
}

TEST(Plan, AppliesRequestedSettingsLastToEveryMachine) {
  const Plan plan = plan_of({.settings = {"l1.bytes=128K"}});
  for (const RunRequest& run : plan.cells) {
    EXPECT_EQ(run.machine.sm.memory.l1.cache.bytes, 128U << 10);
  }
  EXPECT_THAT(plan.cells[1].settings, ElementsAre("l1.bytes=32K", "l1.bytes=128K"));
  EXPECT_NE(plan.cells[0].key, plan_of({}).cells[0].key);
}

TEST(Plan, KeepsKeysIfASettingChangesNothing) {
  EXPECT_EQ(plan_of({.settings = {"l1.bytes=64K"}}).cells[0].key, plan_of({}).cells[0].key);
}

TEST(Plan, RejectsUnknownSettings) {
  EXPECT_THAT(error_of({.settings = {"l1.byts=1K"}}),
              AllOf(HasSubstr("--set"), HasSubstr("did you mean 'l1.bytes'?")));
  EXPECT_THAT(error_of({.settings = {"l1.bytes=100K", "l1.ways=7"}}), HasSubstr("sets of 7 lines"));
}

}  // namespace
}  // namespace heddle::lab
