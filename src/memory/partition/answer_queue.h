#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/cycle.h"
#include "base/ring_queue.h"

namespace heddle::memory {

/// Where an answer comes from. The answers of one source are known in the order in which they are
/// ready.
enum class AnswerSource : std::uint8_t { hit, fetch, atomic };

struct Answer {
  Cycle ready;
  std::uint64_t order = 0;  ///< In which they became known: among those ready in the same cycle.
  std::uint32_t token = 0;
  std::uint32_t bytes = 0;  ///< With the header.
  std::uint16_t sm = 0;
};

/// A partition's answers in the order in which they are ready.
class AnswerQueue {
 public:
  bool empty() const { return next_ready() == Cycle::never(); }
  Cycle next_ready() const {
    const RingQueue<Answer>& next = queues_[next_source()];
    return next.empty() ? Cycle::never() : next.front().ready;
  }
  void push(AnswerSource source, Answer answer) {
    answer.order = pushed_++;
    queues_[static_cast<std::size_t>(source)].push(answer);
  }
  Answer pop() {
    RingQueue<Answer>& next = queues_[next_source()];
    const Answer answer = next.front();
    next.pop();
    return answer;
  }

 private:
  static constexpr std::size_t kSources = 3;

  std::size_t next_source() const {
    std::size_t next = 0;
    for (std::size_t source = 1; source < kSources; ++source) {
      if (before(queues_[source], queues_[next])) next = source;
    }
    return next;
  }
  static bool before(const RingQueue<Answer>& a, const RingQueue<Answer>& b) {
    if (a.empty() || b.empty()) return !a.empty();
    if (a.front().ready != b.front().ready) return a.front().ready < b.front().ready;
    return a.front().order < b.front().order;
  }

  std::array<RingQueue<Answer>, kSources> queues_;
  std::uint64_t pushed_ = 0;
};

}  // namespace heddle::memory
