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
#include "exec/observation/observed_access.h"

namespace heddle::exec {

class DeferredAtomic;
class EpochStores;

/// One running block of a launch, with its warps, their registers, its memories and its barriers. A
/// running block is a block of the program or, with Launch::splits_blocks_into_warps, one warp of
/// it. The object can be reused: start() begins another running block.
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
    if (sm == sm_ && sm_count == sm_count_ && stores == stores_) return;
    sm_ = sm;
    sm_count_ = sm_count;
    stores_ = stores;
    prepared_first_warp_ = code::kNone;
  }
  /// From the next start() on, each warp keeps the addresses of its last memory access. By default,
  /// these addresses are valid only until another warp of the block accesses memory.
  void keep_addresses_per_warp() {
    if (keeps_addresses_per_warp_) return;
    keeps_addresses_per_warp_ = true;
    prepared_first_warp_ = code::kNone;
  }
  /// From the next start() on, accesses are reported to `observer` instead of the launch's own
  /// observer, which must not be null.
  void report_accesses_to(AccessObserver& observer) { access_report_.observer = &observer; }
  /// Starts the running block with number `index`, from 0 to Launch::running_blocks() - 1.
  void start(std::uint64_t index);
  /// Executes at most `budget` warp instructions, without timing. Returns how many were executed;
  /// it is less than `budget` only if the block has finished. The warps take turns. Throws
  /// SimulatedFault.
  std::uint64_t run(std::uint64_t budget);

  /// Executes the next instruction of a warp that is in running_warps(). Afterwards, the warp's
  /// context describes the step: `path_active` contains the lanes that were at the instruction, and
  /// `active` those of these lanes whose guard was true. If the instruction accessed memory,
  /// address() contains the addresses of the active lanes. The caller sets the time that the
  /// program sees (`clock` and `nanoseconds`). Throws SimulatedFault.
  void step(Warp& warp) { execute(warp, enter(warp)); }
  // enter() and execute() are the two halves of step(), for a caller that inspects the instruction
  // before it is executed.
  /// Returns the instruction that the warp executes next, and prepares the warp's context for it.
  const Decoded& enter(Warp& warp) const { return enter(warp, warp.stack.top().pc); }
  /// As above, for a caller that already knows the program counter of the stack's top entry.
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
  /// The part of step_atomic() after enter(): the context has already been prepared for the
  /// instruction at `pc`. The caller then calls skip().
  bool capture_atomic(Warp& warp, std::uint32_t pc, DeferredAtomic& atomic);
  /// The warps that can execute, and the warps that wait at a barrier. Bit i stands for warps()[i].
  /// A finished warp is in neither mask.
  std::uint32_t running_warps() const { return running_warps_; }
  std::uint32_t waiting_warps() const { return waiting_warps_; }

  bool finished() const { return (running_warps_ | waiting_warps_) == 0; }
  /// The index, in the grid, of the program's block to which the warps belong.
  std::uint64_t index() const { return index_; }
  /// The number of warps()[0] within that block: 0 unless Launch::splits_blocks_into_warps is set.
  std::uint32_t first_warp() const { return first_warp_; }
  // The instructions that run() has executed since start(). A warp instruction counts as one thread
  // instruction for each thread on its path.
  std::uint64_t warp_instructions() const;
  std::uint64_t thread_instructions() const;
  const Launch& launch() const { return launch_; }
  const std::vector<Warp>& warps() const { return warps_; }
  Warp& warp(std::uint32_t index) { return warps_[index]; }
  const std::array<Barrier, kBarriers>& barriers() const { return barriers_; }
  /// The threads of unfinished warps, 32 for each warp. A barrier without a thread count waits for
  /// this number of threads.
  std::uint32_t unfinished_threads() const {
    return static_cast<std::uint32_t>(std::popcount(running_warps_ | waiting_warps_)) * 32;
  }

  // -- barrier.cpp --------------------------------------------------------------------------------
  /// Executes a `barrier` instruction for the active lanes of the warp's top stack entry.
  void arrive_at_barrier(Warp& warp, const Decoded& decoded);
  // The steps of arrive_at_barrier(), for a ThreadControl (exec/divergence/thread_control.h).
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
  /// Writes the result of the barrier instruction at `pc`, if it is a bar.red, to the registers of
  /// `lanes`. `released` is the barrier as it was when it was released.
  void write_barrier_result(Warp& warp, std::uint32_t pc, LaneMask lanes, const Barrier& released);
  /// Marks a warp as finished. All its threads must have exited.
  void finish_warp(Warp& warp);

 private:
  /// The warp's bit in running_warps() and waiting_warps().
  std::uint32_t bit_of(const Warp& warp) const {
    return std::uint32_t{1} << (warp.identity.warp - first_warp_);
  }
  void prepare_warps();
  WarpIdentity identity_of(std::uint32_t number) const;
  void release_barrier(std::uint32_t id);
  std::uint32_t select_warp();
  void run_warp(Warp& warp, std::uint64_t budget);
  void step_control(Warp& warp, const Decoded& decoded);
  static void enter_path(Warp& warp);
  static void enter_function(Warp& warp);
  [[noreturn]] void raise_deadlock() const;
  [[noreturn]] void raise_fault(const Warp& warp, std::uint32_t pc, const LaneFault& fault) const;

  const Launch& launch_;
  const Decoded* code_ = nullptr;  ///< The program's decoded instructions, by program counter.
  std::uint64_t index_ = 0;
  std::uint32_t first_warp_ = 0;
  std::uint32_t running_warps_ = 0;  ///< As running_warps().
  std::uint32_t waiting_warps_ = 0;  ///< As waiting_warps().
  /// The first_warp() for which the warps were prepared; kNone if they must be prepared.
  std::uint32_t prepared_first_warp_ = code::kNone;
  std::uint32_t next_turn_ = 0;  ///< Index of the warp from which select_warp() searches.
  std::uint32_t sm_ = 0;
  std::uint32_t sm_count_ = 1;
  EpochStores* stores_ = nullptr;
  bool keeps_addresses_per_warp_ = false;
  AccessReport access_report_;
  std::vector<Warp> warps_;
  std::vector<AccessScratch> access_scratch_;  ///< One, or one for each warp.
  std::vector<VectorRegister> registers_;
  std::vector<std::uint32_t> predicates_;
  std::vector<VectorRegister> local_;   ///< Local memory; see MemoryView::local.
  std::vector<VectorRegister> shared_;  ///< Shared memory; the type only sets its alignment.
  std::array<Barrier, kBarriers> barriers_{};
  std::uint32_t barriers_in_use_ = 0;  ///< A bit for each barrier: Barrier::is_in_use().
};

/// Copies the lanes of the warp's top stack entry to its context.
inline void Block::enter_path(Warp& warp) {
  WarpContext& context = warp.context;
  context.path_active = warp.stack.top().mask.bits();
}

/// Copies the stack frame of the function that the warp executes to the warp's context. Only
/// control instructions change this frame.
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

// The function is always inlined. A call to it would be dropped: it has no side effects that the
// compiler knows of.
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
    if (decoded.is_control) return step_control(warp, decoded);
    if (warp.context.active != 0) decoded.handler(warp.context, decoded);
  } catch (const LaneFault& fault) {
    raise_fault(warp, decoded.index, fault);
  }
  skip(warp, decoded);
  if (warp.stack.finished()) finish_warp(warp);
}

}  // namespace heddle::exec
