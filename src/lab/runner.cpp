#include "lab/runner.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <system_error>
#include <thread>

namespace heddle::lab {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// The workers' common state. Everything but the simulations themselves happens under its lock.
class Campaign {
 public:
  Campaign(const std::vector<const RunRequest*>& runs, Store& store, const Simulate& simulate,
           const RunnerOptions& options)
      : store_(store), simulate_(simulate), options_(options) {
    std::set<std::string_view> seen;
    for (const RunRequest* run : runs) {
      if (!seen.insert(run->key).second) continue;
      const Store::State state = store.look_up(run->key).state;
      if (state == Store::State::sound) {
        ++report_.found;
        continue;
      }
      if (state == Store::State::damaged) report_.damaged.push_back(run);
      waiting_.push_back({run, std::nullopt});
    }
    if (!waiting_.empty()) {
      store.require_fit_to_add();
      expect();
    }
    distinct_ = seen.size();
    total_ = waiting_.size();
    // The longest first, so that no thread is left alone with it in the end. What is not known may
    // be the longest.
    std::stable_sort(waiting_.begin(), waiting_.end(), [](const Waiting& a, const Waiting& b) {
      if (!a.seconds || !b.seconds) return !a.seconds && b.seconds;
      return *a.seconds > *b.seconds;
    });
  }

  RunnerReport run() {
    const std::size_t count = std::min<std::size_t>(std::max(options_.jobs, 1U), total_);
    {
      std::vector<std::jthread> workers;
      const std::stop_callback pass_on(options_.stop, [this] { stop_.request_stop(); });
      working_ = count;
      // Where no more threads can be started, those that there are do the work; if none can, this
      // one.
      try {
        while (workers.size() < count) workers.emplace_back([this] { work(); });
      } catch (const std::system_error&) {
        const std::lock_guard lock(mutex_);
        working_ -= count - workers.size();
      }
      if (workers.empty() && count > 0) {
        working_ = 1;
        work();
      }
      std::unique_lock lock(mutex_);
      while (working_ > 0) {
        report_progress();
        changed_.wait_for(lock, options_.report_every, [this] { return working_ == 0; });
      }
    }
    if (broken_) std::rethrow_exception(broken_);
    report_.stopped = report_.found + report_.simulated + report_.failed.size() < distinct_;
    std::sort(
        report_.failed.begin(), report_.failed.end(),
        [](const FailedRun& a, const FailedRun& b) { return a.run->title() < b.run->title(); });
    return report_;
  }

 private:
  struct Waiting {
    const RunRequest* run;
    std::optional<double> seconds;  ///< That it will take, as far as one can know.
  };
  struct Running {
    const RunRequest* run;
    std::optional<double> seconds;
    Clock::time_point begin;
  };

  /// That runs take as long as earlier ones of their workloads.
  void expect() {
    const std::map<WorkloadAndSize, double> known = store_.host_seconds();
    for (Waiting& waiting : waiting_) {
      const RunRequest& run = *waiting.run;
      const auto found =
          known.find({run.workload_name(), std::string(workload::name_of(run.size))});
      if (found != known.end()) waiting.seconds = found->second;
    }
  }

  void work() {
    std::unique_lock lock(mutex_);
    try {
      while (!stop_.stop_requested() && !waiting_.empty()) {
        const Waiting next = waiting_.front();
        waiting_.erase(waiting_.begin());
        // Another process may have come to it meanwhile.
        if (store_.contains(next.run->key)) {
          ++report_.found;
          continue;
        }
        const auto place = running_.insert(running_.end(), {next.run, next.seconds, Clock::now()});
        simulate_one(*place, lock);
        running_.erase(place);
      }
    } catch (...) {
      // The store cannot be written to: there is no use in going on.
      if (!broken_) broken_ = std::current_exception();
      stop_.request_stop();
    }
    --working_;
    changed_.notify_all();
  }

  /// Called, and left, with the lock held.
  void simulate_one(const Running& running, std::unique_lock<std::mutex>& lock) {
    const RunRequest& run = *running.run;
    std::optional<std::string> result;
    std::string message;
    bool stopped = false;
    lock.unlock();
    try {
      result = simulate_(run, stop_.get_token());
    } catch (const Stopped&) {
      stopped = true;
    } catch (const std::exception& error) {
      message = error.what();
    }
    lock.lock();
    if (stopped) return;
    if (!result) {
      report_.failed.push_back({&run, message});
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
    ++report_.simulated;
    simulated_seconds_ += seconds;
    learn(run, seconds);
  }

  /// Other variants of a workload take about as long.
  void learn(const RunRequest& run, double seconds) {
    for (Waiting& waiting : waiting_) {
      if (waiting.seconds || waiting.run->workload_name() != run.workload_name()) continue;
      if (waiting.run->size == run.size) waiting.seconds = seconds;
    }
  }

  void report_progress() const {
    if (!options_.progress) return;
    RunnerProgress now{.done = total_ - waiting_.size() - running_.size(), .total = total_};
    for (const Running& running : running_) now.running.push_back(running.run->title());
    now.seconds_left = seconds_left();
    options_.progress(now);
  }

  std::optional<double> seconds_left() const {
    // What nothing is known of is taken for the average.
    std::optional<double> usual;
    if (report_.simulated > 0) {
      usual = simulated_seconds_ / static_cast<double>(report_.simulated);
    }
    double sum = 0;
    for (const Waiting& waiting : waiting_) {
      if (!waiting.seconds && !usual) return std::nullopt;
      sum += waiting.seconds ? *waiting.seconds : *usual;
    }
    for (const Running& running : running_) {
      if (!running.seconds && !usual) return std::nullopt;
      sum += std::max(0.0,
                      (running.seconds ? *running.seconds : *usual) - seconds_since(running.begin));
    }
    return sum / std::max(options_.jobs, 1U);
  }

  Store& store_;
  const Simulate& simulate_;
  const RunnerOptions& options_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::stop_source stop_;
  std::vector<Waiting> waiting_;
  std::list<Running> running_;
  std::size_t distinct_ = 0;
  std::size_t total_ = 0;  ///< That were missing at the begin.
  std::size_t working_ = 0;
  double simulated_seconds_ = 0;
  RunnerReport report_;
  std::exception_ptr broken_;
};

}  // namespace

RunnerReport run_missing(const std::vector<const RunRequest*>& runs, Store& store,
                         const Simulate& simulate, const RunnerOptions& options) {
  return Campaign(runs, store, simulate, options).run();
}

}  // namespace heddle::lab
