#pragma once

// A launch that may wait for the host. CUDA's launches return before the kernel ends, so a kernel
// may wait until the host writes to memory that both share. Heddle executes a kernel within the
// call that launches it. If all of the kernel's threads wait for such memory, the call returns, and
// the kernel goes on beside the host program, in a thread of its own, when the memory has changed.

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cuda/runtime/session_mutex.h"

namespace heddle::cuda {

/// Memory of the host that a kernel's threads read again and again.
struct PolledMemory {
  const void* place = nullptr;
  std::uint32_t bytes = 0;  ///< At most 8.
  std::uint64_t value = 0;  ///< What the threads have read.
  bool operator==(const PolledMemory&) const = default;
};

/// At most one launch is in flight. All functions must be called with the session's mutex locked;
/// those that wait give it up meanwhile.
class LaunchBesideHost {
 public:
  /// `is_ending` says whether the process ends.
  LaunchBesideHost(SessionMutex& mutex, std::function<bool()> is_ending)
      : mutex_(mutex), is_ending_(std::move(is_ending)) {}

  /// Executes `launch` in a thread of its own. Returns when it has ended, and then throws its
  /// exception if it has ended with one, or when it waits for the host.
  void start(std::function<void()> launch);
  bool is_in_flight() const { return state_ != State::ended; }
  /// Whether a launch is in flight and waits for the host.
  bool waits() const { return state_ == State::waits; }
  /// Waits until no launch is in flight.
  void finish();
  /// Notes that the host calls CUDA: it may change what the launch waits for.
  void note_call() { ++calls_; }

  /// Called in the launch's thread when no thread of the kernel makes progress. Returns after the
  /// host may have changed the memory; returns false if nothing will change it.
  bool wait_for_host(const std::vector<PolledMemory>& polled, const std::string& kernel);

 private:
  enum class State : std::uint8_t {
    runs,   ///< The thread executes the kernel, and owns the session's mutex or waits for it.
    waits,  ///< The thread waits until the host changes memory.
    ended,
  };

  void run(const std::function<void()>& launch);
  void set(State state);
  /// Whether all threads of the program wait for the launch.
  bool is_lost() const;
  void notice_once(const std::string& kernel);

  SessionMutex& mutex_;
  std::function<bool()> is_ending_;
  State state_ = State::ended;
  std::condition_variable changed_;
  std::exception_ptr error_;
  bool is_awaited_ = false;    ///< Whether start() has not returned: it throws the error.
  std::size_t finishing_ = 0;  ///< The threads in finish().
  std::uint64_t calls_ = 0;    ///< The calls of the host since the launch began.
  bool is_noticed_ = false;    ///< Whether a message has said that the launch waits.
  /// What the launch polled last, and since when without a change.
  std::vector<PolledMemory> last_polled_;
  std::chrono::steady_clock::time_point unchanged_since_;
};

}  // namespace heddle::cuda
