#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace heddle {

/// The progress line: one line on the terminal that is overwritten. Shows nothing if standard error
/// is not a terminal.
class Progress {
 public:
  Progress();
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Shows a new phase at once, and further details of the same phase at most ten times a second.
  void show(std::string_view phase, std::string_view detail);
  /// Clears the line, so that other output can be written to the terminal.
  void clear();

 private:
  bool is_terminal_;
  bool is_shown_ = false;
  std::string phase_;
  std::chrono::steady_clock::time_point last_time_{};  ///< When the line was last written.
};

}  // namespace heddle
