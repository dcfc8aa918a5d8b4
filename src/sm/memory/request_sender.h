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

/// A multiprocessor's way out to memory: its port to the crossbar, and what has been sent to each
/// partition since that last looked. A message leaves in the cycle after the access that sends it,
/// once those before it have left.
class RequestSender {
 public:
  struct Parameters {
    std::uint32_t request_bytes = 128;
    std::uint32_t send_backlog = 32;
    std::uint16_t sm = 0;
  };
  /// Bytes at `address`: where bit i is set, the i-th `grain` bytes.
  struct Pieces {
    std::uint64_t address = 0;
    std::uint32_t mask = 1;
    std::uint32_t grain = 32;
  };

  RequestSender(const Parameters& parameters, const memory::InterconnectDescription& interconnect,
                memory::PortParameters port, const memory::AddressMap& partitions);

  /// Whether an access at `at` may send.
  bool ready(Cycle at) const { return port_.free_from() <= at + backlog_; }
  /// Where it may not: the first cycle at which one may, if nothing else is sent until then.
  Cycle ready_from() const { return Cycle(port_.free_from().number - backlog_.count); }

  /// Sends as many requests as the pieces need, as each is of consecutive bytes and of no more than
  /// `request_bytes` within a multiple of them. Returns their number.
  std::uint32_t read(const Pieces& pieces, std::uint32_t token, Cycle access, trace::Origin origin);
  void write(const Pieces& pieces, Cycle access, trace::Origin origin);
  /// Sends a request that is complete but for the sender and the arrival.
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
