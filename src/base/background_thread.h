#pragma once

#include <functional>

namespace heddle {

/// Runs `body` in a thread that nobody joins, with the name of Heddle's own threads. The thread
/// blocks all signals, so that the threads of a program in the same process receive them. Returns
/// false if the system cannot start a thread.
bool start_background_thread(std::function<void()> body);

}  // namespace heddle
