#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

namespace heddle::cuda {

/// The mutex of the session. It is recursive, because the driver's functions call the runtime's.
/// The owner can wait for a condition without owning it, however often it has locked it.
class SessionMutex {
 public:
  void lock() {
    if (owner_ != std::this_thread::get_id()) mutex_.lock();
    own(depth_ + 1);
  }
  void unlock() {
    if (--depth_ != 0) return;
    owner_ = std::thread::id();
    mutex_.unlock();
  }

  /// Gives the mutex up until it is notified and `condition` holds.
  template <class Condition>
  void wait(std::condition_variable& notified, Condition condition) {
    release([&](auto& lock) { notified.wait(lock, condition); });
  }
  /// Gives the mutex up until it is notified or `time` has passed.
  void wait_for(std::condition_variable& notified, std::chrono::microseconds time) {
    release([&](auto& lock) { notified.wait_for(lock, time); });
  }

 private:
  void own(std::uint32_t depth) {
    owner_ = std::this_thread::get_id();
    depth_ = depth;
  }
  template <class Wait>
  void release(Wait wait) {
    const std::uint32_t depth = depth_;
    depth_ = 0;
    owner_ = std::thread::id();
    std::unique_lock lock(mutex_, std::adopt_lock);
    wait(lock);
    lock.release();
    own(depth);
  }

  std::mutex mutex_;
  std::atomic<std::thread::id> owner_;  ///< Nobody's: a default value.
  std::uint32_t depth_ = 0;             ///< How often the owner has locked it.
};

}  // namespace heddle::cuda
