#include "sm/memory/response_port.h"

#include <algorithm>

namespace heddle::sm {

void ResponsePort::deliver(const memory::Response& response) {
  arriving_.push_back({.response = response, .order = delivered_++});
  std::push_heap(arriving_.begin(), arriving_.end(), later);
}

void ResponsePort::take_in(Cycle until) {
  while (!arriving_.empty() && arriving_.front().response.arrival <= until) {
    std::pop_heap(arriving_.begin(), arriving_.end(), later);
    const memory::Response& response = arriving_.back().response;
    bytes_received_ += response.bytes;
    // An empty message still occupies the port.
    const Cycle at = port_.book(response.arrival, std::max(response.bytes, 1U));
    received_.push({.token = response.token, .at = at});
    arriving_.pop_back();
  }
}

void ResponsePort::declare(CounterList& counters) {
  counters.add("responses_received", delivered_, "messages", "received from memory");
  counters.add("bytes_received", bytes_received_, "B", "received from memory, including headers");
}

}  // namespace heddle::sm
