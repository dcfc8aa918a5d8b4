#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "memory/dram/dram_channel.h"

namespace heddle::memory {

/// The completions of a channel that have not been taken yet, in order of time. All completions of
/// the channel are numbered consecutively from 0. The initial capacity covers the expected number
/// of completions; the queue grows if they are taken late.
class CompletionQueue {
 public:
  explicit CompletionQueue(std::size_t expected_completions);

  bool empty() const { return begin_ == end_; }
  std::uint64_t begin() const { return begin_; }  ///< The number of the oldest completion.
  std::uint64_t end() const { return end_; }      ///< One more than the number of the newest.
  const DramCompletion& operator[](std::uint64_t number) const { return ring_[number & mask_]; }
  const DramCompletion& front() const { return (*this)[begin_]; }

  void push(DramCompletion completion) {
    if (end_ - begin_ == ring_.size()) grow();
    ring_[end_++ & mask_] = completion;
  }
  /// Removes the completions whose cycle is `until` or earlier, and appends them to `taken`.
  void take_done(Cycle until, std::vector<DramCompletion>& taken) {
    while (!empty() && front().at <= until) taken.push_back(ring_[begin_++ & mask_]);
  }

 private:
  void grow();

  std::vector<DramCompletion> ring_;  ///< Its size is a power of two.
  std::uint64_t mask_;
  std::uint64_t begin_ = 0;
  std::uint64_t end_ = 0;
};

}  // namespace heddle::memory
