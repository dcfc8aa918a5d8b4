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

Plan planned(const Choices& choices, const std::string& head = "") {
  return plan_runs(read_experiment(head + kStudy, "study", "study.toml"), choices, sources());
}

std::string error_of(const Choices& choices, const std::string& head = "") {
  try {
    planned(choices, head);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Plan, ContainsTheWholeTableForEachSeed) {
  const Plan plan = planned({.seeds = 3});
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

TEST(Plan, UsesTheExperimentsSeedsUnlessOthersAreRequested) {
  EXPECT_EQ(planned({}).seeds, 1U);
  EXPECT_EQ(planned({}, "seeds = 2\n").seeds, 2U);
  EXPECT_EQ(planned({.seeds = 1}, "seeds = 2\n").cells.size(), 4U);
  EXPECT_THAT(error_of({}, "seeds = 0\n"),
              AllOf(HasSubstr("study.toml:1:"), HasSubstr("'seeds' must be from 1 to 100")));
}

TEST(Plan, ContainsTheSameRunsForOneSeedAsAmongSeveral) {
  EXPECT_EQ(planned({}).cells[3].key, planned({.seeds = 2}).cells[3].key);
}

TEST(Plan, NamesTheSeedInTitlesIfThereAreSeveral) {
  EXPECT_THAT(planned({.seeds = 2}).cells[5].full_title(),
              HasSubstr("(tiny, seed 8, row 'bfs', variant 'wide', run "));
  EXPECT_THAT(planned({}).cells[1].full_title(),
              HasSubstr("(tiny, row 'bfs', variant 'wide', run "));
}

TEST(Plan, AppliesRequestedSettingsLastToEveryMachine) {
  const Plan plan = planned({.settings = {"l1.bytes=128K"}});
  for (const RunRequest& run : plan.cells) {
    EXPECT_EQ(run.machine.sm.memory.l1.cache.bytes, 128U << 10);
  }
  EXPECT_THAT(plan.cells[1].settings, ElementsAre("l1.bytes=32K", "l1.bytes=128K"));
  EXPECT_NE(plan.cells[0].key, planned({}).cells[0].key);
}

TEST(Plan, KeepsKeysIfASettingChangesNothing) {
  EXPECT_EQ(planned({.settings = {"l1.bytes=64K"}}).cells[0].key, planned({}).cells[0].key);
}

TEST(Plan, RejectsUnknownSettings) {
  EXPECT_THAT(error_of({.settings = {"l1.byts=1K"}}),
              AllOf(HasSubstr("--set"), HasSubstr("did you mean 'l1.bytes'?")));
  EXPECT_THAT(error_of({.settings = {"l1.bytes=100K", "l1.ways=7"}}), HasSubstr("sets of 7 lines"));
}

}  // namespace
}  // namespace heddle::lab
