#include "signals.h"

#include <semaphore.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <utility>

#include "base/background_thread.h"

namespace heddle::cuda {
namespace {

/// Passes signals from the handler, which may only call async-signal-safe functions, to the thread
/// that acts on them.
struct Mailbox {
  Mailbox() { ::sem_init(&arrived, 0, 0); }

  ::sem_t arrived{};
  ::pid_t process = ::getpid();
  std::atomic<int> ending = 0;  ///< The signal that ends the process; 0: none has arrived.
  std::atomic<bool> status_requested = false;
};

/// Never destroyed: signals can arrive until the process has ended.
Mailbox& mailbox() {
  static Mailbox& mailbox = *new Mailbox;
  return mailbox;
}

void handle(int signal) {
  const int error = errno;
  Mailbox& box = mailbox();
  // A forked child does not have the thread that acts on signals. A second ending signal ends the
  // process at once.
  const bool ends = signal != SIGUSR1;
  if (::getpid() != box.process || (ends && box.ending.exchange(signal) != 0)) {
    std::signal(signal, SIG_DFL);
    ::raise(signal);
  } else {
    if (!ends) box.status_requested = true;
    ::sem_post(&box.arrived);
  }
  errno = error;
}

void run_actions(const SignalActions& actions) {
  Mailbox& box = mailbox();
  while (true) {
    if (::sem_wait(&box.arrived) != 0) continue;
    if (box.ending != 0) actions.end();
    if (box.status_requested.exchange(false)) actions.status();
  }
}

/// Installs the handler, unless the signal is ignored or has another handler.
void install_handler(int signal) {
  struct ::sigaction action {};
  ::sigaction(signal, nullptr, &action);
  if (action.sa_handler != SIG_DFL) return;
  action.sa_handler = &handle;
  action.sa_flags = SA_RESTART;
  ::sigaction(signal, &action, nullptr);
}

}  // namespace

void handle_signals(SignalActions actions) {
  mailbox();
  // Without the thread, signals keep their default effect.
  if (!start_background_thread([moved = std::move(actions)] { run_actions(moved); })) return;
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) install_handler(signal);
}

std::string ending_signal() {
  switch (mailbox().ending) {
    case SIGINT:
      return "SIGINT";
    case SIGTERM:
      return "SIGTERM";
    default:
      return {};
  }
}

void end_by_signal() {
  const int signal = mailbox().ending;
  std::signal(signal, SIG_DFL);
  ::sigset_t only{};
  ::sigemptyset(&only);
  ::sigaddset(&only, signal);
  ::pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  ::raise(signal);
  ::_exit(128 + signal);  // Not reached.
}

}  // namespace heddle::cuda
