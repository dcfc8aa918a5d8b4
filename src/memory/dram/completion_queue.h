#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "memory/dram/dram_channel.h"

namespace heddle::memory {

/// Completions in order of time that have not been taken yet, each under its running number. There
/// is room for those that are under way at once; only where they are fetched late does it grow.
class CompletionQueue {
 public:
  explicit CompletionQueue(std::size_t expected);

  bool empty() const { return begin_ == end_; }
  std::uint64_t begin() const { return begin_; }  ///< The number of the oldest.
  std::uint64_t end() const { return end_; }
  const DramCompletion& operator[](std::uint64_t number) const { return ring_[number & mask_]; }
  const DramCompletion& front() const { return (*this)[begin_]; }

  void push(DramCompletion completion) {
    if (end_ - begin_ == ring_.size()) grow();
    ring_[end_++ & mask_] = completion;
  }
  /// Appends to `taken` those that are done when `until` starts.
  void take_done(Cycle until, std::vector<DramCompletion>& taken) {
    while (!empty() && front().at <= until) taken.push_back(ring_[begin_++ & mask_]);
  }

 private:
  void grow();

  std::vector<DramCompletion> ring_;  ///< A power of two of places.
  std::uint64_t mask_;
  std::uint64_t begin_ = 0;
  std::uint64_t end_ = 0;
};

}  // namespace heddle::memory
