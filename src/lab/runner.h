#pragma once

// Simulates the runs that a store does not have, on several threads of the host.

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

/// What a simulation throws when it was asked to stop.
struct Stopped {};

/// Simulates a run on one thread of the host and returns its result, as the store keeps it. Throws
/// std::exception for a run that failed, and Stopped. Called by several threads at once.
using Simulate = std::function<std::string(const RunRequest& run, const std::stop_token& stop)>;

struct RunnerProgress {
  std::size_t done = 0;  ///< With those that failed.
  std::size_t total = 0;
  std::vector<std::string> running{};
  std::optional<double> seconds_left{};  ///< Empty: nothing is known yet.
};

struct RunnerOptions {
  std::uint32_t jobs = 1;  ///< Runs that are simulated at once.
  std::stop_token stop{};
  /// Called now and then, by the caller's thread.
  std::function<void(const RunnerProgress&)> progress{};
  std::chrono::milliseconds report_every{200};
};

struct FailedRun {
  const RunRequest* run;
  std::string message;
};

struct RunnerReport {
  std::size_t found = 0;      ///< In the store.
  std::size_t simulated = 0;  ///< And stored.
  std::vector<FailedRun> failed;
  std::vector<const RunRequest*> damaged;  ///< In the store, so that they were simulated again.
  bool stopped = false;                    ///< Before all was done.
};

/// Each run is stored when it has ended, so that nothing is lost where this ends early. Runs of one
/// key are one run. Throws InputError where the store cannot be used, ReadOnlyStore where something
/// is missing in one that cannot be written.
RunnerReport run_missing(const std::vector<const RunRequest*>& runs, Store& store,
                         const Simulate& simulate, const RunnerOptions& options);

}  // namespace heddle::lab
