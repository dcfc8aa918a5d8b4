#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/counters.h"
#include "base/cycle.h"
#include "memory/coalescer.h"
#include "sm/memory/access_queue.h"
#include "sm/memory/bank_arbiter.h"
#include "sm/memory/l1_cache.h"
#include "sm/memory/memory_instruction.h"
#include "sm/memory/shared_parts.h"
#include "trace/event.h"

namespace heddle::sm {

/// The trace events of look-ups in a cache, and of fills.
struct CacheEvents {
  trace::Kind hit, miss, merged, stalled, fill;
};

/// Why an access with this outcome stalls; `none` if it does not.
constexpr AccessQueue::Stall stall_of(L1Cache::Outcome outcome) {
  using Outcome = L1Cache::Outcome;
  using Stall = AccessQueue::Stall;
  switch (outcome) {
    case Outcome::mshrs_full:
      return Stall::mshrs_full;
    case Outcome::merges_full:
      return Stall::merges_full;
    case Outcome::whole_set_pending:
      return Stall::whole_set_pending;
    case Outcome::send_full:
      return Stall::send_full;
    case Outcome::hit:
    case Outcome::waits:
      break;
  }
  return Stall::none;
}

/// What the paths through a cache have in common: a queue of instructions, the cache that they
/// access, its misses and its fills.
///
/// An instruction is divided into accesses. The path makes one access per cycle, in order. An
/// access that stalls blocks those after it (head-of-line blocking), until a fill or the port to
/// the crossbar lets it resume. If all accesses of a load hit, and no earlier instruction is in its
/// way, the load bypasses the queue, unless its accesses may have to wait for banks.
class CachePath {
 public:
  /// `bytes_per_sector_bit`: the number of bytes that each bit of memory::Segment::sectors
  /// represents on this path. `banks`: the banks that the cache shares with registers; null if it
  /// has banks of its own.
  CachePath(std::uint32_t queue, L1Cache cache, std::uint32_t bytes_per_sector_bit,
            const CacheEvents& events, SharedParts& shared, BankArbiter* banks = nullptr);
  CachePath(const CachePath&) = delete;
  CachePath& operator=(const CachePath&) = delete;

  // -- an instruction enters ----------------------------------------------------------------------
  bool is_full() const { return queue_.is_full(); }
  /// Begins to build an instruction whose first access is not before `earliest`. The caller
  /// completes it and passes it to enqueue() or append().
  QueuedInstruction& draft(const MemoryInstruction& instruction, Cycle earliest) {
    QueuedInstruction& built = queue_.draft();
    built.kind = QueuedInstruction::Kind::load;
    built.earliest = earliest;
    built.min_cycles = 1;
    built.reports_completion = instruction.action != MemoryAction::store;
    built.has_waited_for_bank = false;
    built.is_ahead = instruction.context == ContextKind::ahead;
    built.origin = instruction.origin;
    return built;
  }
  /// Adds the instruction, received at `at`. Returns the cycle of its completion if it bypasses the
  /// queue; otherwise nothing.
  std::optional<Cycle> enqueue(const MemoryInstruction& instruction, QueuedInstruction& built,
                               Cycle at);
  /// Adds the instruction to the queue in any case, and records nothing.
  void append(QueuedInstruction& built, std::uint32_t token);

  // -- its accesses are made ----------------------------------------------------------------------
  /// As for AccessQueue.
  Cycle next_access() const { return queue_.next(); }
  Cycle earliest_last_access() const { return queue_.earliest_last_access(); }
  Cycle free_from() const { return queue_.free_from(); }
  /// Makes the next access, which must be that of a load, in cycle next_access(). Appends
  /// completions that have become known to `done`.
  void access_load(Cycle at, std::vector<MemoryCompletion>& done);
  /// Fills the sectors that fetch() has requested, and completes the loads that waited for them.
  void fill(std::uint64_t line, memory::SectorMask sectors, Cycle at,
            std::vector<MemoryCompletion>& done);

  // -- steps of an access -------------------------------------------------------------------------
  /// Begins an attempt to make the next access, and returns its instruction.
  const QueuedInstruction& begin_attempt(Cycle at) {
    queue_.begin_attempt(at);
    return queue_.first();
  }
  /// Whether the instruction's next segment hits, but its bank is not free at `at`. If it is free,
  /// it is booked. There must be a BankArbiter.
  bool waits_for_bank(const QueuedInstruction& instruction, Cycle at) {
    const memory::Segment& segment = instruction.segments[instruction.next];
    const std::uint64_t line = cache_.line_of(segment.address);
    return cache_.would_hit(
               line, cache_.sectors_of(segment.address, segment.sectors, bytes_per_sector_bit_)) &&
           !banks_->read(banks_->bank_of_line(line), at);
  }
  /// Looks up the instruction's next segment, and fetches what is missing. The caller must write an
  /// evicted line back.
  L1Cache::Access look_up(const QueuedInstruction& instruction, Cycle at,
                          std::vector<MemoryCompletion>& done);
  /// Ends an attempt: the access has been made, or it stalls.
  void end_attempt(AccessQueue::Stall stall, Cycle at) {
    using Stall = AccessQueue::Stall;
    if (stall == Stall::none) return queue_.advance(at);
    if (stall == Stall::bank_busy) note_bank_wait();
    queue_.stall(stall, at,
                 stall == Stall::send_full   ? shared_.crossbar.can_send_from()
                 : stall == Stall::bank_busy ? at + Cycles(1)
                                             : Cycle::never());
  }
  /// Requests sectors of a line from memory. `load` is a hint: CrossbarInterface::Outstanding.
  [[gnu::always_inline]] void fetch(std::uint64_t line, memory::SectorMask sectors,
                                    std::uint32_t load, Cycle at, trace::Origin origin) {
    shared_.crossbar.read(
        {.address = cache_.address_of(line), .mask = sectors, .grain = cache_.sector_bytes()},
        {.load = load, .filled = this, .line = line, .sectors = sectors}, at, origin);
  }

  // -- trace: to be called only while tracing -----------------------------------------------------
  /// The event for an access to the cache, complete except for its kind.
  trace::Event event_of(const memory::Segment& segment, trace::Origin origin, Cycle at) const;
  /// Records an access that does not look data up in the cache, or its stall.
  void note_access(const QueuedInstruction& instruction, AccessQueue::Stall stall, Cycle at);

  L1Cache& cache() { return cache_; }
  const L1Cache& cache() const { return cache_; }
  /// Whether no instruction is queued.
  bool empty() const { return queue_.empty(); }
  void declare(CounterList& counters) {
    cache_.declare(counters);
    queue_.declare(counters);
  }

 protected:
  SharedParts& shared() { return shared_; }
  /// Null if the cache has banks of its own.
  BankArbiter* banks() { return banks_; }

 private:
  void note_bank_wait() {
    QueuedInstruction& instruction = queue_.first();
    if (!instruction.has_waited_for_bank) banks_->count_delayed();
    instruction.has_waited_for_bank = true;
  }
  std::optional<Cycle> complete_if_all_hit(const QueuedInstruction& built);
  void note_look_up(const QueuedInstruction& instruction, const L1Cache::Access& result, Cycle at);
  void note_hits(const QueuedInstruction& built, std::uint32_t token, Cycle known);
  void note_fill(std::uint64_t line, memory::SectorMask sectors, Cycle at);

  AccessQueue queue_;
  L1Cache cache_;
  std::uint32_t bytes_per_sector_bit_;
  const CacheEvents& events_;
  SharedParts& shared_;
  BankArbiter* banks_;
};

}  // namespace heddle::sm
