#pragma once

// Host threads that work on an epoch together, step by step.

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/host_lines.h"

namespace heddle::gpu {

/// The caller is a member of the team. A step is done when all its work is done, even if some
/// members have not woken up. A host with fewer free processors than threads is therefore slower
/// only by the missing help. Each member begins with the same share of the work in every step, so
/// its data stay in its processor's caches; then it helps the other members (work stealing).
class Team {
 public:
  /// Starts one host thread that executes `serve`; throws std::system_error if it cannot.
  using StartThread = std::function<std::jthread(std::function<void()> serve)>;

  /// If the host cannot start all threads (because of a limit on processes or memory), the team
  /// consists of those that started, and at least of the caller.
  explicit Team(std::uint32_t threads, const StartThread& start = start_thread);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  std::uint32_t size() const { return size_; }
  /// Whether a member begins at the first or at the last index of its share.
  enum class Order : std::uint8_t { forwards, backwards };

  /// Calls work(i) once for each i < count (at most kMostWork), and returns when all are done.
  /// `work` must not throw.
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

  static constexpr std::uint32_t kMostWork = (1U << 16) - 1;

 private:
  struct Task {
    void (*call)(void* context, std::uint32_t index) = nullptr;
    void* context = nullptr;
  };

  /// The remaining part of a member's share, in one atomic word: the step's number and order, and a
  /// range of indices. The member takes indices from one end, and the other members from the other
  /// end. A thread that has taken an index keeps the step from ending, so task_ stays valid for it.
  struct alignas(kHostLineBytes) Share {
    std::atomic<std::uint64_t> left{0};
  };

  void run_task(std::uint32_t count, Order order);
  void take_part(std::uint32_t member);
  /// Whether any member's share still has indices.
  bool any_left() const;
  void serve(std::uint32_t member);

  static std::jthread start_thread(std::function<void()> serve) {
    return std::jthread(std::move(serve));
  }

  std::uint32_t size_ = 1;
  Task task_;
  std::uint32_t step_ = 0;     ///< The number of the step, modulo 2^31.
  std::vector<Share> shares_;  ///< One for each member; the caller is member 0.
  alignas(kHostLineBytes) std::atomic<std::uint32_t> done_{0};
  /// The number of started steps; sleeping members wait for it to change.
  alignas(kHostLineBytes) std::atomic<std::uint32_t> steps_{0};
  std::atomic<bool> is_stopping_{false};
  std::vector<std::jthread> threads_;
};

}  // namespace heddle::gpu
