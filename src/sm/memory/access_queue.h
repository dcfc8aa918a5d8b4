#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/counters.h"
#include "base/cycle.h"
#include "base/enum_array.h"
#include "base/ring_queue.h"
#include "memory/clustered_passes.h"
#include "memory/coalescer.h"
#include "memory/request.h"
#include "sm/memory/memory_instruction.h"
#include "sm/memory/write_policy.h"
#include "trace/event.h"

namespace heddle::sm {

/// A memory instruction whose addresses have been computed and coalesced into accesses: one for
/// each segment of memory that its lanes touch.
struct QueuedInstruction {
  enum class Kind : std::uint8_t {
    load,
    uncached_load,
    store,
    atomic,
    /// One access, which occupies the L1 for as many cycles as it takes passes. With shared banks,
    /// an access for each pass.
    scratchpad,
  };

  Kind kind = Kind::load;
  WritePolicy write_policy = WritePolicy::through;  ///< For stores.
  bool reports_completion = true;                   ///< False for stores only.
  bool is_ahead = false;                     ///< A load of a second context (ContextKind::ahead).
  MemoryAction action = MemoryAction::load;  ///< For the scratchpad with shared banks.
  bool has_waited_for_bank = false;
  Cycle earliest;                ///< The earliest cycle of its first access.
  std::uint32_t min_cycles = 1;  ///< It occupies the cache for at least so many cycles.
  std::uint32_t load = 0;        ///< Its number in LoadsInFlight, if reports_completion.
  memory::Segments segments;     ///< Its accesses, one per segment.
  std::uint32_t next = 0;        ///< The index of the next segment to access.
  trace::Origin origin{};        ///< For traces and prefetchers.
  /// For prefetchers: by segment, the address of its lowest lane. Set only if there is one.
  std::array<std::uint64_t, kWarpSize> addresses{};

  /// For the scratchpad: from the access until the data can be used.
  Cycles scratchpad_latency{};
  /// For the scratchpad with shared banks (BankArbiter): by pass, the banks that it accesses.
  std::array<memory::BankSet, kWarpSize> pass_banks{};

  // The rest is for atomics only.
  std::uint32_t bytes_per_lane = 0;
  bool wants_old_values = false;
  memory::AtomicWork* work = nullptr;
  /// By segment: how many passes through the atomic unit its atomics take.
  std::array<std::uint8_t, kWarpSize> passes{};
};

/// A FIFO of memory instructions in front of a cache. The first instruction makes its accesses, at
/// most one per cycle; the others wait.
class AccessQueue {
 public:
  /// The reason why an access cannot be made (see L1Cache::Outcome); `none` if it can.
  enum class Stall : std::uint8_t {
    none,
    mshrs_full,
    merges_full,
    whole_set_pending,
    send_full,
    bank_busy,  ///< BankArbiter does not give the access its banks. It also counts these cycles.
  };

  explicit AccessQueue(std::uint32_t capacity) : capacity_(capacity), instructions_(capacity) {}

  bool is_full() const { return instructions_.size() >= capacity_; }
  bool empty() const { return instructions_.empty(); }
  /// The storage in which the caller builds the next instruction. It is not in the queue before
  /// append_draft().
  QueuedInstruction& draft() { return instructions_.draft(); }
  void append_draft() {
    instructions_.append();
    if (instructions_.size() == 1) find_next();
  }

  /// Whether an access at `at` would have to wait for no earlier access.
  bool is_free_at(Cycle at) const { return instructions_.empty() && free_from_ <= at; }
  /// The first cycle after all accesses that have been made or booked.
  Cycle free_from() const { return free_from_; }
  /// Books the cache for `cycles` cycles from `at` on, for an instruction that bypasses the queue.
  void occupy(Cycle at, std::uint32_t cycles) { free_from_ = at + Cycles(cycles); }

  /// The cycle in which the next access is made or retried; never() if the queue is empty or the
  /// access waits for a fill.
  Cycle next() const { return next_; }
  /// The earliest possible cycle of the first instruction's last access; never() if next() is.
  Cycle earliest_last_access() const {
    if (next_ == Cycle::never()) return next_;
    const QueuedInstruction& first = instructions_.front();
    return next_ + Cycles(first.segments.size() - first.next - 1);
  }

  QueuedInstruction& first() { return instructions_.front(); }
  /// Begins an attempt to make the next access. If the last attempt failed, counts the cycles since
  /// then as stalled.
  void begin_attempt(Cycle at) {
    if (stall_ == Stall::none) return;
    stalled_[stall_] += (at - stalled_from_).count;
    stall_ = Stall::none;
  }
  /// The attempt succeeds: the queue advances to the next access.
  void advance(Cycle at) {
    QueuedInstruction& first = instructions_.front();
    if (first.next == 0) started_ = at;
    free_from_ = at + Cycles(1);
    if (++first.next == first.segments.size()) {
      free_from_ = std::max(free_from_, started_ + Cycles(first.min_cycles));
      instructions_.pop();
    }
    find_next();
  }
  /// The attempt fails because of `cause`. It is repeated at `retry` or, if that is never(), after
  /// the next fill.
  void stall(Stall cause, Cycle at, Cycle retry) {
    stall_ = cause;
    stalled_from_ = at;
    retry_ = retry;
    find_next();
  }
  /// A fill may have freed a resource. If an access waits for a fill, it is retried at `at`.
  void retry(Cycle at) {
    if (retry_ != Cycle::never()) return;
    retry_ = at;
    find_next();
  }

  void declare(CounterList& counters) {
    const auto add = [&](std::string_view name, Stall cause, std::string_view meaning) {
      counters.add(name, stalled_[cause], "core cycles", meaning);
    };
    add("mshrs_full_cycles", Stall::mshrs_full, "in which an access waited for a free MSHR");
    add("merges_full_cycles", Stall::merges_full,
        "in which an access waited because its line's MSHR had no free merge");
    add("set_pending_cycles", Stall::whole_set_pending,
        "in which an access waited because all lines of its set were pending");
    add("send_full_cycles", Stall::send_full,
        "in which an access waited for the port to the crossbar");
  }

 private:
  void find_next() {
    next_ = instructions_.empty() ? Cycle::never()
                                  : std::max({instructions_.front().earliest, free_from_, retry_});
  }

  std::size_t capacity_;
  RingQueue<QueuedInstruction> instructions_;
  Cycle next_ = Cycle::never();
  Cycle free_from_;            ///< See free_from().
  Cycle retry_;                ///< When an access that has stalled is retried.
  Cycle started_;              ///< When the first instruction made its first access.
  Stall stall_ = Stall::none;  ///< Why the last attempt failed.
  Cycle stalled_from_;         ///< When it failed.
  EnumArray<Stall, std::uint64_t, values_up_to(Stall::bank_busy)> stalled_{};  ///< In cycles.
};

}  // namespace heddle::sm
