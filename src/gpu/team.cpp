#include "gpu/team.h"

namespace heddle::gpu {
namespace {

/// How often to look before the processor is given away, and before going to sleep.
constexpr std::uint32_t kPatience = 200;
constexpr std::uint32_t kYields = 50;

constexpr int kIndexBits = 16;
constexpr std::uint64_t kIndexMask = (std::uint64_t{1} << kIndexBits) - 1;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

bool has_work(std::uint64_t next) {
  return (next & kIndexMask) < (next >> kIndexBits & kIndexMask);
}

}  // namespace

Team::Team(std::uint32_t threads) : size_(threads) {
  for (std::uint32_t i = 1; i < threads; ++i) threads_.emplace_back([this] { serve(); });
}

Team::~Team() {
  over_.store(true, std::memory_order_relaxed);
  steps_.fetch_add(1, std::memory_order_release);
  steps_.notify_all();
}

void Team::run_task(std::uint32_t count) {
  done_.store(0, std::memory_order_relaxed);
  const std::uint64_t step = ++step_;
  next_.store(step << 2 * kIndexBits | std::uint64_t{count} << kIndexBits,
              std::memory_order_release);
  steps_.fetch_add(1, std::memory_order_release);
  steps_.notify_all();
  take_part();
  for (std::uint32_t looks = 0; done_.load(std::memory_order_acquire) != count; ++looks) {
    if (looks < kPatience) {
      pause();
    } else {
      std::this_thread::yield();
    }
  }
}

void Team::take_part() {
  std::uint64_t next = next_.load(std::memory_order_acquire);
  while (has_work(next)) {
    if (!next_.compare_exchange_weak(next, next + 1, std::memory_order_acquire)) continue;
    task_.call(task_.context, static_cast<std::uint32_t>(next & kIndexMask));
    done_.fetch_add(1, std::memory_order_release);
    next = next_.load(std::memory_order_acquire);
  }
}

void Team::serve() {
  for (std::uint32_t looks = 0;;) {
    const std::uint32_t seen = steps_.load(std::memory_order_acquire);
    if (over_.load(std::memory_order_relaxed)) return;
    if (has_work(next_.load(std::memory_order_acquire))) {
      take_part();
      looks = 0;
    } else if (++looks < kPatience) {
      pause();
    } else if (looks < kPatience + kYields) {
      std::this_thread::yield();
    } else {
      steps_.wait(seen, std::memory_order_acquire);
      looks = 0;
    }
  }
}

}  // namespace heddle::gpu
