#pragma once

#include <algorithm>
#include <string_view>

#include "base/nearest.h"

namespace heddle::ptx {

/// Finds the name that a misspelt one most likely meant.
class NearestName {
 public:
  explicit NearestName(std::string_view written)
      : written_(written), limit_(most_edits(written.size())) {}

  void consider(std::string_view candidate) {
    // Longer names are not compared: computing their edit distance takes too long.
    constexpr std::size_t kLongest = 64;
    const std::size_t longer = std::max(written_.size(), candidate.size());
    const std::size_t shorter = std::min(written_.size(), candidate.size());
    if (limit_ == 0 || longer > kLongest || longer - shorter > static_cast<std::size_t>(limit_)) {
      return;
    }
    const int distance = edit_distance(written_, candidate);
    // If every character differs, it is a different word and not a typing error.
    if (distance == 0 || distance > limit_ || distance >= static_cast<int>(longer)) return;
    best_ = candidate;
    limit_ = distance - 1;
  }

  /// The nearest candidate; the first considered of equally near ones. Empty if none is near
  /// enough.
  std::string_view best() const { return best_; }

 private:
  static int most_edits(std::size_t length) {
    if (length < 2) return 0;
    if (length < 5) return 1;
    return length < 9 ? 2 : 3;
  }

  std::string_view written_;
  std::string_view best_;
  int limit_;  ///< The largest edit distance that would still be an improvement.
};

}  // namespace heddle::ptx
