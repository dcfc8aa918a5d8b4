#include "signals.h"

#include <semaphore.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <thread>
#include <utility>

namespace heddle::cuda {
namespace {

/// Passes signals from the handler, which may only call async-signal-safe functions, to the thread
/// that acts on them.
struct Mailbox {
  Mailbox() { ::sem_init(&arrived, 0, 0); }

  ::sem_t arrived{};
  ::pid_t process = ::getpid();
  std::atomic<int> ending = 0;  ///< The signal that ends the process; 0: none.
  std::atomic<bool> status_requested = false;
};

/// Never destroyed: signals can arrive until the process has ended.
Mailbox& mailbox() {
  static Mailbox& mailbox = *new Mailbox;
  return mailbox;
}

void handle(int signal) {
  const int error = errno;
  Mailbox& to = mailbox();
  // A forked child does not have the thread that acts on signals. A second ending signal ends the
  // process at once.
  const bool ends = signal != SIGUSR1;
  if (::getpid() != to.process || (ends && to.ending.exchange(signal) != 0)) {
    std::signal(signal, SIG_DFL);
    ::raise(signal);
  } else {
    if (!ends) to.status_requested = true;
    ::sem_post(&to.arrived);
  }
  errno = error;
}

void run_actions(const SignalActions& actions) {
  Mailbox& from = mailbox();
  while (true) {
    if (::sem_wait(&from.arrived) != 0) continue;
    if (from.ending != 0) actions.end();
    if (from.status_requested.exchange(false)) actions.status();
  }
}

void handle_unless_handled(int signal) {
  struct ::sigaction now {};
  ::sigaction(signal, nullptr, &now);
  if (now.sa_handler != SIG_DFL) return;
  now.sa_handler = &handle;
  now.sa_flags = SA_RESTART;
  ::sigaction(signal, &now, nullptr);
}

}  // namespace

void handle_signals(SignalActions actions) {
  mailbox();
  // The new thread blocks all signals, so that the program's own threads receive them: the program
  // may block them or wait for them.
  ::sigset_t all{};
  ::sigset_t before{};
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  bool started = true;
  try {
    std::thread([own = std::move(actions)] { run_actions(own); }).detach();
  } catch (const std::system_error&) {
    started = false;  // Signals keep their default effect.
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (!started) return;
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) handle_unless_handled(signal);
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
