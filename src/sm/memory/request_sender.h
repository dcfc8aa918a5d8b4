#pragma once

#include <cstdint>
#include <vector>

#include "base/counters.h"
#include "base/cycle.h"
#include "memory/dram/address_map.h"
#include "memory/interconnect.h"
#include "memory/port.h"
#include "memory/request.h"
#include "trace/log.h"

namespace heddle::sm {

/// A multiprocessor's output port to the crossbar, and an outbox for each memory partition. An
/// outbox holds the requests that its partition has not taken yet. A message leaves in the cycle
/// after the access that sends it, or later if earlier messages occupy the port.
class RequestSender {
 public:
  struct Parameters {
    std::uint32_t request_bytes = 128;
    std::uint32_t send_backlog = 32;  ///< In cycles.
    std::uint16_t sm = 0;
  };
  /// Pieces of memory: for each set bit i of `mask`, the i-th `grain` bytes from `address` on.
  struct Pieces {
    std::uint64_t address = 0;
    std::uint32_t mask = 1;
    std::uint32_t grain = 32;
  };

  RequestSender(const Parameters& parameters, const memory::InterconnectDescription& interconnect,
                memory::PortParameters port, const memory::AddressMap& partitions);

  /// Whether an access in cycle `at` may send requests: the port is not booked too far ahead.
  bool ready(Cycle at) const { return port_.free_from() <= at + backlog_; }
  /// If ready() is false: the first cycle in which it will be true, if nothing is sent until then.
  Cycle ready_from() const { return Cycle(port_.free_from().number - backlog_.count); }

  /// Sends read requests for the pieces and returns their number. A request covers consecutive
  /// bytes within an aligned block of `request_bytes`.
  std::uint32_t read(const Pieces& pieces, std::uint32_t token, Cycle access, trace::Origin origin);
  void write(const Pieces& pieces, Cycle access, trace::Origin origin);
  /// Sends a request. The caller fills in all but its sender (`sm`) and its arrival.
  void send(memory::Request request, Cycle access, trace::Origin origin);

  std::vector<memory::Request>& outbox(std::uint32_t partition) { return outboxes_[partition]; }
  bool has_sent() const;

  void trace(trace::Log* log) { log_ = log; }
  void declare(CounterList& counters);

 private:
  template <class SendOne>
  std::uint32_t for_each_request(const Pieces& pieces, SendOne&& send_one) const;
  void note(const memory::Request& request, Cycle sent, trace::Origin origin);

  Parameters parameters_;
  Cycles backlog_;
  Cycles latency_;
  std::uint32_t header_bytes_;
  memory::AddressMap partitions_;
  memory::Port port_;
  std::vector<std::vector<memory::Request>> outboxes_;
  std::uint64_t requests_sent_ = 0;
  std::uint64_t bytes_sent_ = 0;
  trace::Log* log_ = nullptr;
};

}  // namespace heddle::sm
