#pragma once

// Host threads that work on an epoch together, step by step.

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace heddle::gpu {

/// The caller is one of the team. Between steps the others wait for the next in a loop, as epochs
/// are short; after a while without any they give the processor to whoever wants it.
class Team {
 public:
  explicit Team(std::uint32_t threads);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  std::uint32_t size() const { return size_; }
  /// Calls work(i) once for each i < count, on whatever threads have time; returns when all are
  /// done. The work must not throw.
  template <class Work>
  void run(std::uint32_t count, Work&& work) {
    if (size_ == 1) {
      for (std::uint32_t i = 0; i < count; ++i) work(i);
      return;
    }
    task_ = {[](void* context, std::uint32_t i) {
               (*static_cast<std::remove_reference_t<Work>*>(context))(i);
             },
             &work, count};
    run_task();
  }

 private:
  struct Task {
    void (*call)(void* context, std::uint32_t index) = nullptr;
    void* context = nullptr;
    std::uint32_t count = 0;
  };

  void run_task();
  void take_part();
  void wait_for_work(std::uint64_t seen) const;
  void serve();

  std::uint32_t size_;
  Task task_;
  // Apart from one another, as all threads look at each of them.
  alignas(64) std::atomic<std::uint64_t> step_{0};
  alignas(64) std::atomic<std::uint32_t> next_{0};
  alignas(64) std::atomic<std::uint32_t> working_{0};
  alignas(64) std::atomic<bool> over_{false};
  std::vector<std::jthread> threads_;
};

}  // namespace heddle::gpu
