#pragma once

#include <algorithm>
#include <string_view>

#include "base/nearest.h"

namespace heddle::ptx {

/// Finds, among candidates, the name that a misspelt name most likely stands for.
class NearestName {
 public:
  explicit NearestName(std::string_view misspelt)
      : misspelt_(misspelt), limit_(max_edits(misspelt.size())) {}

  void consider(std::string_view candidate) {
    // Names with more characters are not compared: computing their edit distance takes too long.
    constexpr std::size_t kMaxLength = 64;
    const std::size_t longer = std::max(misspelt_.size(), candidate.size());
    const std::size_t shorter = std::min(misspelt_.size(), candidate.size());
    if (limit_ == 0 || longer > kMaxLength || longer - shorter > static_cast<std::size_t>(limit_)) {
      return;
    }
    const int distance = edit_distance(misspelt_, candidate);
    // If every character differs, it is a different word and not a typing error.
    if (distance == 0 || distance > limit_ || distance >= static_cast<int>(longer)) return;
    best_ = candidate;
    limit_ = distance - 1;
  }

  /// The nearest candidate, or the first one if several are equally near. Empty if none is near
  /// enough.
  std::string_view best() const { return best_; }

 private:
  /// The maximum edit distance of a suggestion for a name of this length.
  static int max_edits(std::size_t length) {
    if (length < 2) return 0;
    if (length < 5) return 1;
    return length < 9 ? 2 : 3;
  }

  std::string_view misspelt_;
  std::string_view best_;
  int limit_;  ///< The largest edit distance at which a candidate becomes the best.
};

}  // namespace heddle::ptx
