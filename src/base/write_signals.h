#pragma once

#include <csignal>

namespace heddle {

/// While this lives, what this thread cannot write is an error of the call and no signal that ends
/// the process: a pipe that nobody reads any more, a file that would grow beyond the limit.
class WriteSignals {
 public:
  WriteSignals();
  ~WriteSignals();
  WriteSignals(const WriteSignals&) = delete;
  WriteSignals& operator=(const WriteSignals&) = delete;

 private:
  sigset_t blocked_{};
  sigset_t before_{};
};

}  // namespace heddle
