#pragma once

#include <cstdint>
#include <vector>

#include "base/counters.h"
#include "base/cycle.h"
#include "base/ring_queue.h"
#include "memory/port.h"
#include "memory/request.h"

namespace heddle::sm {

/// A multiprocessor's way in from memory: answers pass its port to the crossbar in order of
/// arrival, those that arrive together in order of delivery.
class ResponsePort {
 public:
  struct Passed {
    std::uint32_t token = 0;
    Cycle at;  ///< When it starts, the last byte has passed.
  };

  explicit ResponsePort(memory::PortParameters port) : port_(port) {}

  /// Answers may be delivered in any order, but not before the cycle last given to take_in().
  void deliver(const memory::Response& response);
  /// All answers that arrive up to `until` have been delivered, but for some that arrive right then
  /// and come after those that are here: it is known when they pass.
  void take_in(Cycle until);

  /// When the next answer that was taken in passes.
  Cycle next_passed() const { return passed_.empty() ? Cycle::never() : passed_.front().at; }
  Passed take() {
    const Passed first = passed_.front();
    passed_.pop();
    return first;
  }
  /// No answer passes sooner, of those that are here.
  Cycle next() const {
    if (!passed_.empty()) return passed_.front().at;
    return arriving_.empty() ? Cycle::never() : arriving_.front().response.arrival + Cycles(1);
  }

  void declare(CounterList& counters);

 private:
  struct Arriving {
    memory::Response response;
    std::uint64_t order = 0;  ///< Of delivery.
  };
  /// For the heap's order, whose first is the one that no other is `later` than.
  static bool later(const Arriving& a, const Arriving& b) {
    if (a.response.arrival != b.response.arrival) return a.response.arrival > b.response.arrival;
    return a.order > b.order;
  }

  memory::Port port_;
  std::vector<Arriving> arriving_;  ///< A heap.
  RingQueue<Passed> passed_;
  std::uint64_t delivered_ = 0;
  std::uint64_t bytes_received_ = 0;
};

}  // namespace heddle::sm
