#pragma once

#include <cstdint>
#include <vector>

#include "base/lane_mask.h"
#include "exec/block/block.h"
#include "exec/block/vector_register.h"
#include "exec/block/warp.h"
#include "exec/block/warp_context.h"

namespace heddle::exec {

/// A shadow of a warp: a copy of its registers, predicates and control flow, on which later
/// instructions of the warp can be executed. The warp and its memories stay as they are: an
/// instruction that would change memory, or wait for other warps, must be skipped. Memory is read
/// as the warp itself would read it, with the multiprocessor's buffered stores.
///
/// One object can be the shadow of one warp after another. It keeps its storage.
class ShadowWarp {
 public:
  /// Becomes a copy of `warp`, a warp of `block` with a reconvergence stack. The block must not end
  /// while the copy is used.
  void copy(Block& block, const Warp& warp);

  /// Whether all threads have exited.
  bool finished() const { return warp_.stack.finished(); }
  /// The next instruction; not if finished().
  std::uint32_t pc() const { return warp_.stack.top().pc; }
  /// The threads that have not exited.
  LaneMask live() const { return warp_.stack.live(); }

  // -- the next instruction -----------------------------------------------------------------------
  /// Prepares the context for the next instruction. Called before the following functions.
  void enter() { decoded_ = &block_->enter(warp_); }
  /// The lanes at the instruction, and those of them whose guard is true.
  LaneMask path() const { return LaneMask(warp_.context.path_active); }
  LaneMask active() const { return LaneMask(warp_.context.active); }
  /// Whether it changes the control flow: see Decoded::is_control.
  bool is_control() const { return decoded_->is_control; }
  /// For a load: computes the addresses of the active lanes. Returns whether each of them is
  /// aligned for `bytes` bytes and, if it is in device memory, whether these bytes are allocated.
  bool find_addresses(std::uint32_t bytes);
  /// After find_addresses(): the active lanes whose addresses are in device memory.
  LaneMask lanes_in_device_memory() const;
  /// By lane: the addresses that find_addresses() or execute() has computed.
  const std::array<std::uint64_t, 32>& addresses() const { return accesses_.address; }
  /// Executes the instruction, which must not write memory, wait at a barrier or need the chip.
  /// Returns false, and changes nothing, if it faults.
  bool execute();
  /// Advances past the instruction without executing it.
  void skip() { Block::skip(warp_, *decoded_); }

  /// The registers and predicates of the copy.
  const WarpContext& context() const { return warp_.context; }
  /// The value of a register in a lane, for tests.
  std::uint32_t value(std::uint32_t number, int lane) const {
    return warp_.context.lanes({OperandRef::Base::registers, number})[lane];
  }

 private:
  void execute_control();

  AccessScratch accesses_;
  Warp warp_;
  Block* block_ = nullptr;
  const Decoded* decoded_ = nullptr;  ///< The next instruction, after enter().
  std::vector<VectorRegister> registers_;
  std::vector<std::uint32_t> predicates_;
};

}  // namespace heddle::exec
