#pragma once

#include <functional>
#include <string>

namespace heddle::cuda {

/// The actions for signals sent to the process. They run in a thread of their own, so they are not
/// limited to async-signal-safe functions.
struct SignalActions {
  std::function<void()> status;  ///< SIGUSR1: prints what the process is doing.
  std::function<void()> end;     ///< SIGINT, SIGTERM: ends the process by end_by_signal().
};

/// Handles SIGINT, SIGTERM and SIGUSR1, except those that the process ignores or already handles. A
/// handler that the program sets later replaces this one. Must be called only once in a process.
void handle_signals(SignalActions actions);

/// The signal that ends the process, such as "SIGINT"; empty if none has arrived.
std::string ending_signal();
/// Ends the process by the default effect of ending_signal(), which must have arrived.
[[noreturn]] void end_by_signal();

}  // namespace heddle::cuda
