#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/cycle.h"
#include "base/ring_queue.h"
#include "memory/request.h"

namespace heddle::memory {

/// Merges the requests of all multiprocessors in order of arrival. Requests of the same cycle are
/// ordered by multiprocessor, then in the order of sending.
///
/// A tournament tree over the heads of the queues finds the next request. A change of one head
/// costs one comparison per level of the tree, and no branches that the host could mispredict.
class RequestMerge {
 public:
  explicit RequestMerge(std::uint32_t sm_count);

  bool empty() const { return tree_[1] == kNone; }
  /// The arrival of the next request; never() if there is none.
  Cycle next_arrival() const { return empty() ? Cycle::never() : Cycle(tree_[1] >> kSmBits); }
  const Request& front() const { return queues_[next_sm()].front(); }
  void pop();
  /// Adds the requests of one multiprocessor; none may arrive before those that it sent earlier.
  void add(const std::vector<Request>& from_one_sm);

 private:
  // A key has the arrival of a head in its high bits and the multiprocessor's number in its low
  // bits, so one comparison orders by both.
  static constexpr int kSmBits = 16;
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  std::size_t next_sm() const { return tree_[1] & ((std::uint64_t{1} << kSmBits) - 1); }
  /// Updates the tree after the head of a queue has changed.
  void replay(std::size_t sm);

  std::vector<RingQueue<Request>> queues_;  ///< One for each multiprocessor.
  std::size_t leaves_;                      ///< A power of two, at least the number of queues.
  /// The key of the next request is at index 1; the parent of node n is n / 2.
  std::vector<std::uint64_t> tree_;
};

}  // namespace heddle::memory
