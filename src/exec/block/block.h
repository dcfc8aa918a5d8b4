#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/host_lines.h"
#include "exec/block/barrier.h"
#include "exec/block/row.h"
#include "exec/block/warp.h"
#include "exec/fault/fault.h"
#include "exec/launch.h"

namespace heddle::exec {

class DeferredAtomic;
class EpochStores;

/// One running block of a launch: its warps, their registers, its memories and barriers. It is made
/// once and started for one block after another.
///
/// Either run() executes it without time, or whoever models time calls step() for one warp's next
/// instruction after another.
class Block {
 public:
  explicit Block(const Launch& launch);
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  /// The multiprocessor that the block runs on, and where its stores to global memory go (null:
  /// to memory at once). It holds from the next start() on.
  void place_on(std::uint32_t sm, std::uint32_t sm_count, EpochStores* stores = nullptr) {
    sm_ = sm;
    sm_count_ = sm_count;
    stores_ = stores;
  }
  /// From the next start() on, a warp's addresses stay until it accesses memory again, and not
  /// only until another one does.
  void keep_addresses_apart() { keeps_addresses_apart_ = true; }
  void start(std::uint64_t index);
  /// Runs for at most `budget` warp instructions, and returns how many it took. Its warps take
  /// turns.
  /// Throws SimulatedFault.
  std::uint64_t run(std::uint64_t budget);

  /// Executes the next instruction of a warp that is in running_warps(). Afterwards
  /// context.path_active has the lanes that were at the instruction, context.active those that the
  /// guard let execute it, and context.address() their addresses where it accessed memory. What the
  /// program sees of time (context.clock and nanoseconds) is the caller's to set. Throws
  /// SimulatedFault.
  void step(Warp& warp) { execute(warp, enter(warp)); }
  // The same in steps, for a caller that looks at what is about to be executed.
  /// The instruction that the warp executes next; its context is made ready for it.
  const Decoded& enter(Warp& warp) const { return enter(warp, warp.stack.top().pc); }
  /// As above; `pc` is the top entry's, which a caller may know sooner.
  const Decoded& enter(Warp& warp, std::uint32_t pc) const;
  /// Executes it. Throws SimulatedFault.
  void execute(Warp& warp, const Decoded& decoded);
  /// It has been executed otherwise.
  static void skip(Warp& warp, const Decoded& decoded) { warp.stack.advance(decoded.index + 1); }
  /// Lets the host fetch the registers that the warp will need for a step at `pc`.
  void prefetch_step(const Warp& warp, std::uint32_t pc) const;
  /// As step() for an atomic on global memory, but for the access, which is left in `atomic` to be
  /// performed later. False where the atomic is none that can be (DeferredAtomic::capture): then
  /// nothing has happened.
  bool step_atomic(Warp& warp, DeferredAtomic& atomic);
  /// The first half of it, where the context has been made ready for the step at `pc`.
  bool capture_atomic(Warp& warp, std::uint32_t pc, DeferredAtomic& atomic);
  /// The warps that can be stepped, those that wait at a barrier: a bit each, by number. A warp
  /// that has finished is in neither.
  std::uint32_t running_warps() const { return running_; }
  std::uint32_t waiting_warps() const { return waiting_; }

  bool finished() const { return (running_ | waiting_) == 0; }
  /// Of the program's block, and which of its warps is the first here.
  std::uint64_t index() const { return index_; }
  std::uint32_t first_warp() const { return first_warp_; }
  std::uint64_t warp_instructions() const;
  std::uint64_t thread_instructions() const;
  const Launch& launch() const { return launch_; }
  const std::vector<Warp>& warps() const { return warps_; }
  Warp& warp(std::uint32_t number) { return warps_[number]; }
  const std::array<Barrier, kBarriers>& barriers() const { return barriers_; }
  /// The threads of the warps that have not finished: what a barrier without a count waits for.
  std::uint32_t unfinished_threads() const {
    return static_cast<std::uint32_t>(std::popcount(running_ | waiting_)) * 32;
  }

  // -- barrier.cpp --------------------------------------------------------------------------------
  /// Executes a `barrier` instruction for the active lanes of a warp's top entry.
  void arrive_at_barrier(Warp& warp, const Decoded& decoded);
  // The same in steps, for a Mover. Which barrier the active lanes come to; raises a LaneFault.
  BarrierCall come_to_barrier(const Warp& warp, const Decoded& decoded) const;
  /// Adds what the active lanes bring to what bar.red finds out.
  void gather(const BarrierCall& call, const LaneContext& context, const Decoded& decoded);
  /// The warp waits: it goes on with the barrier's release.
  void wait_at_barrier(Warp& warp, const BarrierCall& call);
  /// One warp more has arrived, whether it waits or not; perhaps it was the last.
  void count_arrival(const BarrierCall& call);
  /// Gives lanes that go on after the barrier at `pc` what it has found out.
  void deliver_barrier(Warp& warp, std::uint32_t pc, LaneMask lanes, const Barrier& done);
  /// All threads of the warp have exited.
  void finish_warp(Warp& warp);

 private:
  /// In running_warps() and the like.
  std::uint32_t bit_of(const Warp& warp) const {
    return std::uint32_t{1} << (warp.identity.warp - first_warp_);
  }
  void release_barrier(std::uint32_t id);
  std::uint32_t take_turn();
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
  std::uint32_t next_turn_ = 0;  ///< Of run(): from which warp on it looks for one that can.
  std::uint32_t sm_ = 0;
  std::uint32_t sm_count_ = 1;
  EpochStores* stores_ = nullptr;
  bool keeps_addresses_apart_ = false;
  std::vector<Warp> warps_;
  std::vector<AccessRoom> access_rooms_;
  std::vector<Row> registers_;
  std::vector<std::uint32_t> predicates_;
  std::vector<Row> local_;
  std::vector<Row> shared_;  ///< Rows for their alignment; shared memory is bytes.
  std::array<Barrier, kBarriers> barriers_{};
};

/// Tells the handlers what the warp's top entry is.
inline void Block::enter_path(Warp& warp) {
  LaneContext& context = warp.context;
  context.path_active = warp.stack.top().mask.bits();
}

/// Tells the handlers where the running function's part of the stack is. Only control changes it.
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

// The compiler leaves out a call to it as to one without any effect.
[[gnu::always_inline]] inline void Block::prefetch_step(const Warp& warp, std::uint32_t pc) const {
  const Decoded& decoded = code_[pc];
  const auto fetch_row = [&](RowRef ref) {
    if (ref.present()) prefetch_lines(warp.context.row(ref), sizeof(Row));
  };
  fetch_row(decoded.source[0]);
  fetch_row(decoded.source[1]);
  fetch_row(decoded.source[2]);
  fetch_row(decoded.destination[0]);
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
