#include "memory/partition/request_merge.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "base/error.h"

namespace heddle::memory {

RequestMerge::RequestMerge(std::uint32_t sm_count)
    : queues_(sm_count),
      leaves_(std::bit_ceil(std::max<std::size_t>(sm_count, 2))),
      tree_(2 * leaves_, kNone) {
  if (sm_count == 0 || sm_count >= 1U << kSmBits) {
    throw InputError("a memory partition serves 1 to 65535 multiprocessors");
  }
}

void RequestMerge::pop() {
  const std::size_t sm = next_sm();
  queues_[sm].pop();
  update_tree(sm);
}

void RequestMerge::add(const std::vector<Request>& from_one_sm) {
  if (from_one_sm.empty()) return;
  const std::size_t sm = from_one_sm.front().sm;
  RingQueue<Request>& queue = queues_[sm];
  const bool was_empty = queue.empty();
  for (const Request& request : from_one_sm) {
    assert(request.sm == sm);
    queue.push(request);
  }
  if (was_empty) update_tree(sm);
}

void RequestMerge::update_tree(std::size_t sm) {
  const RingQueue<Request>& queue = queues_[sm];
  std::size_t node = leaves_ + sm;
  tree_[node] = queue.empty() ? kNone : queue.front().arrival.number << kSmBits | sm;
  for (node /= 2; node > 0; node /= 2) {
    tree_[node] = std::min(tree_[2 * node], tree_[2 * node + 1]);
  }
}

}  // namespace heddle::memory
