#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/host_lines.h"
#include "exec/block/barrier.h"
#include "exec/block/vector_register.h"
#include "exec/block/warp.h"
#include "exec/fault/fault.h"
#include "exec/launch.h"

namespace heddle::exec {

class DeferredAtomic;
class EpochStores;

/// One running block of a launch: its warps, their registers, its memories and barriers. The object
/// can be reused: start() begins another block of the grid.
///
/// Either run() executes the block functionally, or a timing model calls step() for each
/// instruction of each warp.
class Block {
 public:
  explicit Block(const Launch& launch);
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  /// Sets the multiprocessor that the block runs on, and the buffer for its stores to global memory
  /// (null: memory is written at once). Takes effect at the next start().
  void place_on(std::uint32_t sm, std::uint32_t sm_count, EpochStores* stores = nullptr) {
    sm_ = sm;
    sm_count_ = sm_count;
    stores_ = stores;
  }
  /// From the next start() on, each warp keeps the addresses of its last memory access. By default
  /// they are valid only until another warp accesses memory.
  void keep_addresses_per_warp() { keeps_addresses_per_warp_ = true; }
  /// Starts the running block `index` of the launch (see Launch::running_blocks()).
  void start(std::uint64_t index);
  /// Executes at most `budget` warp instructions, and returns how many. The warps take turns.
  /// Throws SimulatedFault.
  std::uint64_t run(std::uint64_t budget);

  /// Executes the next instruction of a warp that is in running_warps(). Afterwards, these members
  /// of the warp's context describe the step: path_active has the lanes that were at the
  /// instruction, and active those whose guard was true. If the instruction accessed memory,
  /// address() has their addresses. The caller sets the time that the program sees (clock and
  /// nanoseconds). Throws SimulatedFault.
  void step(Warp& warp) { execute(warp, enter(warp)); }
  // step() in parts, for a caller that inspects the instruction before it is executed.
  /// Returns the instruction that the warp executes next, and prepares the warp's context for it.
  const Decoded& enter(Warp& warp) const { return enter(warp, warp.stack.top().pc); }
  /// As above, for a caller that already knows the top entry's `pc`.
  const Decoded& enter(Warp& warp, std::uint32_t pc) const;
  /// Executes the instruction that enter() returned. Throws SimulatedFault.
  void execute(Warp& warp, const Decoded& decoded);
  /// Advances past an instruction that was executed by other means.
  static void skip(Warp& warp, const Decoded& decoded) { warp.stack.advance(decoded.index + 1); }
  /// Prefetches into the host's cache the registers that the warp needs for a step at `pc`.
  void prefetch_step(const Warp& warp, std::uint32_t pc) const;
  /// As step(), for an atomic on global memory: captures the access in `atomic`, to be performed
  /// later. Returns false and does nothing if the atomic cannot be deferred
  /// (DeferredAtomic::capture).
  bool step_atomic(Warp& warp, DeferredAtomic& atomic);
  /// The first half of step_atomic(): the context has already been prepared for the step at `pc`.
  bool capture_atomic(Warp& warp, std::uint32_t pc, DeferredAtomic& atomic);
  /// The warps that can be stepped, and those that wait at a barrier: a bit for each warp, by its
  /// index in warps(). A finished warp is in neither.
  std::uint32_t running_warps() const { return running_; }
  std::uint32_t waiting_warps() const { return waiting_; }

  bool finished() const { return (running_ | waiting_) == 0; }
  /// The block's index in the program's grid, and the number within that block of warps()[0], which
  /// differs from 0 if warps run as blocks of their own (Launch::splits_blocks_into_warps).
  std::uint64_t index() const { return index_; }
  std::uint32_t first_warp() const { return first_warp_; }
  std::uint64_t warp_instructions() const;
  std::uint64_t thread_instructions() const;
  const Launch& launch() const { return launch_; }
  const std::vector<Warp>& warps() const { return warps_; }
  Warp& warp(std::uint32_t number) { return warps_[number]; }
  const std::array<Barrier, kBarriers>& barriers() const { return barriers_; }
  /// The number of threads in unfinished warps: a barrier without a thread count waits for these.
  std::uint32_t unfinished_threads() const {
    return static_cast<std::uint32_t>(std::popcount(running_ | waiting_)) * 32;
  }

  // -- barrier.cpp --------------------------------------------------------------------------------
  /// Executes a `barrier` instruction for the active lanes of the warp's top stack entry.
  void arrive_at_barrier(Warp& warp, const Decoded& decoded);
  // arrive_at_barrier() in parts, for a ThreadControl.
  /// Reads and checks the barrier operands of the active lanes. Raises a LaneFault.
  BarrierCall read_barrier_call(const Warp& warp, const Decoded& decoded) const;
  /// Adds the active lanes' predicates to the result of bar.red.
  void accumulate_votes(const BarrierCall& call, const WarpContext& context,
                        const Decoded& decoded);
  /// Makes the warp wait until the barrier is released.
  void wait_at_barrier(Warp& warp, const BarrierCall& call);
  /// Counts one more warp as arrived, whether it waits or not. Releases the barrier if that was the
  /// last one.
  void count_arrival(const BarrierCall& call);
  /// Writes the result of bar.red at `pc` to the registers of lanes that are released.
  void write_barrier_result(Warp& warp, std::uint32_t pc, LaneMask lanes, const Barrier& done);
  /// Marks a warp as finished: all its threads have exited.
  void finish_warp(Warp& warp);

 private:
  /// The warp's bit in running_warps() and waiting_warps().
  std::uint32_t bit_of(const Warp& warp) const {
    return std::uint32_t{1} << (warp.identity.warp - first_warp_);
  }
  void release_barrier(std::uint32_t id);
  std::uint32_t select_warp();
  void run_warp(Warp& warp, std::uint64_t budget);
  void step_control(Warp& warp, const Decoded& decoded);
  static void enter_path(Warp& warp);
  static void enter_function(Warp& warp);
  [[noreturn]] void raise_deadlock() const;
  [[noreturn]] void raise_fault(const Warp& warp, std::uint32_t pc, const LaneFault& fault) const;

  const Launch& launch_;
  const Decoded* code_ = nullptr;  ///< By program counter.
  std::uint64_t index_ = 0;
  std::uint32_t first_warp_ = 0;
  std::uint32_t running_ = 0;
  std::uint32_t waiting_ = 0;
  std::uint32_t next_turn_ = 0;  ///< The warp at which run() begins to search for a running warp.
  std::uint32_t sm_ = 0;
  std::uint32_t sm_count_ = 1;
  EpochStores* stores_ = nullptr;
  bool keeps_addresses_per_warp_ = false;
  std::vector<Warp> warps_;
  std::vector<AccessScratch> access_scratch_;
  std::vector<VectorRegister> registers_;
  std::vector<std::uint32_t> predicates_;
  std::vector<VectorRegister> local_;
  std::vector<VectorRegister> shared_;  ///< Bytes; the element type only sets their alignment.
  std::array<Barrier, kBarriers> barriers_{};
};

/// Copies the lanes of the warp's top stack entry to its context.
inline void Block::enter_path(Warp& warp) {
  WarpContext& context = warp.context;
  context.path_active = warp.stack.top().mask.bits();
}

/// Copies the running function's stack frame to the warp's context. Only control instructions
/// change it.
inline void Block::enter_function(Warp& warp) {
  const CallFrame& frame = warp.stack.frame();
  warp.context.frame_base = frame.base;
  warp.context.frame_top = frame.top;
}

inline const Decoded& Block::enter(Warp& warp, std::uint32_t pc) const {
  assert(pc == warp.stack.top().pc);
  enter_path(warp);
  const Decoded& decoded = code_[pc];
  warp.context.active = warp.context.path_active & warp.context.predicate(decoded.guard);
  return decoded;
}

// Always inlined: the compiler would drop a call to it as free of side effects.
[[gnu::always_inline]] inline void Block::prefetch_step(const Warp& warp, std::uint32_t pc) const {
  const Decoded& decoded = code_[pc];
  const auto fetch_register = [&](OperandRef ref) {
    if (ref.present()) prefetch_lines(warp.context.lanes(ref), sizeof(VectorRegister));
  };
  fetch_register(decoded.source[0]);
  fetch_register(decoded.source[1]);
  fetch_register(decoded.source[2]);
  fetch_register(decoded.destination[0]);
  __builtin_prefetch(warp.context.predicates);
}

inline void Block::execute(Warp& warp, const Decoded& decoded) {
  try {
    if (decoded.control) return step_control(warp, decoded);
    if (warp.context.active != 0) decoded.handler(warp.context, decoded);
  } catch (const LaneFault& fault) {
    raise_fault(warp, decoded.index, fault);
  }
  skip(warp, decoded);
  if (warp.stack.finished()) finish_warp(warp);
}

}  // namespace heddle::exec
