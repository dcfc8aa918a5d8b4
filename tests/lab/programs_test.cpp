// Rows of an experiment in which several programs run side by side.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lab/measures.h"
#include "lab/planned_study.h"
#include "lab/run_for_tests.h"

namespace heddle::lab {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

/// The text of an experiment with one variant, followed by `more`.
std::string study(const std::string& workloads, const std::string& more = "",
                  const std::string& metric = "ipc") {
  return "title = \"t\"\nmachine = \"ilp\"\nsize = \"tiny\"\nworkloads = [" + workloads +
         "]\n[metric]\nname = \"" + metric + "\"\n[[variant]]\nname = \"v\"\n" + more;
}

TEST(Programs, FormOneRunPerRow) {
  const Plan plan = plan_of(study("\"bfs+reduction:small\", \"bfs\""));
  ASSERT_EQ(plan.cells.size(), 2U);
  EXPECT_EQ(plan.cells[0].workload_name(), "bfs+reduction:small");
  EXPECT_EQ(plan.cells[0].title(), "bfs+reduction:small on ilp");
  EXPECT_EQ(plan.cells[1].workload_name(), "bfs");
  EXPECT_NE(plan.cells[0].key, plan.cells[1].key);
}

TEST(Programs, AreADifferentRunInADifferentOrderOrCombination) {
  const auto key = [](const std::string& workloads, const std::string& more = "") {
    return plan_of(study(workloads, more)).cells[0].key;
  };
  const std::string usual = key("\"bfs+reduction\"");
  EXPECT_EQ(key("\"bfs+reduction\""), usual);
  EXPECT_NE(key("\"reduction+bfs\""), usual);
  EXPECT_NE(key("\"bfs+reduction:small\""), usual);
  const std::string alone = key("\"bfs+reduction\"", "[[alone]]\n[[alone]]\n");
  EXPECT_NE(alone, usual);
  EXPECT_NE(key("\"bfs+reduction\"", "[[alone]]\nset = [\"chip.sms=3\"]\n[[alone]]\n"), alone);
}

TEST(Programs, RunAloneOnTheNamedMachines) {
  const Plan plan = plan_of(study("\"bfs+reduction\"",
                                  "[[alone]]\nset = [\"chip.sms=3\"]\n[[alone]]\n"
                                  "machine = \"uniform\"\n"));
  ASSERT_EQ(plan.cells[0].machines_alone.size(), 2U);
  EXPECT_EQ(plan.cells[0].machines_alone[0].chip.sms, 3U);
  EXPECT_EQ(plan.cells[0].machines_alone[1].name, "uniform");
}

TEST(Programs, HaveTheirOwnMetrics) {
  EXPECT_EQ(error_of(study("\"bfs+reduction\"", "", "program.2.ipc / program.2.alone.ipc")), "");
  EXPECT_EQ(error_of(study("\"bfs+reduction\"", "", "weighted_speedup")), "");
  EXPECT_THAT(error_of(study("\"bfs+reduction\"", "", "program.3.ipc")),
              HasSubstr("counts no 'program.3.ipc'"));
  EXPECT_THAT(error_of(study("\"bfs\"", "", "weighted_speedup")),
              HasSubstr("counts no 'weighted_speedup'"));
  EXPECT_THAT(error_of(study("\"bfs+reduction\", \"bfs\"", "", "fairness")),
              HasSubstr("counts no 'fairness'"));
}

TEST(Programs, HaveEnergyPerRunWithATechnology) {
  const std::string metric = "program.1.joules_per_run + program.2.joules_per_run";
  const std::string technology = "technology = \"simt-40nm\"\n";
  EXPECT_EQ(error_of(technology + study("\"bfs+reduction\"", "", metric)), "");
  EXPECT_THAT(error_of(study("\"bfs+reduction\"", "", metric)),
              HasSubstr("energy needs a 'technology' in the experiment"));
  EXPECT_THAT(error_of(technology + study("\"bfs\"", "", metric)),
              HasSubstr("counts no 'program.1.joules_per_run'"));
  EXPECT_THAT(error_of(study("\"bfs\"", "", metric)),
              HasSubstr("counts no 'program.1.joules_per_run'"));
  EXPECT_THAT(error_of(technology + study("\"bfs+reduction\", \"bfs\"", "", metric)),
              HasSubstr("counts no 'program.1.joules_per_run'"));
}

TEST(Programs, RejectUnknownPrograms) {
  EXPECT_THAT(error_of(study("\"bfs+nosuch\"")), HasSubstr("unknown workload 'nosuch'"));
  EXPECT_THAT(error_of(study("\"bfs+reduction\"", "[[alone]]\n")), HasSubstr("one for each"));
}

TEST(Programs, HaveTheMeasuresOfTheirMetricsInTheResult) {
  const Measures measures = Measures::from_result(
      R"({"weighted_speedup": 0.75, "harmonic_speedup": 0.7, "fairness": 0.5,
          "programs": [{"ipc": 10, "warp_ipc": 1, "slowdown": 2,
                        "alone": {"ipc": 20, "warp_ipc": 2, "cycles": 100}},
                       {"ipc": 5, "warp_ipc": 0.5}],
          "totals": {"cycles": 7, "microseconds": 1, "ipc": 15, "warp_ipc": 1,
                     "warp_instructions": 1, "thread_instructions": 1, "counters": {}}})");
  EXPECT_EQ(measures.find("weighted_speedup"), 0.75);
  EXPECT_EQ(measures.find("program.1.ipc"), 10);
  EXPECT_EQ(measures.find("program.1.alone.ipc"), 20);
  EXPECT_EQ(measures.find("program.2.ipc"), 5);
  EXPECT_EQ(measures.find("program.2.alone.ipc"), std::nullopt);
  EXPECT_EQ(measures.find("ipc"), 15);
  const std::vector<std::string> names = measures_of_programs(2);
  EXPECT_THAT(names, Contains("program.2.alone.cycles"));
  EXPECT_THAT(names, Not(Contains("program.3.ipc")));
}

}  // namespace
}  // namespace heddle::lab
