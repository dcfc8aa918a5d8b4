#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

#include "launch_progress.h"
#include "progress.h"

namespace heddle::cuda {

/// Shows the launch in flight on the terminal's progress line, and describes it for a status
/// request. Any thread may call the functions.
class Activity {
 public:
  void begin_launch(const std::string& kernel);
  void end_launch();
  void report(const LaunchState& now);
  bool is_launch_in_flight() const;

  /// Clears the progress line, so that other output can be written to the terminal.
  void clear_line();
  /// Describes the launch in flight; if there is none, says so and counts the launches so far.
  std::string text() const;

 private:
  /// Warp instructions per second of host time, from the launch's begin to the last report.
  double rate() const;

  /// Recursive: a signal handler of the program may call exit() in a thread that holds the mutex.
  mutable std::recursive_mutex mutex_;
  Progress line_;
  std::uint64_t launches_ = 0;  ///< The launches so far, including the one in flight.
  std::string kernel_;          ///< Empty: no launch is in flight.
  std::string short_name_;      ///< Computed when it is first shown.
  LaunchState last_report_;
  std::chrono::steady_clock::time_point begin_;
  std::chrono::steady_clock::time_point reported_;
};

}  // namespace heddle::cuda
