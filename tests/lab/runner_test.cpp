#include "lab/runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>

#include "base/error.h"
#include "run_for_tests.h"

namespace heddle::lab {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Ge;
using testing::IsEmpty;
using testing::Le;
using testing::Optional;

/// Runs requests with a simulation that only records their keys.
struct Runner : testing::Test {
  Runner() : store(folder.file("results.sqlite"), Access::create) {}

  RunRequest request(const std::string& key, const std::string& workload = "bfs") const {
    RunRequest run{.key = key, .workload = &workload::find_workload(workload)};
    run.machine.name = "a machine";
    run.version = "v";
    return run;
  }
  RunnerReport run(const std::vector<RunRequest>& runs, RunnerOptions options = {}) {
    std::vector<const RunRequest*> pointers;
    for (const RunRequest& run : runs) pointers.push_back(&run);
    return run_missing(pointers, store, simulate, options);
  }

  Folder folder;
  Store store;
  std::mutex mutex;
  std::vector<std::string> simulated;
  Simulate simulate = [this](const RunRequest& run, const std::stop_token&) {
    const std::lock_guard lock(mutex);
    simulated.push_back(run.key);
    return result_of_cycles(1);
  };
};

TEST_F(Runner, SimulatesMissingRunsOnce) {
  const std::vector runs{request("a"), request("b")};
  const RunnerReport first = run(runs);
  EXPECT_EQ(first.runs_simulated, 2U);
  EXPECT_EQ(first.runs_found, 0U);
  const RunnerReport second = run(runs);
  EXPECT_EQ(second.runs_simulated, 0U);
  EXPECT_EQ(second.runs_found, 2U);
  EXPECT_EQ(simulated.size(), 2U);
  EXPECT_FALSE(second.was_stopped);
}

TEST_F(Runner, SimulatesRequestsWithTheSameKeyOnce) {
  EXPECT_EQ(run({request("a"), request("a")}, {.jobs = 2}).runs_simulated, 1U);
}

TEST_F(Runner, StoresTheInputsOfARun) {
  run({request("a", "scan")});
  const StoredRun stored = store.find("a");
  EXPECT_EQ(stored.workload, "scan");
  EXPECT_EQ(stored.size, "small");
  EXPECT_EQ(stored.version, "v");
  EXPECT_EQ(stored.machine, "a machine");
}

TEST_F(Runner, ReportsFailedRunAndContinuesWithOthers) {
  simulate = [](const RunRequest& run, const std::stop_token&) {
    if (run.key == "b") throw std::runtime_error("it does not fit");
    return result_of_cycles(1);
  };
  const std::vector runs{request("a"), request("b"), request("c")};
  const RunnerReport report = run(runs);
  EXPECT_EQ(report.runs_simulated, 2U);
  ASSERT_EQ(report.failed_runs.size(), 1U);
  EXPECT_EQ(report.failed_runs[0].run->key, "b");
  EXPECT_EQ(report.failed_runs[0].run->title(), "bfs on a machine");
  EXPECT_EQ(report.failed_runs[0].message, "it does not fit");
  EXPECT_FALSE(report.was_stopped);
  EXPECT_FALSE(store.contains("b"));
}

TEST_F(Runner, SimulatesDamagedRunAgainAndReportsIt) {
  store.add(stored_run("a"));
  Database(store.file(), Access::change).execute("UPDATE runs SET host_seconds = 7");
  const std::vector runs{request("a")};
  const RunnerReport report = run(runs);
  EXPECT_EQ(report.runs_simulated, 1U);
  EXPECT_THAT(report.damaged_runs, ElementsAre(&runs[0]));
  EXPECT_TRUE(store.contains("a"));
}

TEST_F(Runner, SimulatesNothingIfTheStoreIsDamaged) {
  store.add(stored_run("a"));
  Database(store.file(), Access::change)
      .execute(
          "CREATE TABLE other (key TEXT); PRAGMA writable_schema = ON;"
          "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = "
          "'runs') WHERE name = 'other'");
  Store again(store.file(), Access::change);
  const RunRequest missing = request("b");
  EXPECT_THROW(run_missing({&missing}, again, simulate, {}), DamagedStore);
  EXPECT_THAT(simulated, IsEmpty());
}

TEST_F(Runner, StartsRunsOfUnknownLengthFirstThenTheLongest) {
  StoredRun shorter = stored_run("before", "bfs");
  StoredRun longer = stored_run("before too", "scan");
  shorter.size = longer.size = "small";
  shorter.host_seconds = 1;
  longer.host_seconds = 5;
  store.add(shorter);
  store.add(longer);
  workload::Workload uncounted;
  uncounted.name = "uncounted";
  RunRequest unknown = request("unknown");
  unknown.workload = &uncounted;
  run({request("short"), request("long", "scan"), unknown});
  EXPECT_THAT(simulated, ElementsAre("unknown", "long", "short"));
}

/// Stores one run of a workload at size small.
void store_run(Store& store, const std::string& workload, double seconds,
               const std::string& key = "before") {
  StoredRun run = stored_run(key + workload, workload);
  run.size = "small";
  run.host_seconds = seconds;
  store.add(run);
}

TEST_F(Runner, TellsMissingRunsAndTheirTimeBeforeItSimulates) {
  store_run(store, "bfs", 10);
  store_run(store, "scan", 40);
  std::vector<RunnerForecast> told;
  const RunnerOptions options{.jobs = 2, .begin = [&](const RunnerForecast& forecast) {
                                EXPECT_THAT(simulated, IsEmpty());
                                told.push_back(forecast);
                              }};
  const std::vector runs{request("a"), request("b"), request("c", "scan"), request("c", "scan")};
  run(runs, options);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].all_runs, 3U);
  EXPECT_EQ(told[0].missing_runs, 3U);
  // With two jobs, 60 seconds of simulation would take 30; but the longest run alone takes 40.
  EXPECT_THAT(told[0].seconds, Optional(40.0));
  run(runs, options);
  EXPECT_EQ(told.size(), 1U);
}

TEST_F(Runner, ForecastsTheTimeOfMissingRunsWithoutSimulation) {
  store_run(store, "bfs", 10, "the same ");
  const std::vector runs{request("the same bfs"), request("b"), request("c"), request("d")};
  const auto remaining = [&](std::uint32_t jobs) {
    return forecast({&runs[0], &runs[1], &runs[2], &runs[3]}, store, jobs);
  };
  EXPECT_EQ(remaining(1).all_runs, 4U);
  EXPECT_EQ(remaining(1).missing_runs, 3U);
  EXPECT_THAT(remaining(1).seconds, Optional(30.0));
  EXPECT_THAT(remaining(3).seconds, Optional(10.0));
  EXPECT_THAT(simulated, IsEmpty());
}

TEST_F(Runner, ForecastsTheAverageForRunsOfUnknownDuration) {
  workload::Workload uncounted;
  uncounted.name = "uncounted";
  RunRequest unknown = request("unknown");
  unknown.workload = &uncounted;
  EXPECT_EQ(forecast({&unknown}, store, 1).seconds, std::nullopt);
  store_run(store, "bfs", 10);
  const RunRequest known = request("a");
  EXPECT_THAT(forecast({&known, &unknown}, store, 1).seconds, Optional(20.0));
}

TEST_F(Runner, RunsTheAllowedNumberOfJobsConcurrently) {
  std::atomic<int> running = 0;
  std::atomic<int> max_running = 0;
  simulate = [&](const RunRequest&, const std::stop_token&) {
    max_running = std::max(max_running.load(), ++running);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    --running;
    return result_of_cycles(1);
  };
  std::vector<RunRequest> runs;
  for (int i = 0; i < 12; ++i) runs.push_back(request(std::to_string(i)));
  EXPECT_EQ(run(runs, {.jobs = 3}).runs_simulated, 12U);
  EXPECT_THAT(max_running.load(), AllOf(Ge(2), Le(3)));
}

TEST_F(Runner, SkipsRunThatAnotherProcessHasStored) {
  simulate = [&](const RunRequest& run, const std::stop_token&) {
    simulated.push_back(run.key);
    Store(store.file(), Access::change).add(stored_run("b"));
    return result_of_cycles(1);
  };
  const RunnerReport report = run({request("a"), request("b")});
  EXPECT_THAT(simulated, ElementsAre("a"));
  EXPECT_EQ(report.runs_found, 1U);
  EXPECT_FALSE(report.was_stopped);
}

TEST_F(Runner, KeepsFinishedRunsWhenStoppedAndResumesLater) {
  std::stop_source stop;
  const Simulate first_only = [&](const RunRequest& run, const std::stop_token& stop_token) {
    if (run.key != "a") {
      stop.request_stop();
      EXPECT_TRUE(stop_token.stop_requested());
      throw Stopped();
    }
    return result_of_cycles(1);
  };
  const Simulate all = std::exchange(simulate, first_only);
  const std::vector runs{request("a"), request("b"), request("c")};
  const RunnerReport stopped = run(runs, {.stop = stop.get_token()});
  EXPECT_TRUE(stopped.was_stopped);
  EXPECT_EQ(stopped.runs_simulated, 1U);
  EXPECT_THAT(stopped.failed_runs, IsEmpty());
  simulate = all;
  const RunnerReport rest = run(runs);
  EXPECT_EQ(rest.runs_found, 1U);
  EXPECT_EQ(rest.runs_simulated, 2U);
}

TEST_F(Runner, SimulatesNothingIfStoppedBeforeTheStart) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_TRUE(run({request("a")}, {.stop = stop.get_token()}).was_stopped);
  EXPECT_THAT(simulated, IsEmpty());
}

TEST_F(Runner, EndsWithTheReasonIfTheStoreCannotBeWritten) {
  Database(store.file(), Access::change)
      .execute("CREATE TRIGGER full BEFORE INSERT ON runs BEGIN SELECT RAISE(ABORT, 'full'); END");
  EXPECT_THROW(run({request("a"), request("b")}, {.jobs = 2}), InputError);
}

TEST_F(Runner, ReportsRunningAndRemainingRuns) {
  StoredRun before = stored_run("before");
  before.size = "small";
  before.host_seconds = 100;
  store.add(before);
  // The first progress report that names a running run. The run ends only after this report.
  std::optional<RunnerProgress> report;
  std::atomic<bool> is_reported = false;
  simulate = [&](const RunRequest&, const std::stop_token&) {
    while (!is_reported) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return result_of_cycles(1);
  };
  run({request("a"), request("b")}, {.progress =
                                         [&](const RunnerProgress& now) {
                                           if (now.running_titles.empty() || report) return;
                                           report = now;
                                           is_reported = true;
                                         },
                                     .report_every = std::chrono::milliseconds(5)});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->all_runs, 2U);
  EXPECT_THAT(report->running_titles, ElementsAre("bfs on a machine"));
  ASSERT_TRUE(report->seconds_left);
  EXPECT_THAT(*report->seconds_left, AllOf(Ge(140), Le(200)));
}

}  // namespace
}  // namespace heddle::lab
