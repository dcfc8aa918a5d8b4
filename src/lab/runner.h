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

/// A function that simulates a run on the calling thread and returns its result as JSON for the
/// store. It throws a std::exception if the run fails, and Stopped if `stop` is requested. Several
/// threads call it concurrently.
using Simulate = std::function<std::string(const RunRequest& run, const std::stop_token& stop)>;

struct RunnerProgress {
  std::size_t done = 0;                  ///< Number of finished runs, including failed ones.
  std::size_t total = 0;                 ///< Number of all runs.
  std::vector<std::string> running{};    ///< Titles of the runs in progress.
  std::optional<double> seconds_left{};  ///< Estimated host time; empty: no estimate yet.
};

struct RunnerOptions {
  std::uint32_t jobs = 1;  ///< Number of concurrent simulations.
  std::stop_token stop{};
  /// Called from time to time on the thread that called run_missing().
  std::function<void(const RunnerProgress&)> progress{};
  std::chrono::milliseconds report_every{200};
};

struct FailedRun {
  const RunRequest* run;
  std::string message;
};

struct RunnerReport {
  std::size_t runs_found = 0;      ///< Found in the store.
  std::size_t runs_simulated = 0;  ///< Simulated and stored.
  std::vector<FailedRun> failed;
  std::vector<const RunRequest*> damaged;  ///< Damaged in the store and therefore simulated again.
  bool stopped = false;                    ///< Stopped before all runs had finished.
};

/// Each run is stored as soon as it ends, so an early stop loses no finished run. Requests with the
/// same key are simulated once. Throws InputError if the store is unusable, and ReadOnlyStore if
/// runs are missing and the store cannot be written.
RunnerReport run_missing(const std::vector<const RunRequest*>& runs, Store& store,
                         const Simulate& simulate, const RunnerOptions& options);

}  // namespace heddle::lab
