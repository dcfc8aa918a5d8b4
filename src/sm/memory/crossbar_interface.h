#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/counters.h"
#include "base/cycle.h"
#include "base/slot_table.h"
#include "memory/cache_tags.h"
#include "memory/request.h"
#include "sm/memory/request_sender.h"
#include "sm/memory/response_port.h"
#include "trace/log.h"

namespace heddle::sm {

class CachePath;

/// A multiprocessor's interface to the crossbar: the ports in both directions, and the reads and
/// atomics of which responses are outstanding.
class CrossbarInterface {
 public:
  /// An outstanding read or atomic. A read may be split into several requests.
  struct Outstanding {
    std::uint32_t responses = 0;  ///< Responses that have not arrived.
    /// The number of the load or atomic of which a part completes when all responses have arrived.
    /// If a cache is filled, it is only a hint for prefetching: the load that caused the fetch, or
    /// L1Cache::kNoLoad if no load did.
    std::uint32_t load = 0;
    CachePath* filled = nullptr;     ///< The path whose cache is filled; null if none is.
    std::uint64_t line = 0;          ///< The line that is filled.
    memory::SectorMask sectors = 0;  ///< The sectors that are filled.
  };

  CrossbarInterface(const RequestSender::Parameters& parameters,
                    const memory::InterconnectDescription& interconnect,
                    memory::PortParameters port, const memory::AddressMap& partitions)
      : sender_(parameters, interconnect, port, partitions), responses_(port) {}

  // -- requests: see RequestSender ----------------------------------------------------------------
  bool can_send(Cycle at) const { return sender_.can_send(at); }
  Cycle can_send_from() const { return sender_.can_send_from(); }
  /// Reads pieces of memory. The caller need not set `outstanding.responses`.
  [[gnu::always_inline]] void read(const RequestSender::Pieces& pieces,
                                   const Outstanding& outstanding, Cycle access,
                                   trace::Origin origin) {
    const std::uint32_t token = outstanding_.add(outstanding);
    outstanding_[token].responses = sender_.read(pieces, token, access, origin);
  }
  void write(const RequestSender::Pieces& pieces, Cycle access, trace::Origin origin) {
    sender_.write(pieces, access, origin);
  }
  /// Sends an atomic, of which the caller has set all members except token, sm and arrival. `load`:
  /// its number in LoadsInFlight.
  void send_atomic(memory::Request atomic, std::uint32_t load, Cycle access, trace::Origin origin) {
    atomic.token = outstanding_.add({.responses = 1, .load = load});
    sender_.send(atomic, access, origin);
  }
  std::vector<memory::Request>& outbox(std::uint32_t partition) {
    return sender_.outbox(partition);
  }
  bool has_sent() const { return sender_.has_sent(); }

  // -- responses: see ResponsePort ----------------------------------------------------------------
  void deliver(const memory::Response& response) {
    responses_.deliver(response);
    delivered_.push_back(response.token);
    __builtin_prefetch(&outstanding_[response.token]);
  }
  /// Calls each(outstanding) for the responses delivered since the last call.
  template <class Each>
  [[gnu::always_inline]] void for_each_delivered(Each&& each) {
    for (const std::uint32_t token : delivered_) each(std::as_const(outstanding_[token]));
    delivered_.clear();
  }
  void take_in(Cycle until) { responses_.take_in(until); }
  Cycle next_received() const { return responses_.next_received(); }
  Cycle next_response() const { return responses_.next(); }
  /// Removes the next booked response. If it is the last of its read or atomic, calls
  /// complete(outstanding, cycle of the response).
  template <class Complete>
  [[gnu::always_inline]] void receive(Complete&& complete) {
    const ResponsePort::ReceivedResponse response = responses_.take();
    Outstanding& outstanding = outstanding_[response.token];
    if (log_ != nullptr) note(response);
    if (--outstanding.responses > 0) return;
    complete(std::as_const(outstanding), response.at);
    outstanding_.remove(response.token);
  }

  /// Whether no response is outstanding. Writes may still be passing the port.
  bool idle() const { return outstanding_.empty(); }
  void trace(trace::Log* log) {
    log_ = log;
    sender_.trace(log);
  }
  void declare(CounterList& counters);

 private:
  void note(const ResponsePort::ReceivedResponse& response);

  RequestSender sender_;
  ResponsePort responses_;
  SlotTable<Outstanding> outstanding_;
  std::vector<std::uint32_t> delivered_;  ///< Tokens of responses, for for_each_delivered().
  trace::Log* log_ = nullptr;
};

}  // namespace heddle::sm
