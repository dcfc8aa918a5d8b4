#include "interrupt.h"

#include <pthread.h>

#include <condition_variable>
#include <mutex>

namespace heddle {
namespace {

/// Wakes the waiter when nobody interrupted.
constexpr int kEnd = SIGUSR1;

void wait_for_interrupt(const std::stop_token& end, std::stop_source& asked) {
  sigset_t awaited;
  sigemptyset(&awaited);
  sigaddset(&awaited, SIGINT);
  sigaddset(&awaited, kEnd);
  int signal = 0;
  sigwait(&awaited, &signal);
  if (signal != SIGINT) return;
  asked.request_stop();
  // From now on an interrupt does what it usually does.
  sigdelset(&awaited, kEnd);
  pthread_sigmask(SIG_UNBLOCK, &awaited, nullptr);
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any().wait(lock, end, [] { return false; });
}

}  // namespace

Interrupt::Interrupt() {
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGINT);
  sigaddset(&blocked, kEnd);
  pthread_sigmask(SIG_BLOCK, &blocked, &before_);
  waiter_ = std::jthread([this](const std::stop_token& end) { wait_for_interrupt(end, asked_); });
}

Interrupt::~Interrupt() {
  waiter_.request_stop();
  pthread_kill(waiter_.native_handle(), kEnd);
  waiter_.join();
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace heddle
