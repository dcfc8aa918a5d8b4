#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/cycle.h"
#include "base/ring_queue.h"

namespace heddle::memory {

/// The source of a response. The responses of one source are pushed in the order in which they are
/// ready.
enum class ResponseSource : std::uint8_t {
  hit,     ///< A read that hit in the L2.
  fetch,   ///< A read that waited for memory.
  atomic,  ///< The atomic unit.
};

/// A response that has not been sent.
struct PendingResponse {
  Cycle ready;              ///< The first cycle in which it can be sent.
  std::uint64_t order = 0;  ///< Breaks ties within a cycle: the order of push().
  std::uint32_t token = 0;
  std::uint32_t bytes = 0;  ///< The size of the message, with its header.
  std::uint16_t sm = 0;     ///< The receiving multiprocessor.
};

/// Sorts a partition's responses by the cycle in which they are ready.
class ResponseQueue {
 public:
  bool empty() const { return next_ready() == Cycle::never(); }
  /// The cycle in which the next response is ready; never() if the queue is empty.
  Cycle next_ready() const {
    const RingQueue<PendingResponse>& next = queues_[next_source()];
    return next.empty() ? Cycle::never() : next.front().ready;
  }
  void push(ResponseSource source, PendingResponse response) {
    response.order = pushed_++;
    queues_[static_cast<std::size_t>(source)].push(response);
  }
  /// Removes the next response and returns it; the queue must not be empty.
  PendingResponse pop() {
    RingQueue<PendingResponse>& next = queues_[next_source()];
    const PendingResponse response = next.front();
    next.pop();
    return response;
  }

 private:
  static constexpr std::size_t kSources = 3;

  std::size_t next_source() const {
    std::size_t next = 0;
    for (std::size_t source = 1; source < kSources; ++source) {
      if (is_before(queues_[source], queues_[next])) next = source;
    }
    return next;
  }
  static bool is_before(const RingQueue<PendingResponse>& a, const RingQueue<PendingResponse>& b) {
    if (a.empty() || b.empty()) return !a.empty();
    if (a.front().ready != b.front().ready) return a.front().ready < b.front().ready;
    return a.front().order < b.front().order;
  }

  std::array<RingQueue<PendingResponse>, kSources> queues_;
  std::uint64_t pushed_ = 0;
};

}  // namespace heddle::memory
