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
    // A signal that was already pending is left for its owner.
    if (sigismember(&pending, signal) == 0) sigaddset(&blocked_, signal);
  }
  pthread_sigmask(SIG_BLOCK, &blocked_, &before_);
}

WriteSignalBlock::~WriteSignalBlock() {
  const timespec at_once{};
  while (sigtimedwait(&blocked_, nullptr, &at_once) > 0) {
  }
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace heddle
