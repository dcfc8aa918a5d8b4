#include "base/write_signals.h"

#include <ctime>
#include <initializer_list>

namespace heddle {

WriteSignalBlock::WriteSignalBlock() {
  sigset_t pending;
  sigemptyset(&pending);
  sigpending(&pending);
  sigemptyset(&blocked_);
  for (const int signal : {SIGPIPE, SIGXFSZ}) {
    // A signal that was already pending stays pending: the destructor must not consume it.
    if (sigismember(&pending, signal) == 0) sigaddset(&blocked_, signal);
  }
  pthread_sigmask(SIG_BLOCK, &blocked_, &previous_mask_);
}

WriteSignalBlock::~WriteSignalBlock() {
  const timespec no_wait{};
  // Consumes the signals that writes raised meanwhile.
  while (sigtimedwait(&blocked_, nullptr, &no_wait) > 0) {
  }
  pthread_sigmask(SIG_SETMASK, &previous_mask_, nullptr);
}

}  // namespace heddle
