#pragma once

// The load-store unit of a multiprocessor: coalescer, L1, constant cache, texture cache,
// scratchpad, and the ports to and from the crossbar.

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/counters.h"
#include "base/cycle.h"
#include "base/slot_table.h"
#include "memory/coalescer.h"
#include "memory/interconnect.h"
#include "memory/request.h"
#include "sm/memory/access_queue.h"
#include "sm/memory/l1_cache.h"
#include "sm/memory/l1_write_counters.h"
#include "sm/memory/load_store_description.h"
#include "sm/memory/loads_in_flight.h"
#include "sm/memory/memory_counters.h"
#include "sm/memory/memory_instruction.h"
#include "sm/memory/request_sender.h"
#include "sm/memory/response_port.h"
#include "sm/memory/scratchpad.h"
#include "sm/memory/write_policy.h"
#include "trace/log.h"

namespace heddle::sm {

/// A memory instruction is divided into accesses: segments of global memory, pieces of constant
/// memory, or lines of a texture. Each path makes one access per cycle, in order. An access that
/// stalls blocks those after it (head-of-line blocking), until a fill or the port to the crossbar
/// lets it resume. If all accesses of a load hit, and no earlier instruction is in its way, the
/// load bypasses the queue, and add() returns its completion.
///
/// A WritePolicy defines the effect of a store on the L1: one for global, one for local memory. A
/// store is complete when its access has been made, even if the rest of a sector is still being
/// fetched. Atomics are performed in the memory partitions: the L1 writes the dirty sectors of
/// their line back and invalidates the line. A load that bypasses the L1 also writes the dirty
/// sectors of its line back, but the line stays valid. At the end of a kernel all dirty lines are
/// written back.
///
/// Responses from memory take effect at the start of a cycle. Accesses are made during a cycle, in
/// the order global, constant, texture. Their effects are visible at the start of the next cycle.
class LoadStoreUnit {
 public:
  /// Throws InputError if the description is not possible.
  LoadStoreUnit(const LoadStoreDescription& description,
                const memory::InterconnectDescription& interconnect,
                memory::PortParameters crossbar_port, const memory::AddressMap& partitions,
                std::uint16_t sm);

  /// Whether the path has space for an instruction in the cycle of the last advance(). The result
  /// remains valid before next_visible_event(), unless an instruction is added.
  bool accepts(MemoryPath path) const {
    switch (path) {
      case MemoryPath::shared:
        if (!scratchpad_uses_l1_queue_) return scratchpad_.accepts(now_);
        break;
      case MemoryPath::constant:
        return !paths_[kConstant].queue.is_full();
      case MemoryPath::texture:
        return !paths_[kTexture].queue.is_full();
      case MemoryPath::global:
        break;
    }
    return !paths_[kGlobal].queue.is_full();
  }
  /// Adds an instruction at cycle `at`. accepts() must be true for its path. `at` must not be
  /// earlier than the last advance(), nor than the previous instruction on the path. Returns the
  /// cycle of the completion if that is already known. If nothing is returned, advance() reports
  /// the completion; completions of stores are never reported.
  std::optional<Cycle> add(const MemoryInstruction& instruction, Cycle at);

  /// The next cycle in which the unit has work to do; never() if it has none until a response
  /// arrives.
  Cycle next_event() const;
  /// The earliest cycle in which advance() may report a completion, or in which a queue may get
  /// space. A caller that needs nothing else need not call advance() before that cycle, except to
  /// take requests from the outboxes.
  Cycle next_visible_event() const {
    return std::min(next_visible_path_event_, scratchpad_space_at());
  }
  /// Simulates up to the start of cycle `now`. Appends to `done` the completions that have become
  /// known; they may lie after `now`.
  void advance(Cycle now, std::vector<MemoryCompletion>& done);

  /// Delivers a response, which must not arrive before the cycle of the last advance(). The caller
  /// should then call prefetch_responses() before the next advance().
  void deliver(const memory::Response& response);
  /// Prefetches, into the host's caches, the simulator's data for the responses delivered since the
  /// last call. Calls each_completion(token) for each instruction that they may complete.
  template <class EachCompletion>
  [[gnu::always_inline]] void prefetch_responses(EachCompletion&& each_completion) {
    for (const std::uint32_t token : delivered_) {
      const PendingResponse& expected = pending_responses_[token];
      if (expected.path != kNoCache) paths_[expected.path].cache.prefetch(expected.line);
      if (expected.load != L1Cache::kNoLoad) {
        each_completion(loads_.token_of(expected.load));
      }
    }
    delivered_.clear();
  }
  /// The requests sent to a partition, in order. The caller removes those that it takes.
  std::vector<memory::Request>& outbox(std::uint32_t partition) {
    return sender_.outbox(partition);
  }
  /// Whether any outbox contains a request.
  bool has_sent() const { return sender_.has_sent(); }

  /// Called when a kernel has ended and nothing is in flight. Writes all dirty lines of the L1
  /// back, one after another from cycle `at` on. Returns whether any line was dirty.
  bool write_back_all(Cycle at);
  /// Called between kernels, after write_back_all(). Invalidates all caches.
  void invalidate();
  const L1Cache& l1() const { return paths_[kGlobal].cache; }
  /// Whether no instruction is queued, all loads and atomics have completed, and no fetch for a
  /// store is in flight. Writes may still be passing the port to the crossbar.
  bool idle() const;

  /// From now on events are written to `log`; none are written if it is null.
  void trace(trace::Log* log) {
    log_ = log;
    sender_.trace(log);
  }
  void declare(CounterList& counters);

 private:
  using Kind = QueuedInstruction::Kind;
  using Stall = AccessQueue::Stall;

  /// A queue of instructions, and the cache that they access.
  struct CachedPath {
    AccessQueue queue;
    L1Cache cache;
    /// The number of bytes that each bit of memory::Segment::sectors represents on this path.
    std::uint32_t bytes_per_sector_bit;

    void declare(CounterList& counters) {
      cache.declare(counters);
      queue.declare(counters);
    }
  };
  static constexpr std::size_t kGlobal = 0;
  static constexpr std::size_t kConstant = 1;
  static constexpr std::size_t kTexture = 2;
  static constexpr std::size_t kNoCache = 3;

  /// An outstanding read or atomic, which may be split into several requests.
  struct PendingResponse {
    std::uint32_t responses = 0;  ///< Responses that have not arrived.
    /// The number of the load or atomic of which a part completes when all responses have arrived.
    /// If a cache is filled, it is only a hint for prefetching: the load that caused the fetch, or
    /// kNoLoad if a store caused it.
    std::uint32_t load = 0;
    std::size_t path = kNoCache;     ///< The path whose cache is filled; kNoCache if none is.
    std::uint64_t line = 0;          ///< The line that is filled.
    memory::SectorMask sectors = 0;  ///< The sectors that are filled.
  };

  /// The reason for a write-back, for traces.
  struct Reason {
    trace::Origin origin{};
    std::string_view cause;
  };

  std::optional<Cycle> add_shared(const MemoryInstruction& instruction, Cycle at);
  void build_global(const MemoryInstruction& instruction, QueuedInstruction& built);
  void build_atomic(const MemoryInstruction& instruction, QueuedInstruction& built);
  std::optional<Cycle> enqueue(std::size_t path, QueuedInstruction& built, std::uint32_t token);
  std::optional<Cycle> complete_if_all_hit(CachedPath& path, const QueuedInstruction& built);

  void access(std::size_t path, Cycle at, std::vector<MemoryCompletion>& done);
  Stall access_cache(std::size_t path, const QueuedInstruction& instruction, Cycle at,
                     std::vector<MemoryCompletion>& done);
  /// Requests sectors of a line from memory.
  [[gnu::always_inline]] void fetch(std::size_t path, std::uint64_t line,
                                    memory::SectorMask sectors,
                                    const QueuedInstruction& instruction, Cycle at) {
    const L1Cache& cache = paths_[path].cache;
    const std::uint32_t token = pending_responses_.add(
        {.load = instruction.load, .path = path, .line = line, .sectors = sectors});
    pending_responses_[token].responses = sender_.read(
        {.address = cache.address_of(line), .mask = sectors, .grain = cache.sector_bytes()}, token,
        at, instruction.origin);
  }
  void send_uncached(const QueuedInstruction& instruction, Cycle at);
  // In load_store_writes.cpp:
  Stall access_store(const QueuedInstruction& instruction, Cycle at);
  Stall store_in_l1(const QueuedInstruction& instruction, bool has_line, Cycle at);
  void send_store(const QueuedInstruction& instruction, bool has_line, Cycle at);
  void send_atomic(const QueuedInstruction& instruction, Cycle at);
  void clean_line(const QueuedInstruction& instruction, std::string_view cause, Cycle at);
  void write_back(const L1Cache::Eviction& written, const Reason& reason, Cycle at);
  void receive(const ResponsePort::ReceivedResponse& response, std::vector<MemoryCompletion>& done);
  static Stall stall_of(L1Cache::Outcome outcome);
  /// The cycle at whose start the effects of an access in cycle `at` become visible.
  static Cycle cycle_after(Cycle at) { return at == Cycle::never() ? at : at + Cycles(1); }
  // In load_store_trace.cpp:
  void note_received(const MemoryInstruction& instruction, std::size_t accesses, Cycle at);
  trace::Event event_of(std::size_t path, const memory::Segment& segment, trace::Origin origin,
                        Cycle at) const;
  void note_look_up(std::size_t path, const QueuedInstruction& instruction,
                    const L1Cache::Access& result, Cycle at);
  void note_hits(std::size_t path, const QueuedInstruction& built, std::uint32_t token,
                 Cycle known);
  void note_access(std::size_t path, const QueuedInstruction& instruction, Stall stall, Cycle at);
  void note_store_in_l1(const QueuedInstruction& instruction, bool has_line, Cycle at);
  void note_written_back(const L1Cache::Eviction& written, const Reason& reason, Cycle at);
  void note_response(const ResponsePort::ReceivedResponse& response,
                     const PendingResponse& expected);
  void note_complete(std::uint32_t token, Cycle at);

  void update_next_events();
  void update_next_events(const AccessQueue& queue);
  /// The cycle in which the scratchpad's queue gets space; never() if it has space now.
  Cycle scratchpad_space_at() const {
    return scratchpad_.accepts(now_) ? Cycle::never() : scratchpad_.space_from();
  }

  Cycles address_cycles_;
  bool l1_present_;
  WritePolicy global_writes_;
  WritePolicy local_writes_;
  bool l1_writes_back_;  ///< Whether either write policy is a write-back policy.
  /// The parameter lsu.shared_pipe: whether accesses to shared memory go through the queue of the
  /// L1, and take turns with accesses to the L1.
  bool scratchpad_uses_l1_queue_;
  std::uint32_t sector_bytes_;    ///< The size of the coalescer's sectors.
  std::uint32_t texture_cycles_;  ///< How many cycles the filtering of 32 texels takes.
  memory::Coalescer coalescer_;
  memory::Coalescer atomic_coalescer_;  ///< Each of its segments fits into one request.
  std::array<CachedPath, 3> paths_;
  Scratchpad scratchpad_;
  RequestSender sender_;
  ResponsePort responses_;
  LoadsInFlight loads_;
  SlotTable<PendingResponse> pending_responses_;
  std::vector<std::uint32_t> delivered_;  ///< Tokens of responses, for prefetch_responses().
  MemoryCounters counters_;
  L1WriteCounters l1_writes_;
  Cycle now_;  ///< The unit has been simulated up to the start of this cycle.
  // The next event of the three paths and of the response port, and the next that the caller may
  // see. Space in the scratchpad's queue is not included: see scratchpad_space_at().
  Cycle next_path_event_ = Cycle::never();
  Cycle next_visible_path_event_ = Cycle::never();

  trace::Log* log_ = nullptr;
  std::vector<trace::Origin> origins_;  ///< By token; for traces only.
};

}  // namespace heddle::sm
