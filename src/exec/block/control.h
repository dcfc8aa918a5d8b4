#pragma once

#include "exec/block/block.h"
#include "exec/block/warp.h"

namespace heddle::exec {

/// A warp with a reconvergence stack of its own, in the form that Control needs for its `Group`.
class SoloWarp {
 public:
  using Threads = LaneMask;
  using Flow = ReconvergenceStack;

  SoloWarp(Block& block, Warp& warp) : block_(block), warp_(warp) {}

  const Launch& launch() const { return block_.launch(); }
  /// The state of its threads' control flow.
  Flow& flow() { return warp_.stack; }
  /// The threads on the path whose guard is true.
  Threads active() const { return LaneMask(warp_.context.active); }
  /// The threads on the path whose guard is false.
  Threads others() const { return LaneMask(warp_.context.path_active).without(active()); }
  /// Calls each(context, threads) for every static warp with threads on the path; threads(lanes)
  /// converts lanes of that warp to Threads.
  template <class Each>
  void for_each_static_warp(Each each) {
    each(warp_.context, [](LaneMask lanes) { return lanes; });
  }
  void arrive_at_barrier(const Decoded& decoded) { block_.arrive_at_barrier(warp_, decoded); }
  void warp_sync(const Decoded& decoded);

 private:
  Block& block_;
  Warp& warp_;
};

/// Executes the control instructions of a `Group` of threads, such as a SoloWarp: branches, calls,
/// barriers, stack operations, and calls into the run-time system.
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
  /// Calls each(context, lane, thread) for every active thread; thread() returns it as Threads.
  template <class Each>
  void for_each_active(Each each);

  const Launch& launch() const { return group_.launch(); }

  Group& group_;
};

}  // namespace heddle::exec
