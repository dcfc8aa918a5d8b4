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

/// The caller is one of the team, and waits for no member that has not started: a step is done when
/// its work is, not when everyone has looked. So a host with fewer processors than threads, or with
/// other things to do, costs no more than the help that does not come. Each member begins with the
/// same share of the work in every step, whose data are then in its processor's caches, and helps
/// the others when that is done.
class Team {
 public:
  /// Starts one host thread, which executes `serve`; throws std::system_error where it cannot.
  using StartThread = std::function<std::jthread(std::function<void()> serve)>;

  /// Where no more threads can be started (a limit on processes, or on memory), the team is those
  /// that there are: the caller at least.
  explicit Team(std::uint32_t threads, const StartThread& start = start_thread);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  std::uint32_t size() const { return size_; }
  /// From which end of its share a member begins.
  enum class Order : std::uint8_t { forwards, backwards };

  /// Calls work(i) once for each i < count (at most kMostWork); returns when all are done. The work
  /// must not throw.
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

  /// What is left of a member's share, in one word: the step's number and order, and the indices,
  /// from which the member takes one end and the others the other. Who takes an index keeps the
  /// step from ending, so that task_ is this step's for him.
  struct alignas(kHostLineBytes) Share {
    std::atomic<std::uint64_t> left{0};
  };

  void run_task(std::uint32_t count, Order order);
  void take_part(std::uint32_t member);
  bool any_left() const;
  void serve(std::uint32_t member);

  static std::jthread start_thread(std::function<void()> serve) {
    return std::jthread(std::move(serve));
  }

  std::uint32_t size_ = 1;
  Task task_;
  std::uint32_t step_ = 0;     ///< Of 31 bits.
  std::vector<Share> shares_;  ///< Of each member; the caller is the first.
  alignas(kHostLineBytes) std::atomic<std::uint32_t> done_{0};
  /// Steps that have started; sleeping members wait for it.
  alignas(kHostLineBytes) std::atomic<std::uint32_t> steps_{0};
  std::atomic<bool> over_{false};
  std::vector<std::jthread> threads_;
};

}  // namespace heddle::gpu
