#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/inline_vector.h"
#include "exec/block/block.h"
#include "exec/divergence/activations.h"
#include "exec/divergence/formed_threads.h"
#include "exec/divergence/thread_control.h"

namespace heddle::exec {

/// Executes threads that have a program counter each, and no reconvergence stack. The caller groups
/// them into formed warps (FormedThreads): threads of any static warps that are at the same
/// instruction. Dynamic warp formation (DWF) executes its threads in this way: Fung et al., as
/// described in Narasiman et al., Improving GPU Performance via Large Warps and Two-Level Warp
/// Scheduling, sections 4 and 6.
///
/// A static warp is a warp as the program knows it. Here it is a Warp whose own stack is not used.
/// Barriers and warp-wide instructions apply to static warps. A thread that arrives early at one
/// leaves its formed warp, and waits for the other threads of its static warp.
class StacklessThreads final : public ThreadControl {
 public:
  using Threads = LaneMask;  ///< Threads of one static warp.
  using Flow = StacklessThreads;
  using Side = ReconvergenceStack::Side;
  using Sides = InlineVector<Side, 33>;
  /// Threads of one static warp at one instruction.
  struct ThreadsAtPc {
    std::uint32_t static_warp = 0;
    LaneMask lanes;
    std::uint32_t pc = 0;
  };

  /// `static_warps`: the maximum number of static warps at once.
  explicit StacklessThreads(std::size_t static_warps) : static_warps_(static_warps) {}

  /// Adds a warp, whose block has just been started, as the static warp with number `static_warp`.
  /// Returns its threads.
  FormedThreads start(std::uint32_t static_warp, Block& block, Warp& warp);
  /// Prepares the contexts of the static warps for the instruction at threads.pc.
  void enter(const FormedThreads& threads);
  /// Executes the instruction, after enter(). Adds the program counters at which the threads
  /// continue to `sides`. Threads that wait or have exited are in no side. Throws SimulatedFault.
  void execute(const FormedThreads& threads, Sides& sides);
  Warp& warp(std::uint32_t static_warp) const { return *static_warps_[static_warp].warp; }
  Block& block(std::uint32_t static_warp) const { return *static_warps_[static_warp].block; }

  /// The stack frame of the function that a thread executes.
  const CallFrame& frame_of(std::uint32_t static_warp, int lane) const {
    return activations_.frame(
        static_warps_[static_warp].activation[static_cast<std::size_t>(lane)]);
  }
  /// The number of the last barrier at which threads of a static warp arrived.
  std::uint32_t barrier_of(std::uint32_t static_warp) const {
    return static_warps_[static_warp].barrier.id;
  }
  /// The waiting threads of a static warp, for messages.
  std::vector<ThreadsAtPc> waiting_threads(std::uint32_t static_warp) const;
  // The threads that have waited and can continue now, and the static warps that have finished. The
  // caller clears both lists.
  std::vector<ThreadsAtPc>& resumed() { return resumed_; }
  std::vector<std::uint32_t>& finished_static_warps() { return finished_static_warps_; }

  // The interface for Control (exec/block/control.h), with comments at SoloWarp and
  // BasicReconvergenceStack. It applies to the part that executes: the threads of one static warp
  // that are at the same instruction in the same call.
  const Launch& launch() const { return static_warp_->block->launch(); }
  Flow& flow() { return *this; }
  Threads active() const { return LaneMask(static_warp_->warp->context.active); }
  Threads inactive() const { return part_.without(active()); }
  template <class Each>
  void for_each_static_warp(Each each) {
    each(static_warp_->warp->context, [](LaneMask lanes) { return lanes; });
  }
  void arrive_at_barrier(const Decoded& decoded);
  void warp_sync(const Decoded& decoded) { wait_for_members(decoded); }
  void advance(std::uint32_t pc) { send(part_, pc); }
  void branch(Threads taken, std::uint32_t target, std::uint32_t next, std::uint32_t) {
    send(taken, target);
    send(part_.without(taken), next);
  }
  void branch_many(const Sides& sides, std::uint32_t) {
    for (const Side& side : sides) send(side.threads, side.target);
  }
  CallFrame& frame() { return activations_.frame(activation_); }
  std::size_t call_depth() const { return activations_.depth(activation_); }
  bool is_whole_call(Threads threads) const {
    return activations_.threads(activation_) == static_cast<std::uint32_t>(threads.count());
  }
  void return_to(std::uint32_t pc);
  void call(CallFrame caller, Threads threads, std::uint32_t target, std::uint32_t frame_bytes);
  void leave_function(Threads threads, std::uint32_t next);
  void exit(Threads threads, std::uint32_t next);

 private:
  /// Threads that wait, at a barrier or a warp-wide instruction, for other threads of their static
  /// warp.
  struct Waiting {
    LaneMask lanes;
    std::uint32_t pc = 0;
    bool at_barrier = false;
  };
  struct StaticWarp {
    Block* block = nullptr;
    Warp* warp = nullptr;
    LaneMask live;            ///< The threads that have not exited.
    bool in_calls = false;    ///< Whether its threads may be in different activations.
    bool is_counted = false;  ///< Whether a barrier counts it as arrived.
    BarrierCall barrier;      ///< The last barrier that its threads waited at.
    LaneMask arriving;        ///< Threads that have executed bar.arrive; cleared when all have.
    std::vector<Waiting> waiting;
    std::array<Activations::Index, 32> activation{};  ///< By lane.
  };

  void execute_part(StaticWarp& static_warp, LaneMask lanes, const Decoded& decoded);
  void execute_by_activation(StaticWarp& static_warp, LaneMask path, const Decoded& decoded);
  /// Adds to the sides that the lanes of the part continue at `pc`.
  void send(LaneMask lanes, std::uint32_t pc);
  void wait_for_members(const Decoded& decoded);
  void execute_warp_wide(StaticWarp& static_warp);
  LaneMask lanes_with_all_members(const StaticWarp& static_warp, const Waiting& waiting) const;
  void count_if_all_wait(StaticWarp& static_warp);
  void on_release(Warp& warp, const Barrier& released) override;
  void enter_part(StaticWarp& static_warp, LaneMask lanes, const Decoded& decoded);
  std::uint32_t number_of(const StaticWarp& static_warp) const {
    return static_cast<std::uint32_t>(&static_warp - static_warps_.data());
  }

  std::vector<StaticWarp> static_warps_;
  Activations activations_;
  Sides* sides_ = nullptr;  ///< The parameter of execute().
  std::vector<ThreadsAtPc> resumed_;
  std::vector<std::uint32_t> finished_static_warps_;

  // The part that executes.
  StaticWarp* static_warp_ = nullptr;
  LaneMask part_;
  Activations::Index activation_ = 0;
  std::uint32_t return_pc_ = 0;
};

}  // namespace heddle::exec
