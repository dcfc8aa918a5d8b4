#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/clock_ratio.h"
#include "base/counters.h"
#include "base/cycle.h"
#include "memory/interconnect.h"
#include "memory/partition/local_addresses.h"
#include "memory/partition/memory_queue.h"
#include "memory/partition/memory_side.h"
#include "memory/partition/partition_counters.h"
#include "memory/partition/partition_description.h"
#include "memory/partition/partition_trace.h"
#include "memory/partition/request_merge.h"
#include "memory/partition/response_queue.h"
#include "memory/port.h"
#include "memory/request.h"

namespace heddle::memory {

/// A memory partition: its end of the crossbar, an L2 slice, an atomic unit and a DRAM channel.
///
/// Requests go through the crossbar port in order of arrival. Requests that arrive in the same
/// cycle are ordered by multiprocessor, then by the order of sending. They access the L2 one after
/// another. A request stalls, and blocks all later ones, if it finds no free MSHR, no evictable
/// line in its set, or no space in the memory queue. It retries when memory frees space or
/// completes a read. If a memory event and an access happen in the same cycle, the memory event
/// comes first.
///
/// The response to a read is ready `l2.latency` after a hit, or when the last missing sector
/// arrives. An atomic is performed when its data are available. It occupies the atomic unit once
/// for each of its passes (Request::passes). Its response is ready `l2.latency` after the last
/// pass. Responses leave in the order in which they are ready.
class Partition {
 public:
  /// Constructs the partition with number `index`. Throws InputError if a parameter is invalid.
  Partition(const PartitionDescription& description, const InterconnectDescription& interconnect,
            PortParameters crossbar_port, ClockRatio core_to_dram, std::uint32_t index,
            std::uint32_t sm_count);
  Partition(const Partition&) = delete;
  Partition& operator=(const Partition&) = delete;

  /// Takes over the requests of one multiprocessor, which are in order of arrival, and empties the
  /// vector. No request may arrive before the cycle up to which advance() has simulated.
  void receive(std::vector<Request>& from_one_sm);
  /// Simulates all core cycles before `until`.
  void advance(Cycle until);
  /// The responses to a multiprocessor, in order of arrival. The caller removes them.
  std::vector<Response>& outbox(std::uint32_t sm) { return outboxes_[sm]; }
  /// Whether any outbox has a response.
  bool has_responded() const;

  /// Returns a core cycle before which nothing happens unless a request arrives; never() if nothing
  /// is in flight.
  Cycle next_event() const;
  /// Whether nothing is in flight.
  bool idle() const;
  /// Notes events in `log` from now on; null stops tracing.
  void trace(trace::Log* log);
  void declare(CounterList& counters);

 private:
  /// Moves the next request that arrives before `until` to next_request_, if that is free.
  void take_next(Cycle until);
  /// Handles a memory event.
  void step_memory(Cycle now);
  /// Attempts the access of next_request_.
  void access(Cycle now);
  /// Performs an atomic.
  void perform(const Request& request, Cycle now);
  /// Queues the response to a request.
  void respond(const Request& request, ResponseSource source, Cycle ready);
  /// Sends the responses that are ready before `until`.
  void send_responses(Cycle until);
  /// The cycle of the next attempt of an access; never() if there is none before a memory event.
  Cycle next_attempt() const { return has_next_ && !is_blocked_ ? next_attempt_ : Cycle::never(); }

  [[maybe_unused]] std::uint32_t index_;  ///< Used only in assertions.
  std::uint32_t header_bytes_;
  Cycles crossbar_latency_;
  Cycles l2_latency_;  ///< The latency of the L2; 0 without an L2.
  Cycles atomic_interval_;
  AddressMap map_;
  LocalAddresses local_;
  PartitionTrace trace_;

  RequestMerge arriving_;
  Port ingress_;
  IssueSlot access_slot_;
  Request next_request_{};  ///< The request that accesses memory next, with its local address.
  bool has_next_ = false;
  bool is_blocked_ = false;  ///< next_request_ stalls until memory makes progress.
  Cycle first_attempt_;      ///< The cycle of the first attempt of next_request_.
  Cycle next_attempt_;  ///< The cycle of the next attempt of next_request_, unless it is blocked.

  L2Counters l2_counters_;
  MemoryQueue memory_;
  std::unique_ptr<MemorySide> memory_side_;
  std::vector<Request> served_;  ///< Scratch space of step_memory().
  IssueSlot atomic_unit_;

  ResponseQueue responses_;
  Port egress_;
  std::vector<std::vector<Response>> outboxes_;  ///< By multiprocessor.

  CrossbarCounters crossbar_counters_;
  AtomicCounters atomic_counters_;
  DramCounterCopy dram_counters_;
};

}  // namespace heddle::memory
