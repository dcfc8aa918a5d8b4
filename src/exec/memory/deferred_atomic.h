#pragma once

#include <array>
#include <cstdint>

#include "base/lane_mask.h"
#include "exec/decoded.h"
#include "exec/memory/atomics.h"

namespace heddle::exec {

struct WarpContext;

/// A warp's atomic on global memory. Its operands are captured when the instruction issues. It is
/// performed later, when the request arrives at memory, perhaps by another host thread.
class DeferredAtomic {
 public:
  /// Captures the addresses and operands of the active lanes. Returns false, and captures nothing,
  /// if the atomic must be executed at once: if a lane has several elements, or an address that is
  /// not in global memory. Raises the same LaneFaults as the instruction's handler.
  bool capture(WarpContext& context, const Decoded& decoded);
  /// After capture() has returned false: whether the addresses of all active lanes are in shared
  /// memory. Such an atomic affects only the block.
  bool in_shared_memory() const { return in_shared_memory_; }

  /// Performs the atomics of some captured lanes on global memory, in ascending order of lanes. The
  /// caller must perform each captured lane once. The function uses only captured data, so any host
  /// thread that has exclusive access to the lanes' memory may call it.
  void perform(LaneMask lanes) { action_(elements_, lanes.bits()); }
  /// Writes the old values of all captured lanes to the destination register, if there is one.
  /// `context` is the context of the captured warp.
  void deliver(const WarpContext& context) const;

  /// The captured lanes.
  LaneMask lanes() const { return lanes_; }
  /// The addresses, by lane; valid only for captured lanes.
  const std::array<std::uint64_t, 32>& addresses() const { return elements_.address; }
  /// The number of bytes that each lane accesses: 2, 4 or 8.
  std::uint32_t bytes() const { return bytes_; }
  /// Whether the instruction returns the old values.
  bool wants_old_values() const { return destination_.present(); }

 private:
  AtomicAction action_ = nullptr;
  LaneMask lanes_;
  std::uint32_t bytes_ = 4;
  OperandRef destination_;
  bool in_shared_memory_ = false;
  AtomicElements elements_;
};

}  // namespace heddle::exec
