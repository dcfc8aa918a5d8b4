#pragma once

// Atomics on their way to memory and back, each of one row of 32 threads, by the warp's slot.

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "exec/block/warp.h"
#include "exec/livelock/atomic_under_way.h"
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
  /// Its lanes that have been, by several partitions at once.
  std::atomic<std::uint32_t> performed = 0;
  exec::Warp* row = nullptr;                      ///< Whose it is.
  std::uint32_t next = kNoAtomic;                 ///< Of the same slot's.
  std::uint32_t next_of_instruction = kNoAtomic;  ///< Of the same instruction's.
};

class AtomicsInFlight {
 public:
  /// One for a row, to be captured: then it is sent, or discarded.
  std::uint32_t add(exec::Warp& row);
  void discard(std::uint32_t number) { free_.push_back(number); }
  InFlightAtomic& operator[](std::uint32_t number) { return *atomics_[number]; }

  /// Those of an instruction, a list from `first` on, have been sent for a slot's warp.
  void sent(WarpSlot warp, std::uint32_t first);
  /// They have been performed: their old values go to their registers.
  void take_back(WarpSlot warp, std::uint32_t first);

  /// All of them, between epochs.
  std::vector<exec::AtomicUnderWay> under_way() const;
  bool any(WarpSlot warp) const { return (in_flight_ & set_of(warp)) != 0; }
  /// Whether one of the row's active lanes is about to access bytes that it has an atomic of that
  /// warp in flight to.
  bool meets(WarpSlot warp, const exec::Warp& row, std::uint32_t bytes_per_lane) const;

 private:
  WarpSet in_flight_ = 0;
  std::array<std::uint32_t, kMostWarps> first_ = all_none();
  std::vector<std::unique_ptr<InFlightAtomic>> atomics_;
  std::vector<std::uint32_t> free_;

  static constexpr std::array<std::uint32_t, kMostWarps> all_none() {
    std::array<std::uint32_t, kMostWarps> none{};
    none.fill(kNoAtomic);
    return none;
  }
};

}  // namespace heddle::sm
