#pragma once

#include <csignal>
#include <stop_token>
#include <thread>

namespace heddle {

/// While this lives, the terminal's interrupt (Ctrl-C) asks to stop instead of ending the program.
/// A second one ends it; where it is ignored, it stays ignored. To be made before other threads
/// are: they inherit what it blocks.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  std::stop_token token() const { return asked_.get_token(); }

 private:
  sigset_t before_{};
  std::stop_source asked_;
  std::jthread waiter_;
};

}  // namespace heddle
