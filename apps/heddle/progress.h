#pragma once

#include <chrono>
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

  void tell(std::string_view what);
  void clear();

 private:
  bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace heddle
