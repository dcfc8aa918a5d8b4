#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/cycle.h"
#include "base/ring_queue.h"

namespace heddle::memory {

/// The source of a response. The responses of one source become known in the order in which they
/// are ready.
enum class ResponseSource : std::uint8_t { hit, fetch, atomic };

struct PendingResponse {
  Cycle ready;
  std::uint64_t order = 0;  ///< Breaks ties within a cycle: the order of push().
  std::uint32_t token = 0;
  std::uint32_t bytes = 0;  ///< The size of the message, with its header.
  std::uint16_t sm = 0;
};

/// Returns a partition's responses in the order in which they are ready.
class ResponseQueue {
 public:
  bool empty() const { return next_ready() == Cycle::never(); }
  Cycle next_ready() const {
    const RingQueue<PendingResponse>& next = queues_[next_source()];
    return next.empty() ? Cycle::never() : next.front().ready;
  }
  void push(ResponseSource source, PendingResponse response) {
    response.order = pushed_++;
    queues_[static_cast<std::size_t>(source)].push(response);
  }
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
