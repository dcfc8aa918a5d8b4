#pragma once

#include "exec/block/block.h"
#include "exec/block/warp.h"

namespace heddle::exec {

/// A warp that executes control instructions for itself: what Control does it to.
class SoloWarp {
 public:
  using Threads = LaneMask;
  using Flow = ReconvergenceStack;

  SoloWarp(Block& block, Warp& warp) : block_(block), warp_(warp) {}

  const Launch& launch() const { return block_.launch(); }
  /// Where its threads go on.
  Flow& flow() { return warp_.stack; }
  /// Those that execute the instruction, as the guard lets them.
  Threads active() const { return LaneMask(warp_.context.active); }
  /// Those that do not, on the same path.
  Threads others() const { return LaneMask(warp_.context.path_active).without(active()); }
  /// f(context, threads) for each row of 32 that has threads on the path; threads(lanes) are the
  /// threads of some of its lanes.
  template <class Each>
  void for_each_row(Each each) {
    each(warp_.context, [](LaneMask lanes) { return lanes; });
  }
  void arrive_at_barrier(const Decoded& decoded) { block_.arrive_at_barrier(warp_, decoded); }
  void warp_sync(const Decoded& decoded);

 private:
  Block& block_;
  Warp& warp_;
};

/// Executes the control instructions of a `Group` of threads, as SoloWarp is one: those that move
/// its program counter, part and join its threads, or call into the run-time system.
template <class Group>
class Control {
 public:
  explicit Control(Group& group) : group_(group) {}

  void execute(const Decoded& decoded);

 private:
  using Threads = typename Group::Threads;
  using Flow = typename Group::Flow;

  void branch_indexed(const Decoded& decoded, const code::Instruction& instruction);
  void call(std::uint32_t function, const Threads& threads, const CallFrame& caller);
  void call_indirect(const Decoded& decoded);
  void allocate_stack(const Decoded& decoded);
  void read_stack_pointer(const Decoded& decoded);
  void restore_stack(const Decoded& decoded);
  void system_call(const Decoded& decoded, const code::Instruction& instruction);
  void check_stack(std::uint64_t top, int lane) const;
  /// f(context, lane, thread) for each thread that executes the instruction.
  template <class Each>
  void for_each_active(Each each);

  const Launch& launch() const { return group_.launch(); }

  Group& group_;
};

}  // namespace heddle::exec
