#include "interrupt.h"

#include <pthread.h>

#include <condition_variable>
#include <mutex>

namespace heddle {
namespace {

/// The signal that wakes the waiting thread when the Interrupt is destroyed.
constexpr int kEnd = SIGUSR1;

/// The signals that the thread waits for: kEnd, and SIGINT unless it is ignored, as in a background
/// job or under nohup. (sigwait() would receive a blocked SIGINT even if it is ignored.)
sigset_t awaited_signals() {
  struct sigaction action {};
  sigaction(SIGINT, nullptr, &action);
  sigset_t awaited;
  sigemptyset(&awaited);
  sigaddset(&awaited, kEnd);
  if (action.sa_handler != SIG_IGN) sigaddset(&awaited, SIGINT);
  return awaited;
}

void wait_for_interrupt(const std::stop_token& end, std::stop_source& stop) {
  sigset_t awaited = awaited_signals();
  int signal = 0;
  sigwait(&awaited, &signal);
  if (signal != SIGINT) return;
  stop.request_stop();
  // From now on, an interrupt has its usual effect.
  sigdelset(&awaited, kEnd);
  pthread_sigmask(SIG_UNBLOCK, &awaited, nullptr);
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any().wait(lock, end, [] { return false; });
}

}  // namespace

Interrupt::Interrupt() {
  const sigset_t blocked = awaited_signals();
  pthread_sigmask(SIG_BLOCK, &blocked, &signals_before_);
  waiter_ = std::jthread([this](const std::stop_token& end) { wait_for_interrupt(end, stop_); });
}

Interrupt::~Interrupt() {
  waiter_.request_stop();
  pthread_kill(waiter_.native_handle(), kEnd);
  waiter_.join();
  pthread_sigmask(SIG_SETMASK, &signals_before_, nullptr);
}

}  // namespace heddle
