#pragma once

#include <cstdint>
#include <vector>

#include "base/counters.h"
#include "base/cycle.h"
#include "base/ring_queue.h"
#include "memory/port.h"
#include "memory/request.h"

namespace heddle::sm {

/// A multiprocessor's input port from the crossbar. Responses pass it in order of arrival. Those
/// that arrive in the same cycle pass in the order in which they were delivered to this object.
class ResponsePort {
 public:
  struct ReceivedResponse {
    std::uint32_t token = 0;
    Cycle at;  ///< The last byte has passed the port at the start of this cycle.
  };

  explicit ResponsePort(memory::PortParameters port) : port_(port) {}

  /// Responses may be delivered in any order, but must not arrive before the cycle last passed to
  /// take_in().
  void deliver(const memory::Response& response);
  /// Books the port for all responses that arrive up to `until`. All responses that arrive before
  /// `until` must have been delivered. Those that arrive in cycle `until` may be delivered later;
  /// they pass after the others.
  void take_in(Cycle until);

  /// The cycle in which the next booked response has passed the port; never() if none is booked.
  Cycle next_received() const { return received_.empty() ? Cycle::never() : received_.front().at; }
  /// Removes and returns the next booked response.
  ReceivedResponse take() {
    const ReceivedResponse first = received_.front();
    received_.pop();
    return first;
  }
  /// The earliest cycle in which a delivered response, booked or not, may have passed.
  Cycle next() const {
    if (!received_.empty()) return received_.front().at;
    return arriving_.empty() ? Cycle::never() : arriving_.front().response.arrival + Cycles(1);
  }

  void declare(CounterList& counters);

 private:
  struct ArrivingResponse {
    memory::Response response;
    std::uint64_t order = 0;  ///< The order of delivery.
  };
  /// The heap's order: the earliest response is on top.
  static bool later(const ArrivingResponse& a, const ArrivingResponse& b) {
    if (a.response.arrival != b.response.arrival) return a.response.arrival > b.response.arrival;
    return a.order > b.order;
  }

  memory::Port port_;
  std::vector<ArrivingResponse> arriving_;  ///< A heap.
  RingQueue<ReceivedResponse> received_;    ///< The port is booked for them.
  std::uint64_t delivered_ = 0;
  std::uint64_t bytes_received_ = 0;
};

}  // namespace heddle::sm
