#include "gpu/team.h"

namespace heddle::gpu {
namespace {

/// How often to look before the processor is given away.
constexpr std::uint32_t kPatience = 2000;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

template <class Done>
void wait_until(Done done) {
  for (std::uint32_t looks = 0; !done(); ++looks) {
    if (looks < kPatience) {
      pause();
    } else {
      std::this_thread::yield();
    }
  }
}

}  // namespace

Team::Team(std::uint32_t threads) : size_(threads) {
  for (std::uint32_t i = 1; i < threads; ++i) threads_.emplace_back([this] { serve(); });
}

Team::~Team() {
  over_.store(true, std::memory_order_relaxed);
  step_.fetch_add(1, std::memory_order_release);
  step_.notify_all();
}

void Team::run_task() {
  next_.store(0, std::memory_order_relaxed);
  working_.store(size_ - 1, std::memory_order_relaxed);
  step_.fetch_add(1, std::memory_order_release);
  step_.notify_all();
  take_part();
  wait_until([this] { return working_.load(std::memory_order_acquire) == 0; });
}

void Team::take_part() {
  const Task task = task_;
  for (;;) {
    const std::uint32_t i = next_.fetch_add(1, std::memory_order_relaxed);
    if (i >= task.count) return;
    task.call(task.context, i);
  }
}

void Team::wait_for_work(std::uint64_t seen) const {
  for (std::uint32_t looks = 0; looks < kPatience * 10; ++looks) {
    if (step_.load(std::memory_order_acquire) != seen) return;
    pause();
  }
  step_.wait(seen, std::memory_order_acquire);
}

void Team::serve() {
  std::uint64_t seen = 0;
  for (;;) {
    wait_for_work(seen);
    ++seen;
    if (over_.load(std::memory_order_relaxed)) return;
    take_part();
    working_.fetch_sub(1, std::memory_order_release);
  }
}

}  // namespace heddle::gpu
