#pragma once

#include "exec/block.h"
#include "exec/warp.h"

namespace heddle::exec {

/// Executes a warp's control instructions: those that move its program counter, part and join its
/// threads, or call into the run-time system. `context.active` holds the lanes that execute it.
class Control {
 public:
  Control(Block& block, Warp& warp) : block_(block), warp_(warp) {}

  void execute(const Decoded& decoded);

 private:
  void branch(const Decoded& decoded, const code::Instruction& instruction);
  void branch_indexed(const Decoded& decoded, const code::Instruction& instruction);
  void call(std::uint32_t function, LaneMask lanes, const ReconvergenceStack::Frame& caller);
  void call_indirect(const Decoded& decoded);
  void warp_sync(const Decoded& decoded);
  void allocate_stack(const Decoded& decoded);
  void read_stack_pointer(const Decoded& decoded);
  void restore_stack(const Decoded& decoded);
  void system_call(const Decoded& decoded, const code::Instruction& instruction);
  void check_stack(std::uint64_t top, LaneMask lanes) const;

  const Launch& launch() const { return block_.launch(); }
  LaneMask active() const { return LaneMask(warp_.context.active); }

  Block& block_;
  Warp& warp_;
};

}  // namespace heddle::exec
