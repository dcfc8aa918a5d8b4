#include "base/background_thread.h"

#include <pthread.h>

#include <csignal>
#include <system_error>
#include <thread>
#include <utility>

#include "base/own_thread.h"

namespace heddle {

bool start_background_thread(std::function<void()> body) {
  // The new thread inherits the mask.
  ::sigset_t all{};
  ::sigset_t before{};
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  bool started = true;
  try {
    std::thread([moved = std::move(body)] {
      name_own_thread();
      moved();
    }).detach();
  } catch (const std::system_error&) {
    started = false;
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return started;
}

}  // namespace heddle
