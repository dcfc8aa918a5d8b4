#include "memory/dram/completion_queue.h"

#include <bit>
#include <utility>

namespace heddle::memory {

CompletionQueue::CompletionQueue(std::size_t expected_completions)
    : ring_(std::bit_ceil(expected_completions)), mask_(ring_.size() - 1) {}

void CompletionQueue::grow() {
  std::vector<DramCompletion> larger(ring_.size() * 2);
  const std::uint64_t mask = larger.size() - 1;
  for (std::uint64_t number = begin_; number != end_; ++number) {
    larger[number & mask] = ring_[number & mask_];
  }
  ring_ = std::move(larger);
  mask_ = mask;
}

}  // namespace heddle::memory
