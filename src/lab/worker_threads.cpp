#include "lab/worker_threads.h"

#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace heddle::lab {

void work_on_threads(std::size_t count, const std::function<void()>& work,
                     std::chrono::milliseconds interval, const std::function<void()>& report) {
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t working = count;
  std::vector<std::jthread> threads;
  try {
    while (threads.size() < count) {
      threads.emplace_back([&] {
        work();
        const std::lock_guard lock(mutex);
        --working;
        changed.notify_all();
      });
    }
  } catch (const std::system_error&) {
    const std::lock_guard lock(mutex);
    working -= count - threads.size();
  }
  if (threads.empty() && count > 0) work();
  std::unique_lock lock(mutex);
  while (working > 0) {
    lock.unlock();
    report();
    lock.lock();
    changed.wait_for(lock, interval, [&] { return working == 0; });
  }
}

}  // namespace heddle::lab
