#include "gpu/team.h"

#include <algorithm>
#include <exception>

namespace heddle::gpu {
namespace {

/// How often to look before the processor is given away, and before going to sleep. The second is
/// about half a millisecond: within a run the next step comes sooner, and to be woken takes longer
/// than many a step.
constexpr std::uint32_t kPatience = 200;
constexpr std::uint32_t kYields = 2000;

constexpr int kIndexBits = 16;

/// Indices that no thread has taken yet, with the step that they belong to.
struct Left {
  std::uint32_t step = 0;
  bool backwards = false;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  static Left of(std::uint64_t word) {
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
  // A member that has started sees size_ only in a step, which none is before this ends.
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
  over_.store(true, std::memory_order_relaxed);
  steps_.fetch_add(1, std::memory_order_release);
  steps_.notify_all();
}

void Team::run_task(std::uint32_t count, Order order) {
  done_.store(0, std::memory_order_relaxed);
  step_ = (step_ + 1) & 0x7fff'ffff;
  for (std::uint32_t i = 0; i < size_; ++i) {
    const Left share{.step = step_,
                     .backwards = order == Order::backwards,
                     .begin = count * i / size_,
                     .end = count * (i + 1) / size_};
    shares_[i].left.store(share.word(), std::memory_order_release);
  }
  steps_.fetch_add(1, std::memory_order_release);
  steps_.notify_all();
  take_part(0);
  for (std::uint32_t looks = 0; done_.load(std::memory_order_acquire) != count; ++looks) {
    if (looks < kPatience) {
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
    for (Left left = Left::of(word); !left.empty(); left = Left::of(word)) {
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
    return !Left::of(share.left.load(std::memory_order_acquire)).empty();
  });
}

void Team::serve(std::uint32_t member) {
  for (std::uint32_t looks = 0;;) {
    const std::uint32_t seen = steps_.load(std::memory_order_acquire);
    if (over_.load(std::memory_order_relaxed)) return;
    if (any_left()) {
      take_part(member);
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
