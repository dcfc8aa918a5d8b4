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

/// The output port of a multiprocessor to the crossbar, and an outbox for each memory partition. An
/// outbox contains the requests that the partition has not taken yet. A request leaves the port in
/// the cycle after the access that sends it, or later if earlier requests occupy the port.
class RequestSender {
 public:
  struct Parameters {
    std::uint32_t request_bytes = 128;
    std::uint32_t send_backlog = 32;  ///< How far ahead the port may be booked, in cycles.
    std::uint16_t sm = 0;             ///< The number of the multiprocessor.
  };
  /// Pieces of memory. Each set bit i of `mask` stands for the `grain` bytes from `address` + i *
  /// `grain` on.
  struct Pieces {
    std::uint64_t address = 0;
    std::uint32_t mask = 1;
    std::uint32_t grain = 32;
  };

  RequestSender(const Parameters& parameters, const memory::InterconnectDescription& interconnect,
                memory::PortParameters port, const memory::AddressMap& partitions);

  /// Whether an access in cycle `at` may send requests, because the port is not booked too far
  /// ahead.
  bool can_send(Cycle at) const { return port_.free_from() <= at + backlog_; }
  /// If can_send() is false: the first cycle in which it is true, if nothing is sent before.
  Cycle can_send_from() const { return Cycle(port_.free_from().number - backlog_.count); }

  /// Sends read requests for the pieces and returns the number of requests. A request covers
  /// consecutive bytes within an aligned block of `request_bytes`. `access`: the cycle of the
  /// access.
  std::uint32_t read(const Pieces& pieces, std::uint32_t token, Cycle access, trace::Origin origin);
  /// Sends write requests for the pieces.
  void write(const Pieces& pieces, Cycle access, trace::Origin origin);
  /// Sends a request. The caller must set all its members except `sm` and `arrival`.
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
