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
/// Requests pass the port in order of arrival. Those that arrive in the same cycle are ordered by
/// multiprocessor, then by the order of sending. They access the L2 one after another. A request
/// stalls, and blocks all later ones, if it finds no free MSHR, no evictable line in its set, or no
/// space in the memory queue. It retries when memory frees space or completes a read. Memory events
/// precede an access of the same cycle.
///
/// The response to a read is ready `latency` after a hit, or when the last missing sector arrives.
/// An atomic is performed when its data are available. It occupies the atomic unit for each of its
/// passes, and its response is ready `latency` after the last pass. Responses leave in the order in
/// which they are ready.
class Partition {
 public:
  /// Throws InputError.
  Partition(const PartitionDescription& description, const InterconnectDescription& interconnect,
            PortParameters crossbar_port, ClockRatio core_to_dram, std::uint32_t index,
            std::uint32_t sm_count);
  Partition(const Partition&) = delete;
  Partition& operator=(const Partition&) = delete;

  /// Takes over the requests of one multiprocessor, in order of arrival, and empties the vector. No
  /// request may arrive before the cycle of the last advance().
  void receive(std::vector<Request>& from_one_sm);
  /// Simulates everything before the start of core cycle `until`.
  void advance(Cycle until);
  /// The responses to a multiprocessor, in order of arrival. The caller removes them.
  std::vector<Response>& outbox(std::uint32_t sm) { return outboxes_[sm]; }
  bool has_responded() const;

  /// A core cycle before which nothing happens unless a request arrives; never() if all is idle.
  Cycle next_event() const;
  bool idle() const;
  /// Notes events in `log` from now on; null stops tracing.
  void trace(trace::Log* log);
  void declare(CounterList& counters);

 private:
  void take_next(Cycle until);
  void step_memory(Cycle now);
  void access(Cycle now);
  void perform(const Request& request, Cycle now);
  void respond(const Request& request, ResponseSource source, Cycle ready);
  void send_responses(Cycle until);
  Cycle next_access() const { return has_next_ && !is_blocked_ ? next_access_ : Cycle::never(); }

  [[maybe_unused]] std::uint32_t index_;  ///< Used only in assertions.
  std::uint32_t header_bytes_;
  Cycles crossbar_latency_;
  Cycles latency_;
  Cycles atomic_interval_;
  AddressMap map_;
  LocalAddresses local_;
  PartitionTrace trace_;

  RequestMerge arriving_;
  Port ingress_;
  IssueSlot access_slot_;
  Request next_{};  ///< The request that accesses next, with its local address.
  bool has_next_ = false;
  bool is_blocked_ = false;  ///< Stalled until memory makes progress.
  Cycle next_ready_;         ///< When next_ was ready for its first attempt.
  Cycle next_access_;        ///< When next_ attempts its access, unless it is blocked.

  L2Counters l2_counters_;
  MemoryQueue memory_;
  std::unique_ptr<MemorySide> side_;
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
