#pragma once

// The atomics on global memory that are in flight, by warp slot. One atomic here consists of the
// operations of one instruction for the lanes of one static warp (32 threads with consecutive
// numbers). An instruction of a large or formed warp has one for each of its static warps.

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

/// An atomic in flight, which memory partitions perform.
struct InFlightAtomic final : memory::AtomicWork {
  void perform(LaneMask lanes) override {
    work.perform(lanes);
    performed.fetch_or(lanes.bits(), std::memory_order_relaxed);
  }

  exec::DeferredAtomic work;
  /// The lanes whose operations have been performed, one bit each. Partitions on several host
  /// threads may set bits concurrently.
  std::atomic<std::uint32_t> performed = 0;
  exec::Warp* static_warp = nullptr;              ///< The static warp of its lanes.
  std::uint32_t next = kNoAtomic;                 ///< The next atomic of the same slot.
  std::uint32_t next_of_instruction = kNoAtomic;  ///< The next atomic of the same instruction.
};

class AtomicsInFlight {
 public:
  /// Adds an atomic of a static warp and returns its number. The caller must set its `work`, and
  /// then pass the number to mark_sent() or discard().
  std::uint32_t add(exec::Warp& static_warp);
  /// Removes an atomic that has not been sent.
  void discard(std::uint32_t number) { free_.push_back(number); }
  InFlightAtomic& operator[](std::uint32_t number) { return *atomics_[number]; }

  /// Notes that the atomics of an instruction have been sent. They are a list, linked by
  /// InFlightAtomic::next_of_instruction, that begins with `first_atomic`.
  void mark_sent(WarpSlot warp, std::uint32_t first_atomic);
  /// Removes the atomics of an instruction, all of which have been performed, after writing the old
  /// values to its registers. `first_atomic`: as for mark_sent().
  void retire(WarpSlot warp, std::uint32_t first_atomic);

  /// All atomics in flight. Called between epochs.
  std::vector<exec::AtomicInFlight> in_flight() const;
  /// Whether the warp has any atomic in flight.
  bool has_any(WarpSlot warp) const { return (in_flight_ & set_of(warp)) != 0; }
  /// Whether an active lane of the static warp will access bytes for which the same lane has an
  /// atomic in flight. The addresses are those in static_warp.context.
  bool overlaps(WarpSlot warp, const exec::Warp& static_warp, std::uint32_t bytes_per_lane) const;

 private:
  WarpSet in_flight_ = 0;  ///< Slots with atomics in flight.
  std::array<std::uint32_t, kMaxWarps> first_atomics_ = all_none();  ///< By slot.
  std::vector<std::unique_ptr<InFlightAtomic>> atomics_;             ///< By number.
  std::vector<std::uint32_t> free_;  ///< Numbers that are not in use.

  static constexpr std::array<std::uint32_t, kMaxWarps> all_none() {
    std::array<std::uint32_t, kMaxWarps> none{};
    none.fill(kNoAtomic);
    return none;
  }
};

}  // namespace heddle::sm
