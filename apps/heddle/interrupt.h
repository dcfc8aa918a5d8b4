#pragma once

#include <csignal>
#include <stop_token>
#include <thread>

namespace heddle {

/// During its lifetime, the terminal's interrupt (Ctrl-C) requests a stop instead of ending the
/// program. A second interrupt ends the program. If SIGINT is ignored, it stays ignored. Construct
/// it before other threads are started: they inherit the signals that it blocks.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  std::stop_token token() const { return stop_.get_token(); }

 private:
  sigset_t before_{};
  std::stop_source stop_;
  std::jthread waiter_;
};

}  // namespace heddle
