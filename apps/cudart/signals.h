#pragma once

#include <functional>
#include <string>

namespace heddle::cuda {

/// What is done when the process is sent a signal. Both are called in a thread of their own, where
/// anything may be done.
struct SignalAnswers {
  std::function<void()> status;  ///< SIGUSR1: what is it doing?
  std::function<void()> end;     ///< SIGINT, SIGTERM: it is to end, by end_by_signal().
};

/// Answers the signals that would end the process as it is now. One that it ignores stays ignored,
/// and one that the program handles, now or later, is the program's. To be called once in a
/// process.
void answer_signals(SignalAnswers answers);

/// The one that the process ends by, as "SIGINT"; empty where none has come.
std::string ending_signal();
/// Ends the process as that would have ended it.
[[noreturn]] void end_by_signal();

}  // namespace heddle::cuda
