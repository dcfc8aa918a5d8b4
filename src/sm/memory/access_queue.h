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
#include "memory/coalescer.h"
#include "memory/request.h"
#include "sm/memory/write_policy.h"
#include "trace/event.h"

namespace heddle::sm {

/// An instruction on its way to memory: what is left of it after its addresses.
struct QueuedInstruction {
  enum class Kind : std::uint8_t {
    load,
    uncached_load,
    store,
    atomic,
    scratchpad,  ///< Its one access holds the pipe for as long as it has passes.
  };

  Kind kind = Kind::load;
  Cycle earliest;              ///< For its first access.
  std::uint32_t shortest = 1;  ///< The cycles that it holds the pipe for at least.
  bool completes = true;       ///< All but stores.
  std::uint32_t load = 0;      ///< Its number among those under way, if it completes.
  memory::Segments segments;   ///< Its accesses.
  std::uint32_t next = 0;      ///< Of the segments.
  trace::Origin origin{};      ///< For traces.

  WritePolicy writes = WritePolicy::through;  ///< Of a store.

  // Of an atomic.
  std::uint32_t bytes_per_lane = 0;
  bool wants_old_values = false;
  memory::AtomicWork* work = nullptr;
  std::array<std::uint8_t, kWarpSize> passes{};  ///< Of each segment.
};

/// Instructions of which the first makes its accesses, one in a cycle, and the others wait.
class AccessQueue {
 public:
  /// What an access may wait for.
  enum class Stall : std::uint8_t { none, mshrs_full, merges_full, set_pending, send_full };

  explicit AccessQueue(std::uint32_t capacity) : capacity_(capacity), instructions_(capacity) {}

  bool full() const { return instructions_.size() >= capacity_; }
  bool empty() const { return instructions_.empty(); }
  /// Where the next instruction is built, and left if it does not have to wait here.
  QueuedInstruction& draft() { return instructions_.draft(); }
  void append_draft() { instructions_.append(); }

  /// Whether an access at `at` has nothing before it.
  bool is_free_at(Cycle at) const { return instructions_.empty() && free_from_ <= at; }
  /// An instruction that has nothing before it makes its accesses from `at`.
  void pass_by(Cycle at, std::uint32_t cycles) { free_from_ = at + Cycles(cycles); }

  /// When the next access happens, or is tried again; never() if it waits for a fill.
  Cycle next() const {
    if (instructions_.empty()) return Cycle::never();
    return std::max({instructions_.front().earliest, free_from_, retry_});
  }
  /// The first instruction's last access is no sooner.
  Cycle last_of_first() const {
    const Cycle at = next();
    if (at == Cycle::never()) return at;
    const QueuedInstruction& first = instructions_.front();
    return at + Cycles(first.segments.size() - first.next - 1);
  }

  QueuedInstruction& first() { return instructions_.front(); }
  /// The next access is tried at `at`: what it may have waited for is counted.
  void attempt(Cycle at) {
    if (stall_ == Stall::none) return;
    stalled_[stall_] += (at - stalled_from_).count;
    stall_ = Stall::none;
  }
  /// It happens.
  void advance(Cycle at) {
    QueuedInstruction& first = instructions_.front();
    if (first.next == 0) started_ = at;
    free_from_ = at + Cycles(1);
    if (++first.next < first.segments.size()) return;
    free_from_ = std::max(free_from_, started_ + Cycles(first.shortest));
    instructions_.pop();
  }
  /// It does not, and is tried again at `retry`.
  void stall(Stall cause, Cycle at, Cycle retry) {
    stall_ = cause;
    stalled_from_ = at;
    retry_ = retry;
  }
  /// A fill has come: what it may have freed is worth a try.
  void retry(Cycle at) {
    if (retry_ == Cycle::never()) retry_ = at;
  }

  void declare(CounterList& counters) {
    const auto add = [&](std::string_view name, Stall cause, std::string_view meaning) {
      counters.add(name, stalled_[cause], "core cycles", meaning);
    };
    add("mshrs_full_cycles", Stall::mshrs_full, "in which an access waited for a free MSHR");
    add("merges_full_cycles", Stall::merges_full,
        "in which an access waited because too many others waited for its line");
    add("set_pending_cycles", Stall::set_pending,
        "in which an access waited because all lines of its set were being fetched");
    add("send_full_cycles", Stall::send_full,
        "in which an access waited for the port to the crossbar");
  }

 private:
  std::size_t capacity_;
  RingQueue<QueuedInstruction> instructions_;
  Cycle free_from_;  ///< For the next access.
  Cycle retry_;
  Cycle started_;  ///< The first instruction's first access.
  Stall stall_ = Stall::none;
  Cycle stalled_from_;
  EnumArray<Stall, std::uint64_t, values_up_to(Stall::send_full)> stalled_{};  ///< Cycles.
};

}  // namespace heddle::sm
