#pragma once

#include <cstdint>
#include <vector>

#include "base/counters.h"
#include "base/cycle.h"
#include "base/ring_queue.h"
#include "memory/port.h"
#include "memory/request.h"

namespace heddle::sm {

/// The input port of a multiprocessor from the crossbar. Responses pass it in order of arrival.
/// Responses that arrive in the same cycle pass it in the order of the calls of deliver().
class ResponsePort {
 public:
  struct ReceivedResponse {
    std::uint32_t token = 0;
    Cycle at;  ///< At the start of this cycle, the last byte has passed the port.
  };

  explicit ResponsePort(memory::PortParameters port) : port_(port) {}

  /// Adds a response. Responses may be delivered in any order. A response must not arrive before
  /// the cycle of the last take_in().
  void deliver(const memory::Response& response);
  /// Books the port for all delivered responses that arrive up to and including cycle `until`. All
  /// responses that arrive before `until` must have been delivered. Further ones that arrive in
  /// cycle `until` may be delivered later, and then pass after the others.
  void take_in(Cycle until);

  /// The cycle in which the next booked response has passed the port; never() if none is booked.
  Cycle next_received() const { return received_.empty() ? Cycle::never() : received_.front().at; }
  /// Removes and returns the next booked response.
  ReceivedResponse take() {
    const ReceivedResponse first = received_.front();
    received_.pop();
    return first;
  }
  /// The earliest cycle in which a delivered response, booked or not, may have passed the port;
  /// never() if there is none.
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
  /// The order of the heap `arriving_`: the earliest response is on top.
  static bool later(const ArrivingResponse& a, const ArrivingResponse& b) {
    if (a.response.arrival != b.response.arrival) return a.response.arrival > b.response.arrival;
    return a.order > b.order;
  }

  memory::Port port_;
  std::vector<ArrivingResponse> arriving_;  ///< A heap of the responses that are not booked yet.
  RingQueue<ReceivedResponse> received_;    ///< The responses for which the port is booked.
  std::uint64_t delivered_ = 0;             ///< The number of calls of deliver().
  std::uint64_t bytes_received_ = 0;
};

}  // namespace heddle::sm
