#pragma once

// Simulates the runs that a store lacks, on several host threads.

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "lab/plan.h"
#include "lab/store.h"

namespace heddle::lab {

/// Thrown by a simulation that was asked to stop.
struct Stopped {};

/// A function that simulates a run on the calling host thread and returns its result as JSON for
/// the store. It throws a std::exception if the run fails, and Stopped if `stop` is requested.
/// Several host threads call it concurrently.
using Simulate = std::function<std::string(const RunRequest& run, const std::stop_token& stop)>;

/// How far run_missing() has come with the runs that the store lacked.
struct RunnerProgress {
  std::size_t finished_runs = 0;              ///< Including failed runs.
  std::size_t all_runs = 0;                   ///< Finished, running and waiting runs.
  std::vector<std::string> running_titles{};  ///< RunRequest::title() of each running run.
  /// Estimated host time to the end; empty: no estimate yet.
  std::optional<double> seconds_left{};
};

/// What run_missing() is about to do.
struct RunnerForecast {
  std::size_t all_runs = 0;      ///< Runs with different keys.
  std::size_t missing_runs = 0;  ///< Runs that the store lacks.
  /// Estimated host time for the missing runs with all jobs; empty if nothing is known of a run.
  std::optional<double> seconds{};
};

struct RunnerOptions {
  std::uint32_t jobs = 1;  ///< Number of concurrent simulations.
  std::stop_token stop{};
  /// Called before the first simulation if runs are missing; may be empty.
  std::function<void(const RunnerForecast&)> begin{};
  /// Called every `report_every` on the host thread that called run_missing(); may be empty.
  std::function<void(const RunnerProgress&)> progress{};
  std::chrono::milliseconds report_every{200};
};

struct FailedRun {
  const RunRequest* run;
  std::string message;
};

/// What became of the requested runs.
struct RunnerReport {
  std::size_t runs_found = 0;      ///< Runs that the store had already.
  std::size_t runs_simulated = 0;  ///< Runs that were simulated and stored.
  std::vector<FailedRun> failed_runs;
  /// Runs that were damaged in the store, and therefore simulated again.
  std::vector<const RunRequest*> damaged_runs;
  /// Whether the runner stopped before all runs had finished.
  bool was_stopped = false;
};

/// Simulates and stores the runs that the store lacks. Each run is stored as soon as it ends, so an
/// early stop loses no finished run. Requests with the same key are simulated once. Throws
/// InputError if the store is unusable, and ReadOnlyStore if runs are missing and the store cannot
/// be written.
RunnerReport run_missing(const std::vector<const RunRequest*>& runs, Store& store,
                         const Simulate& simulate, const RunnerOptions& options);

/// Tells what run_missing() would do, and simulates nothing.
RunnerForecast forecast(const std::vector<const RunRequest*>& runs, const Store& store,
                        std::uint32_t jobs);

}  // namespace heddle::lab
