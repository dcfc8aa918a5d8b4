#include "lab/runner.h"

#include <algorithm>
#include <exception>
#include <list>
#include <mutex>
#include <set>
#include <utility>

#include "lab/expected_durations.h"
#include "lab/worker_threads.h"

namespace heddle::lab {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

struct WaitingRun {
  const RunRequest* run;
  std::optional<double> seconds;  ///< Estimated duration, if known.
};

/// The requested runs, by whether the store has them.
struct RequestedRuns {
  std::size_t distinct_runs = 0;  ///< Number of requested keys.
  std::size_t runs_found = 0;     ///< Runs that the store has.
  std::vector<const RunRequest*> damaged_runs{};
  std::vector<WaitingRun> missing_runs{};  ///< Including the damaged ones.
};

RequestedRuns look_up_all(const std::vector<const RunRequest*>& runs, const Store& store) {
  RequestedRuns requested;
  std::set<std::string_view> seen;
  for (const RunRequest* run : runs) {
    if (!seen.insert(run->key).second) continue;
    const Store::State state = store.look_up(run->key).state;
    if (state == Store::State::sound) {
      ++requested.runs_found;
      continue;
    }
    if (state == Store::State::damaged) requested.damaged_runs.push_back(run);
    requested.missing_runs.push_back({run, std::nullopt});
  }
  requested.distinct_runs = seen.size();
  return requested;
}

void estimate_durations(std::vector<WaitingRun>& runs, const Store& store) {
  if (runs.empty()) return;
  const ExpectedDurations expected(store, known_instruction_counts());
  for (WaitingRun& waiting : runs) waiting.seconds = expected.seconds(*waiting.run);
}

/// The runs take at least as long as the longest of them, and as all of them divided by the number
/// of jobs. Runs of unknown duration are assumed to take the average time.
RunnerForecast forecast(const RequestedRuns& requested, std::uint32_t jobs) {
  double sum = 0;
  double longest = 0;
  std::size_t known_runs = 0;
  for (const WaitingRun& missing : requested.missing_runs) {
    if (!missing.seconds) continue;
    sum += *missing.seconds;
    longest = std::max(longest, *missing.seconds);
    ++known_runs;
  }
  RunnerForecast result{.all_runs = requested.distinct_runs,
                        .missing_runs = requested.missing_runs.size()};
  if (known_runs == 0) return result;
  const double share_of_known =
      static_cast<double>(known_runs) / static_cast<double>(result.missing_runs);
  result.seconds = std::max(longest, sum / share_of_known / std::max(jobs, 1U));
  return result;
}

/// Simulates the missing runs. The worker threads share this object. They change it only while they
/// hold its lock, which they release during a simulation.
class Campaign {
 public:
  Campaign(const std::vector<const RunRequest*>& runs, Store& store, const Simulate& simulate,
           const RunnerOptions& options)
      : store_(store), simulate_(simulate), options_(options) {
    RequestedRuns requested = look_up_all(runs, store);
    if (!requested.missing_runs.empty()) {
      store.require_fit_to_add();
      estimate_durations(requested.missing_runs, store);
      if (options.begin) options.begin(forecast(requested, options.jobs));
    }
    report_.runs_found = requested.runs_found;
    report_.damaged_runs = std::move(requested.damaged_runs);
    waiting_runs_ = std::move(requested.missing_runs);
    distinct_runs_ = requested.distinct_runs;
    missing_runs_ = waiting_runs_.size();
    // Sorts the runs by their estimated duration, longest first, so that no long run is left for
    // the end. Runs of unknown duration come before all others, because they may be the longest.
    std::stable_sort(waiting_runs_.begin(), waiting_runs_.end(),
                     [](const WaitingRun& a, const WaitingRun& b) {
                       if (!a.seconds || !b.seconds) return !a.seconds && b.seconds;
                       return *a.seconds > *b.seconds;
                     });
  }

  /// Runs everything on `jobs` worker threads, and reports progress from this thread.
  RunnerReport run() {
    const std::size_t count = std::min<std::size_t>(std::max(options_.jobs, 1U), missing_runs_);
    {
      const std::stop_callback pass_on(options_.stop, [this] { stop_.request_stop(); });
      work_on_threads(
          count, [this] { work(); }, options_.report_every, [this] { report_progress(); });
    }
    if (store_error_) std::rethrow_exception(store_error_);
    report_.was_stopped =
        report_.runs_found + report_.runs_simulated + report_.failed_runs.size() < distinct_runs_;
    std::sort(
        report_.failed_runs.begin(), report_.failed_runs.end(),
        [](const FailedRun& a, const FailedRun& b) { return a.run->title() < b.run->title(); });
    return report_;
  }

 private:
  struct RunningRun {
    const RunRequest* run;
    std::optional<double> seconds;
    Clock::time_point begin;
  };

  void work() {
    std::unique_lock lock(mutex_);
    try {
      while (!stop_.stop_requested() && !waiting_runs_.empty()) {
        const WaitingRun next = waiting_runs_.front();
        waiting_runs_.erase(waiting_runs_.begin());
        // Another process may have stored the run in the meantime.
        if (store_.contains(next.run->key)) {
          ++report_.runs_found;
          continue;
        }
        const auto entry =
            running_runs_.insert(running_runs_.end(), {next.run, next.seconds, Clock::now()});
        simulate_one(*entry, lock);
        running_runs_.erase(entry);
      }
    } catch (...) {
      // An exception here means that the store cannot be written; the results of further
      // simulations would be lost.
      if (!store_error_) store_error_ = std::current_exception();
      stop_.request_stop();
    }
  }

  /// The lock is held at entry and exit, but not during the simulation.
  void simulate_one(const RunningRun& running, std::unique_lock<std::mutex>& lock) {
    const RunRequest& run = *running.run;
    std::optional<std::string> result;
    std::string message;
    bool was_stopped = false;
    lock.unlock();
    try {
      result = simulate_(run, stop_.get_token());
    } catch (const Stopped&) {
      was_stopped = true;
    } catch (const std::exception& error) {
      message = error.what();
    }
    lock.lock();
    if (was_stopped) return;
    if (!result) {
      report_.failed_runs.push_back({&run, message});
      return;
    }
    const double seconds = seconds_since(running.begin);
    store_.add({.key = run.key,
                .workload = run.workload_name(),
                .size = std::string(workload::name_of(run.size)),
                .seed = std::to_string(run.seed),
                .registers = name_of(run.registers),
                .grid = std::string(workload::name_of(run.grid)),
                .machine = run.machine.name,
                .parameters = run.parameters,
                .version = run.version,
                .stored_at = std::chrono::duration_cast<std::chrono::seconds>(
                                 std::chrono::system_clock::now().time_since_epoch())
                                 .count(),
                .host_seconds = seconds,
                .result = *result});
    ++report_.runs_simulated;
    simulated_seconds_ += seconds;
    update_estimates(run, seconds);
  }

  /// Assumes that waiting runs of the same workload and size take equally long.
  void update_estimates(const RunRequest& run, double seconds) {
    for (WaitingRun& waiting : waiting_runs_) {
      if (waiting.seconds || waiting.run->workload_name() != run.workload_name()) continue;
      if (waiting.run->size == run.size) waiting.seconds = seconds;
    }
  }

  void report_progress() const {
    if (!options_.progress) return;
    const std::lock_guard lock(mutex_);
    RunnerProgress now{.finished_runs = missing_runs_ - waiting_runs_.size() - running_runs_.size(),
                       .all_runs = missing_runs_};
    for (const RunningRun& running : running_runs_)
      now.running_titles.push_back(running.run->title());
    now.seconds_left = seconds_left();
    options_.progress(now);
  }

  std::optional<double> seconds_left() const {
    // Runs without an estimate are assumed to take the average time.
    std::optional<double> average;
    if (report_.runs_simulated > 0) {
      average = simulated_seconds_ / static_cast<double>(report_.runs_simulated);
    }
    double sum = 0;
    for (const WaitingRun& waiting : waiting_runs_) {
      if (!waiting.seconds && !average) return std::nullopt;
      sum += waiting.seconds ? *waiting.seconds : *average;
    }
    for (const RunningRun& running : running_runs_) {
      if (!running.seconds && !average) return std::nullopt;
      sum += std::max(
          0.0, (running.seconds ? *running.seconds : *average) - seconds_since(running.begin));
    }
    return sum / std::max(options_.jobs, 1U);
  }

  Store& store_;
  const Simulate& simulate_;
  const RunnerOptions& options_;
  mutable std::mutex mutex_;
  std::stop_source stop_;
  std::vector<WaitingRun> waiting_runs_;
  std::list<RunningRun> running_runs_;
  std::size_t distinct_runs_ = 0;  ///< Number of requested keys.
  std::size_t missing_runs_ = 0;   ///< Number of runs that the store lacked at the start.
  double simulated_seconds_ = 0;
  RunnerReport report_;
  std::exception_ptr store_error_;  ///< The first failure to write to the store.
};

}  // namespace

RunnerReport run_missing(const std::vector<const RunRequest*>& runs, Store& store,
                         const Simulate& simulate, const RunnerOptions& options) {
  return Campaign(runs, store, simulate, options).run();
}

RunnerForecast forecast(const std::vector<const RunRequest*>& runs, const Store& store,
                        std::uint32_t jobs) {
  RequestedRuns requested = look_up_all(runs, store);
  estimate_durations(requested.missing_runs, store);
  return forecast(requested, jobs);
}

}  // namespace heddle::lab
