#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "base/cycle.h"

namespace heddle::sm {

/// Counts the cycles in which at least one of several units accepts threads. In the other cycles
/// all functional units are idle (Narasiman et al., Large Warps, figures 1 and 10).
///
/// Intervals need not be added in order, because operands are not always read in order of issue.
/// But cycles more than 32 before the latest start so far are not counted.
class ActiveCycles {
 public:
  /// A unit accepts threads for `length` cycles from `start` on.
  void add(Cycle start, Cycles length) {
    const std::uint64_t offset = start.number - window_;
    if (length == Cycles(1) && offset < kWindow) [[likely]] {
      const std::uint64_t cycle = std::uint64_t{1} << offset;
      count_ += (active_ & cycle) == 0 ? 1 : 0;
      active_ |= cycle;
      active_until_ = std::max(active_until_, start.number + 1);
      return;
    }
    const std::uint64_t end = start.number + length.count;
    if (start.number >= window_ + kWindow) move_window(start.number - kWindow / 2);
    const std::uint64_t begin = std::max(start.number, window_);
    if (end <= begin) return;
    const std::uint64_t inside = std::min(end, window_ + kWindow) - begin;
    const std::uint64_t cycles = ~std::uint64_t{0} >> (kWindow - inside) << (begin - window_);
    count_ += static_cast<std::uint64_t>(std::popcount(cycles & ~active_));
    active_ |= cycles;
    const std::uint64_t known = std::max(active_until_, window_ + kWindow);
    if (end > known) count_ += end - known;
    active_until_ = std::max(active_until_, end);
  }

  /// The number of active cycles so far. Intervals that end in the future count as a whole.
  const std::uint64_t& count() const { return count_; }

 private:
  static constexpr std::uint64_t kWindow = 64;  ///< In cycles: the bits of `active_`.

  void move_window(std::uint64_t to) {
    const std::uint64_t distance = to - window_;
    const std::uint64_t old_end = window_ + kWindow;
    active_ = distance < kWindow ? active_ >> distance : 0;
    window_ = to;
    // All cycles from the end of the old window to `active_until_` are active, because every
    // interval begins inside the window.
    const std::uint64_t first = std::max(old_end, window_);
    const std::uint64_t end = std::min(active_until_, window_ + kWindow);
    if (end > first) active_ |= ~std::uint64_t{0} >> (kWindow - (end - first)) << (first - window_);
  }

  std::uint64_t window_ = 0;        ///< The first cycle of the window.
  std::uint64_t active_ = 0;        ///< Bit i: whether cycle window_ + i is active.
  std::uint64_t active_until_ = 0;  ///< The latest end of an interval.
  std::uint64_t count_ = 0;
};

}  // namespace heddle::sm
