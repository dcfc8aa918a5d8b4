#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/cycle.h"
#include "base/ring_queue.h"
#include "memory/request.h"

namespace heddle::memory {

/// Merges the requests of all multiprocessors in order of arrival. Requests that arrive in the same
/// cycle are ordered by multiprocessor, then in the order of sending.
///
/// There is one queue for each multiprocessor. A tournament tree over the first requests of the
/// queues finds the next request. If the first request of a queue changes, the tree needs one
/// comparison per level, and no branches that the host could mispredict.
class RequestMerge {
 public:
  /// Throws InputError unless `sm_count` is from 1 to 65535.
  explicit RequestMerge(std::uint32_t sm_count);

  bool empty() const { return tree_[1] == kNone; }
  /// The arrival of the next request; never() if there is none.
  Cycle next_arrival() const { return empty() ? Cycle::never() : Cycle(tree_[1] >> kSmBits); }
  /// The next request; there must be one. pop() removes it.
  const Request& front() const { return queues_[next_sm()].front(); }
  void pop();
  /// Adds the requests of one multiprocessor; none may arrive before those that it sent earlier.
  void add(const std::vector<Request>& from_one_sm);

 private:
  // The key of a queue has the arrival of the first request in its high bits, and the number of the
  // multiprocessor in its low bits. One comparison thus orders by both.
  static constexpr int kSmBits = 16;
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};  ///< The key of an empty queue.

  std::size_t next_sm() const { return tree_[1] & ((std::uint64_t{1} << kSmBits) - 1); }
  /// Updates the tree after the first request of a queue has changed.
  void update_tree(std::size_t sm);

  std::vector<RingQueue<Request>> queues_;  ///< One for each multiprocessor.
  std::size_t leaves_;                      ///< A power of two, at least the number of queues.
  /// Each node has the lowest key of its leaves. The root is at index 1, the parent of node n is at
  /// n / 2, and the leaves are the last leaves_ nodes.
  std::vector<std::uint64_t> tree_;
};

}  // namespace heddle::memory
