#pragma once

#include <array>
#include <cstddef>

#include "base/lane_mask.h"

namespace heddle::exec {

/// A set of threads of a large warp, which has up to 32 rows of 32 lanes.
class ThreadSet {
 public:
  static constexpr std::size_t kRows = 32;

  static ThreadSet of_row(std::size_t row, LaneMask lanes) {
    ThreadSet set;
    set.rows_[row] = lanes;
    return set;
  }

  LaneMask operator[](std::size_t row) const { return rows_[row]; }
  LaneMask& operator[](std::size_t row) { return rows_[row]; }

  bool empty() const {
    LaneMask any;
    for (const LaneMask row : rows_) any = any | row;
    return any.empty();
  }
  int count() const {
    int count = 0;
    for (const LaneMask row : rows_) count += row.count();
    return count;
  }
  ThreadSet without(const ThreadSet& other) const {
    ThreadSet difference;
    for (std::size_t i = 0; i < kRows; ++i) difference.rows_[i] = rows_[i].without(other.rows_[i]);
    return difference;
  }

  friend ThreadSet operator|(const ThreadSet& a, const ThreadSet& b) {
    ThreadSet result;
    for (std::size_t i = 0; i < kRows; ++i) result.rows_[i] = a.rows_[i] | b.rows_[i];
    return result;
  }
  friend bool operator==(const ThreadSet&, const ThreadSet&) = default;

 private:
  std::array<LaneMask, kRows> rows_{};
};

}  // namespace heddle::exec
