#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

#include "launch_progress.h"
#include "progress.h"

namespace heddle::cuda {

/// What the process simulates just now: on a line of the terminal, and in words for who asks.
class Activity {
 public:
  void begin_launch(const std::string& kernel);
  void end_launch();
  void report(const LaunchNow& now);
  bool launch_is_under_way() const;

  /// Room on the terminal for what others write.
  void clear_line();
  std::string text() const;

 private:
  double rate() const;

  /// A handler of the program's that exits may have interrupted whoever holds it.
  mutable std::recursive_mutex mutex_;
  Progress line_;
  std::uint64_t launches_ = 0;
  std::string kernel_;      ///< Empty: none is under way.
  std::string short_name_;  ///< Made when it is first shown.
  LaunchNow now_;
  std::chrono::steady_clock::time_point begin_;
  std::chrono::steady_clock::time_point reported_;
};

}  // namespace heddle::cuda
