#include "gpu/team.h"

#include <algorithm>
#include <exception>

namespace heddle::gpu {
namespace {

/// A host thread that waits for work first spins kSpins times, then yields its processor kYields
/// times, and then sleeps. The yields take about half a millisecond. While a chip runs, the next
/// step begins before that. This matters because waking a thread takes longer than many steps.
constexpr std::uint32_t kSpins = 200;
constexpr std::uint32_t kYields = 2000;

constexpr int kIndexBits = 16;  // Enough for Team::kMaxCount.

/// The indices of a share that no thread has taken yet, and the step to which they belong.
struct Remaining {
  std::uint32_t step = 0;
  bool is_backwards = false;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  static Remaining unpacked(std::uint64_t bits) {
    return {.step = static_cast<std::uint32_t>(bits >> (2 * kIndexBits + 1)),
            .is_backwards = (bits >> 2 * kIndexBits & 1) != 0,
            .begin = static_cast<std::uint32_t>(bits >> kIndexBits & Team::kMaxCount),
            .end = static_cast<std::uint32_t>(bits & Team::kMaxCount)};
  }
  std::uint64_t packed() const {
    return (std::uint64_t{step} << 1 | (is_backwards ? 1U : 0U)) << 2 * kIndexBits |
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

Team::Team(std::uint32_t members, const StartThread& start) : shares_(members) {
  // Members read size_ only within a step, and no step begins before the constructor ends.
  threads_.reserve(members);
  try {
    for (; size_ < members; ++size_) {
      threads_.push_back(start([this, member = size_] { serve(member); }));
    }
  } catch (const std::exception&) {
    // The shares of threads that did not start stay empty.
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
                          .is_backwards = order == Order::backwards,
                          .begin = count * i / size_,
                          .end = count * (i + 1) / size_};
    shares_[i].remaining.store(share.packed(), std::memory_order_release);
  }
  steps_.fetch_add(1, std::memory_order_release);
  steps_.notify_all();
  take_part(0);
  for (std::uint32_t polls = 0; done_.load(std::memory_order_acquire) != count; ++polls) {
    if (polls < kSpins) {
      pause();
    } else {
      std::this_thread::yield();
    }
  }
}

void Team::take_part(std::uint32_t member) {
  for (std::uint32_t i = 0; i < size_; ++i) {
    std::atomic<std::uint64_t>& share = shares_[(member + i) % size_].remaining;
    std::uint64_t bits = share.load(std::memory_order_acquire);
    for (Remaining rest = Remaining::unpacked(bits); !rest.empty();
         rest = Remaining::unpacked(bits)) {
      const bool from_begin = (i == 0) != rest.is_backwards;
      const std::uint32_t index = from_begin ? rest.begin++ : --rest.end;
      if (!share.compare_exchange_weak(bits, rest.packed(), std::memory_order_acquire)) continue;
      task_.call(task_.context, index);
      done_.fetch_add(1, std::memory_order_release);
      bits = share.load(std::memory_order_acquire);
    }
  }
}

bool Team::any_remain() const {
  return std::any_of(shares_.begin(), shares_.end(), [](const Share& share) {
    return !Remaining::unpacked(share.remaining.load(std::memory_order_acquire)).empty();
  });
}

void Team::serve(std::uint32_t member) {
  for (std::uint32_t polls = 0;;) {
    const std::uint32_t last_steps = steps_.load(std::memory_order_acquire);
    if (is_stopping_.load(std::memory_order_relaxed)) return;
    if (any_remain()) {
      take_part(member);
      polls = 0;
    } else if (++polls < kSpins) {
      pause();
    } else if (polls < kSpins + kYields) {
      std::this_thread::yield();
    } else {
      steps_.wait(last_steps, std::memory_order_acquire);
      polls = 0;
    }
  }
}

}  // namespace heddle::gpu
