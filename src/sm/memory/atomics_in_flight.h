#pragma once

// The atomics on global memory that are in flight, by warp slot. An atomic here is what one
// instruction does for lanes of one static warp: a large or formed warp's instruction has several.

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "exec/block/warp.h"
#include "exec/livelock/atomic_in_flight.h"
#include "exec/memory/deferred_atomic.h"
#include "memory/request.h"
#include "sm/ids.h"
#include "sm/memory/memory_pass.h"

namespace heddle::sm {

struct InFlightAtomic final : memory::AtomicWork {
  void perform(LaneMask lanes) override {
    work.perform(lanes);
    performed.fetch_or(lanes.bits(), std::memory_order_relaxed);
  }

  exec::DeferredAtomic work;
  /// The lanes whose atomics have been performed. Several partitions may set bits concurrently.
  std::atomic<std::uint32_t> performed = 0;
  exec::Warp* static_warp = nullptr;              ///< The static warp of its lanes.
  std::uint32_t next = kNoAtomic;                 ///< The next atomic of the same slot.
  std::uint32_t next_of_instruction = kNoAtomic;  ///< The next atomic of the same instruction.
};

class AtomicsInFlight {
 public:
  /// Adds an atomic of a static warp and returns its number. The caller fills in its `work`, and
  /// then passes the number to mark_sent() or discard().
  std::uint32_t add(exec::Warp& static_warp);
  void discard(std::uint32_t number) { free_.push_back(number); }
  InFlightAtomic& operator[](std::uint32_t number) { return *atomics_[number]; }

  /// Notes that an instruction's atomics have been sent. `first` is the first of a list that is
  /// linked by InFlightAtomic::next_of_instruction.
  void mark_sent(WarpSlot warp, std::uint32_t first);
  /// Writes the old values of an instruction's atomics, which have been performed, to registers,
  /// and removes the atomics.
  void retire(WarpSlot warp, std::uint32_t first);

  /// All atomics in flight. Called between epochs.
  std::vector<exec::AtomicInFlight> in_flight() const;
  bool any(WarpSlot warp) const { return (in_flight_ & set_of(warp)) != 0; }
  /// Whether an active lane of the static warp will access bytes to which the same lane has an
  /// atomic in flight.
  bool overlaps(WarpSlot warp, const exec::Warp& static_warp, std::uint32_t bytes_per_lane) const;

 private:
  WarpSet in_flight_ = 0;                                     ///< Slots with atomics in flight.
  std::array<std::uint32_t, kMostWarps> first_ = all_none();  ///< Of each slot's list.
  std::vector<std::unique_ptr<InFlightAtomic>> atomics_;      ///< By number.
  std::vector<std::uint32_t> free_;                           ///< Numbers that are not in use.

  static constexpr std::array<std::uint32_t, kMostWarps> all_none() {
    std::array<std::uint32_t, kMostWarps> none{};
    none.fill(kNoAtomic);
    return none;
  }
};

}  // namespace heddle::sm
