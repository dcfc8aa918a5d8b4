#pragma once

#include <array>
#include <cstdint>

#include "base/lane_mask.h"
#include "exec/decoded.h"
#include "exec/memory/atomics.h"

namespace heddle::exec {

struct LaneContext;

/// A warp's atomic on global memory, taken where the instruction is issued and performed where it
/// arrives: at the memory, later, perhaps by another thread of the host.
class DeferredAtomic {
 public:
  /// Takes an atomic's addresses and operands for the active lanes, perhaps none. Raises a
  /// LaneFault as the instruction's handler does. False, and nothing is taken, where it can only be
  /// executed at once: it has several elements, or some lane's address is not in global memory.
  bool capture(LaneContext& context, const Decoded& decoded);
  /// Where capture() returned false: whether all active lanes' addresses are in shared memory, and
  /// nobody but the block is concerned.
  bool in_shared_memory() const { return in_shared_memory_; }

  /// Performs some of the lanes, ascending, on global memory; each lane once. It looks at nothing
  /// but what was captured, so any thread may do it that has the lanes' memory to itself.
  void perform(LaneMask lanes) { action_(elements_, lanes.bits()); }
  /// Writes what was in memory before to the destination register, if there is one, of all lanes
  /// captured, of the warp that `context` is of.
  void deliver(const LaneContext& context) const;

  LaneMask lanes() const { return lanes_; }
  /// Of the lanes captured, by lane.
  const std::array<std::uint64_t, 32>& addresses() const { return elements_.address; }
  /// Of one lane: 2, 4 or 8.
  std::uint32_t bytes() const { return bytes_; }
  /// Whether the program wants what was there before.
  bool wants_old_values() const { return destination_.present(); }

 private:
  AtomicAction action_ = nullptr;
  LaneMask lanes_;
  std::uint32_t bytes_ = 4;
  RowRef destination_;
  bool in_shared_memory_ = false;
  AtomicElements elements_;
};

}  // namespace heddle::exec
