#include "gpu/team.h"

#include <algorithm>
#include <exception>

namespace heddle::gpu {
namespace {

/// How often a waiting thread spins before it yields the processor, and yields before it sleeps.
/// The yields take about half a millisecond. Within a run, the next step comes sooner, and waking a
/// thread takes longer than many steps.
constexpr std::uint32_t kSpins = 200;
constexpr std::uint32_t kYields = 2000;

constexpr int kIndexBits = 16;

/// The indices that no thread has taken yet, and the step that they belong to.
struct Remaining {
  std::uint32_t step = 0;
  bool backwards = false;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  static Remaining of(std::uint64_t word) {
    return {.step = static_cast<std::uint32_t>(word >> (2 * kIndexBits + 1)),
            .backwards = (word >> 2 * kIndexBits & 1) != 0,
            .begin = static_cast<std::uint32_t>(word >> kIndexBits & Team::kMostWork),
            .end = static_cast<std::uint32_t>(word & Team::kMostWork)};
  }
  std::uint64_t word() const {
    return (std::uint64_t{step} << 1 | (backwards ? 1U : 0U)) << 2 * kIndexBits |
           std::uint64_t{begin} << kIndexBits | end;
  }
  bool empty() const { return begin == end; }
};

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

Team::Team(std::uint32_t threads, const StartThread& start) : shares_(threads) {
  // Members read size_ only within a step, and no step begins before the constructor ends.
  threads_.reserve(threads);
  try {
    for (; size_ < threads; ++size_) {
      threads_.push_back(start([this, member = size_] { serve(member); }));
    }
  } catch (const std::exception&) {
    // Shares without a member stay empty.
  }
}

Team::~Team() {
  is_stopping_.store(true, std::memory_order_relaxed);
  steps_.fetch_add(1, std::memory_order_release);
  steps_.notify_all();
}

void Team::run_task(std::uint32_t count, Order order) {
  done_.store(0, std::memory_order_relaxed);
  step_ = (step_ + 1) & 0x7fff'ffff;
  for (std::uint32_t i = 0; i < size_; ++i) {
    const Remaining share{.step = step_,
                          .backwards = order == Order::backwards,
                          .begin = count * i / size_,
                          .end = count * (i + 1) / size_};
    shares_[i].left.store(share.word(), std::memory_order_release);
  }
  steps_.fetch_add(1, std::memory_order_release);
  steps_.notify_all();
  take_part(0);
  for (std::uint32_t looks = 0; done_.load(std::memory_order_acquire) != count; ++looks) {
    if (looks < kSpins) {
      pause();
    } else {
      std::this_thread::yield();
    }
  }
}

void Team::take_part(std::uint32_t member) {
  for (std::uint32_t i = 0; i < size_; ++i) {
    std::atomic<std::uint64_t>& share = shares_[(member + i) % size_].left;
    std::uint64_t word = share.load(std::memory_order_acquire);
    for (Remaining left = Remaining::of(word); !left.empty(); left = Remaining::of(word)) {
      const bool from_begin = (i == 0) != left.backwards;
      const std::uint32_t index = from_begin ? left.begin++ : --left.end;
      if (!share.compare_exchange_weak(word, left.word(), std::memory_order_acquire)) continue;
      task_.call(task_.context, index);
      done_.fetch_add(1, std::memory_order_release);
      word = share.load(std::memory_order_acquire);
    }
  }
}

bool Team::any_left() const {
  return std::any_of(shares_.begin(), shares_.end(), [](const Share& share) {
    return !Remaining::of(share.left.load(std::memory_order_acquire)).empty();
  });
}

void Team::serve(std::uint32_t member) {
  for (std::uint32_t looks = 0;;) {
    const std::uint32_t seen = steps_.load(std::memory_order_acquire);
    if (is_stopping_.load(std::memory_order_relaxed)) return;
    if (any_left()) {
      take_part(member);
      looks = 0;
    } else if (++looks < kSpins) {
      pause();
    } else if (looks < kSpins + kYields) {
      std::this_thread::yield();
    } else {
      steps_.wait(seen, std::memory_order_acquire);
      looks = 0;
    }
  }
}

}  // namespace heddle::gpu
