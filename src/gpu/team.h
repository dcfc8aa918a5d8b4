#pragma once

// A team of host threads. The chip's main loop (gpu/epochs.h) consists of steps, such as the
// simulation of all multiprocessors for one epoch. The members of the team share the work of each
// step.

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/host_lines.h"
#include "base/own_thread.h"

namespace heddle::gpu {

/// The caller of run() is a member of the team. A step ends when all its work is done, even if some
/// members have not woken up. The team therefore never waits for a member that has no processor. In
/// every step, each member begins with the same share of the work, so that the data of the share
/// stay in its processor's caches. Then it helps the other members (work stealing).
class Team {
 public:
  /// Starts one host thread that executes `serve`; throws std::system_error if it cannot.
  using StartThread = std::function<std::jthread(std::function<void()> serve)>;

  /// Starts the other members, so that the team has `members` members. If the host cannot start all
  /// threads (because of a limit on processes or memory), the team consists of the caller and the
  /// threads that started.
  explicit Team(std::uint32_t members, const StartThread& start = start_thread);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  std::uint32_t size() const { return size_; }
  /// Whether members work on the indices of their shares in ascending or descending order.
  enum class Order : std::uint8_t { forwards, backwards };

  /// Calls work(i) once for each i from 0 to count - 1, and returns when all calls have returned.
  /// `count` is at most kMaxCount. `work` must not throw.
  template <class Work>
  void run(std::uint32_t count, Work&& work, Order order = Order::forwards) {
    if (size_ == 1 || count <= 1) {
      for (std::uint32_t i = 0; i < count; ++i) {
        work(order == Order::forwards ? i : count - 1 - i);
      }
      return;
    }
    task_ = {[](void* context, std::uint32_t i) {
               (*static_cast<std::remove_reference_t<Work>*>(context))(i);
             },
             &work};
    run_task(count, order);
  }

  static constexpr std::uint32_t kMaxCount = (1U << 16) - 1;

 private:
  struct Task {
    void (*call)(void* context, std::uint32_t index) = nullptr;
    void* context = nullptr;
  };

  /// The indices of a member's share that no thread has taken yet. They are a range, packed into
  /// one atomic integer with the number and the order of the step (Remaining, in team.cpp). The
  /// member takes indices from one end, and the other members take them from the other end. The
  /// step cannot end before a thread has finished the index that it took, so task_ stays valid for
  /// the thread.
  struct alignas(kHostLineBytes) Share {
    std::atomic<std::uint64_t> remaining{0};
  };

  void run_task(std::uint32_t count, Order order);
  /// Takes indices of the current step, and works on them, until none remains.
  void take_part(std::uint32_t member);
  /// Whether any member's share still has indices.
  bool any_remain() const;
  /// The main loop of a member other than the caller.
  void serve(std::uint32_t member);

  static std::jthread start_thread(std::function<void()> serve) {
    return std::jthread([serve = std::move(serve)] {
      name_own_thread();
      serve();
    });
  }

  std::uint32_t size_ = 1;
  Task task_;
  std::uint32_t step_ = 0;     ///< The number of the current step, modulo 2^31.
  std::vector<Share> shares_;  ///< One for each member; the caller is member 0.
  /// The number of finished indices of the current step.
  alignas(kHostLineBytes) std::atomic<std::uint32_t> done_{0};
  /// The number of started steps. Sleeping members wait for it to change.
  alignas(kHostLineBytes) std::atomic<std::uint32_t> steps_{0};
  std::atomic<bool> is_stopping_{false};
  std::vector<std::jthread> threads_;
};

}  // namespace heddle::gpu
