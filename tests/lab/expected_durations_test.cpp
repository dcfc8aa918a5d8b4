#include "lab/expected_durations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run_for_tests.h"

namespace heddle::lab {
namespace {

using testing::Optional;

/// Estimates the duration of runs from a store and from these counts of instructions.
struct Durations : testing::Test {
  Durations() : store(folder.file("results.sqlite"), Access::create) {}

  static RunRequest request(const std::string& machine) {
    RunRequest run{.workload = &workload::find_workload("bfs")};
    run.machine.name = machine;
    return run;
  }
  void measure(double seconds, const std::string& machine, const std::string& grid = "input") {
    StoredRun run = stored_run(std::to_string(seconds));
    run.size = "small";
    run.machine = machine;
    run.grid = grid;
    run.host_seconds = seconds;
    store.add(run);
  }
  std::optional<double> seconds(const RunRequest& run) const {
    return ExpectedDurations(store, counts).seconds(run);
  }

  Folder folder;
  Store store;
  InstructionCounts counts = read_instruction_counts(R"(
[[workload]]
name = "bfs"
grid = "input"
tiny = 500_000
small = 2_000_000
[[workload]]
name = "bfs"
grid = "resident"
small = 3_000_000
)",
                                                     "counts.toml");
};

TEST_F(Durations, AreTheMeanOfRunsOnTheSameMachine) {
  measure(3, "ilp");
  measure(5, "ilp");
  measure(100, "storage");
  EXPECT_THAT(seconds(request("ilp")), Optional(4.0));
}

TEST_F(Durations, OfAnUnmeasuredMachineAreTheMeanOfAllRunsOnOthers) {
  measure(3, "ilp");
  measure(5, "ilp");
  measure(100, "storage");
  measure(7000, "storage", "resident");
  EXPECT_THAT(seconds(request("preexec")), Optional(36.0));
}

TEST_F(Durations, OfUnmeasuredWorkFollowFromItsInstructions) {
  EXPECT_THAT(seconds(request("ilp")), Optional(4.0));
  measure(1, "ilp", "resident");
  EXPECT_THAT(seconds(request("ilp")), Optional(4.0));
  RunRequest tiny = request("ilp");
  tiny.size = workload::Size::tiny;
  EXPECT_THAT(seconds(tiny), Optional(1.0));
}

TEST_F(Durations, OfAResidentGridFollowFromTheInstructionsOfItsForm) {
  RunRequest resident = request("ilp");
  resident.grid = workload::GridChoice::resident;
  EXPECT_THAT(seconds(resident), Optional(6.0));
}

TEST_F(Durations, OfProgramsSideBySideIncludeTheirRunsAlone) {
  RunRequest both = request("ilp");
  both.programs = "bfs+bfs:tiny";
  EXPECT_THAT(seconds(both), Optional(10.0));
}

TEST_F(Durations, AreUnknownWithoutMeasurementAndCount) {
  RunRequest large = request("ilp");
  large.size = workload::Size::large;
  EXPECT_EQ(seconds(large), std::nullopt);
}

TEST(InstructionCounts, ReportsTheSecondCountOfAWorkload) {
  const std::string once = "[[workload]]\nname = \"bfs\"\ngrid = \"input\"\ntiny = 5\n";
  try {
    read_instruction_counts(once + once, "counts.toml");
    FAIL() << "expected an InputError";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("counts.toml:8:8: error: there are two counts"));
  }
}

TEST(InstructionCounts, AreKnownOfEveryWorkloadAndItsForms) {
  for (const workload::Workload* workload : workload::all_workloads()) {
    for (const workload::Size size : workload::kSizes) {
      if (size == workload::Size::paper && !workload->has_paper_size) continue;
      EXPECT_TRUE(
          known_instruction_counts().contains({workload->name, size, workload::GridChoice::input}))
          << workload->name << ", " << workload::name_of(size);
    }
    if (workload->resident) {
      EXPECT_TRUE(known_instruction_counts().contains(
          {workload->name, workload::Size::medium, workload::GridChoice::resident}))
          << workload->name;
    }
  }
}

}  // namespace
}  // namespace heddle::lab
