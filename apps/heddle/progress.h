#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace heddle {

/// One line on the terminal, written over and over, that says what is going on; nothing where
/// standard error is no terminal.
class Progress {
 public:
  Progress();
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Details of one phase are shown now and then, a new phase at once.
  void show(std::string_view phase, std::string_view detail);
  void clear();

 private:
  bool terminal_;
  bool shown_ = false;
  std::string phase_;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace heddle
