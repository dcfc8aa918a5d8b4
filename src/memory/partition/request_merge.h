#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/cycle.h"
#include "base/ring_queue.h"
#include "memory/request.h"

namespace heddle::memory {

/// The requests of all multiprocessors in order of arrival; those of the same cycle in order of the
/// multiprocessors, and each one's as it sent them.
///
/// A tournament among the queues' heads: a change of one is a comparison a level, none of which has
/// to be predicted.
class RequestMerge {
 public:
  explicit RequestMerge(std::uint32_t sm_count);

  bool empty() const { return tree_[1] == kNone; }
  /// Of the next request; never where there is none.
  Cycle next_arrival() const { return empty() ? Cycle::never() : Cycle(tree_[1] >> kSmBits); }
  const Request& front() const { return queues_[next_sm()].front(); }
  void pop();
  /// Takes in what one multiprocessor sent, no earlier than what it sent before.
  void add(const std::vector<Request>& from_one_sm);

 private:
  // A head's arrival above the number of its multiprocessor: one comparison orders both.
  static constexpr int kSmBits = 16;
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  std::size_t next_sm() const { return tree_[1] & ((std::uint64_t{1} << kSmBits) - 1); }
  void replay(std::size_t sm);

  std::vector<RingQueue<Request>> queues_;  ///< Of each multiprocessor.
  std::size_t leaves_;                      ///< A power of two, not less than the queues.
  std::vector<std::uint64_t> tree_;         ///< The winner at 1; that of n's games plays at n / 2.
};

}  // namespace heddle::memory
