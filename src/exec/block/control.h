#pragma once

#include "exec/block/block.h"
#include "exec/block/warp.h"

namespace heddle::exec {

/// A warp with a reconvergence stack of its own, as a Group of Control (below). The path is the set
/// of threads that are at the instruction to execute.
class SoloWarp {
 public:
  using Threads = LaneMask;
  using Flow = ReconvergenceStack;

  SoloWarp(Block& block, Warp& warp) : block_(block), warp_(warp) {}

  const Launch& launch() const { return block_.launch(); }
  /// The control flow of the warp's threads: where they continue, and the frames of their calls.
  Flow& flow() { return warp_.stack; }
  /// The threads on the path whose guard is true.
  Threads active() const { return LaneMask(warp_.context.active); }
  /// The threads on the path whose guard is false.
  Threads inactive() const { return LaneMask(warp_.context.path_active).without(active()); }
  /// Calls each(context, threads) for every static warp (a warp as the program knows it) with
  /// threads on the path. `context` is that warp's WarpContext; threads(lanes) converts lanes of
  /// that warp to Threads. Here there is one static warp.
  template <class Each>
  void for_each_static_warp(Each each) {
    each(warp_.context, [](LaneMask lanes) { return lanes; });
  }
  /// Executes a `barrier` instruction.
  void arrive_at_barrier(const Decoded& decoded) { block_.arrive_at_barrier(warp_, decoded); }
  /// Executes a `warp_sync` instruction (bar.warp.sync).
  void warp_sync(const Decoded& decoded);

 private:
  Block& block_;
  Warp& warp_;
};

/// Executes control instructions for a group of threads: branches, calls, barriers, stack
/// operations, and calls into the run-time system. `Group` is SoloWarp, LargeWarpThreads or
/// StacklessThreads (exec/divergence).
template <class Group>
class Control {
 public:
  explicit Control(Group& group) : group_(group) {}

  /// Executes the instruction and advances the threads. Raises a LaneFault.
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
  /// Raises a LaneFault if a stack of `top` bytes exceeds a thread's local memory.
  void check_stack(std::uint64_t top, int lane) const;
  /// Calls each(context, lane, thread) for every active thread; thread() returns a Threads that
  /// contains only this thread.
  template <class Each>
  void for_each_active(Each each);

  const Launch& launch() const { return group_.launch(); }

  Group& group_;
};

}  // namespace heddle::exec
