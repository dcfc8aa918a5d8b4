#pragma once

#include <csignal>
#include <stop_token>
#include <thread>

namespace heddle {

/// While an Interrupt exists, the terminal's interrupt (Ctrl-C) requests a stop instead of ending
/// the program. A second interrupt ends the program. If SIGINT is ignored, it stays ignored.
/// Construct the object before other threads start: they inherit the set of signals that it blocks.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  std::stop_token token() const { return stop_.get_token(); }

 private:
  sigset_t signals_before_{};  ///< The signals that were blocked before.
  std::stop_source stop_;
  std::jthread waiter_;
};

}  // namespace heddle
