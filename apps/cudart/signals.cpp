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

/// Between the handler, which may do next to nothing, and the thread that answers.
struct Post {
  Post() { ::sem_init(&arrived, 0, 0); }

  ::sem_t arrived{};
  ::pid_t process = ::getpid();
  std::atomic<int> ending = 0;  ///< The signal; 0: none.
  std::atomic<bool> asked = false;
};

/// Never destroyed: signals come until the very end.
Post& post() {
  static Post& post = *new Post;
  return post;
}

void handle(int signal) {
  const int error = errno;
  Post& to = post();
  // A child that was forked off has no thread that would answer; and who asks twice does not wait.
  const bool ends = signal != SIGUSR1;
  if (::getpid() != to.process || (ends && to.ending.exchange(signal) != 0)) {
    std::signal(signal, SIG_DFL);
    ::raise(signal);
  } else {
    if (!ends) to.asked = true;
    ::sem_post(&to.arrived);
  }
  errno = error;
}

void answer(const SignalAnswers& answers) {
  Post& from = post();
  while (true) {
    if (::sem_wait(&from.arrived) != 0) continue;
    if (from.ending != 0) answers.end();
    if (from.asked.exchange(false)) answers.status();
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

void answer_signals(SignalAnswers answers) {
  post();
  // The program's own threads take the signals, which the program may block or wait for.
  ::sigset_t all{};
  ::sigset_t before{};
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  bool started = true;
  try {
    std::thread([own = std::move(answers)] { answer(own); }).detach();
  } catch (const std::system_error&) {
    started = false;  // Signals do what they do without.
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (!started) return;
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) handle_unless_handled(signal);
}

std::string ending_signal() {
  switch (post().ending) {
    case SIGINT:
      return "SIGINT";
    case SIGTERM:
      return "SIGTERM";
    default:
      return {};
  }
}

void end_by_signal() {
  const int signal = post().ending;
  std::signal(signal, SIG_DFL);
  ::sigset_t only{};
  ::sigemptyset(&only);
  ::sigaddset(&only, signal);
  ::pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  ::raise(signal);
  ::_exit(128 + signal);  // Not reached.
}

}  // namespace heddle::cuda
