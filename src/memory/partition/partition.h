#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/clock_ratio.h"
#include "base/counters.h"
#include "base/cycle.h"
#include "memory/interconnect.h"
#include "memory/partition/answer_queue.h"
#include "memory/partition/local_addresses.h"
#include "memory/partition/memory_queue.h"
#include "memory/partition/memory_side.h"
#include "memory/partition/partition_counters.h"
#include "memory/partition/partition_description.h"
#include "memory/partition/partition_trace.h"
#include "memory/partition/request_merge.h"
#include "memory/port.h"
#include "memory/request.h"

namespace heddle::memory {

/// A part of memory: its end of the crossbar, its slice of the L2, its atomic unit and its channel
/// of DRAM.
///
/// Requests pass the port in order of (arrival, multiprocessor, sending), then access the L2 one
/// after another. Who cannot be let in (no register for its miss, all lines of the set on their
/// way, memory's queue full) waits, and so do those after it, until memory makes room. In a cycle,
/// what memory does comes before an access.
///
/// A read is answered `latency` after an access that hits, or when what it waits for has come. An
/// atomic is performed at its access, or when what it waits for has come; the unit takes its time
/// for each of its passes, and `latency` later it is answered. Answers leave in the order in which
/// they are ready.
class Partition {
 public:
  /// Throws InputError.
  Partition(const PartitionDescription& description, const InterconnectDescription& interconnect,
            PortParameters crossbar_port, ClockRatio core_to_dram, std::uint32_t index,
            std::uint32_t sm_count);
  Partition(const Partition&) = delete;
  Partition& operator=(const Partition&) = delete;

  /// Takes over what one multiprocessor sent, in order of arrival, and empties the vector. None may
  /// arrive before a cycle that advance() was given.
  void receive(std::vector<Request>& from_one_sm);
  /// Does all that happens before the start of core cycle `until`.
  void advance(Cycle until);
  /// The answers to a multiprocessor, in order of arrival, for the caller to take out.
  std::vector<Response>& outbox(std::uint32_t sm) { return outboxes_[sm]; }
  bool has_answered() const;

  /// A core cycle before which nothing happens if no request comes; never where all is idle.
  Cycle next_event() const;
  bool idle() const;
  /// What it does is noted there; nothing where it is null.
  void trace(trace::Log* log);
  void declare(CounterList& counters);

 private:
  void take_next(Cycle until);
  void step_memory(Cycle now);
  void access(Cycle now);
  void perform(const Request& request, Cycle now);
  void answer(const Request& request, AnswerSource source, Cycle ready);
  void send_answers(Cycle until);
  Cycle next_access() const { return has_next_ && !is_blocked_ ? next_access_ : Cycle::never(); }

  [[maybe_unused]] std::uint32_t index_;  ///< Asserts alone look at it.
  std::uint32_t header_bytes_;
  Cycles crossbar_latency_;
  Cycles latency_;
  Cycles atomic_interval_;
  AddressMap map_;
  LocalAddresses local_;
  PartitionTrace trace_;

  RequestMerge arriving_;
  Port ingress_;
  IssueSlot accesses_;
  Request next_{};  ///< The one that accesses next; its address is the partition's own.
  bool has_next_ = false;
  bool is_blocked_ = false;  ///< Until memory makes room.
  Cycle next_came_;          ///< When it was first to be let in.
  Cycle next_access_;

  L2Counters l2_counters_;
  MemoryQueue memory_;
  std::unique_ptr<MemorySide> side_;
  std::vector<Request> served_;  ///< By one fetch.
  IssueSlot atomic_unit_;

  AnswerQueue answers_;
  Port egress_;
  std::vector<std::vector<Response>> outboxes_;  ///< To each multiprocessor.

  CrossbarCounters crossbar_counters_;
  AtomicCounters atomic_counters_;
  DramCounterCopy dram_counters_;
};

}  // namespace heddle::memory
