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
#include "exec/divergence/mover.h"

namespace heddle::exec {

/// Executes threads that have a program counter each and no stack, in whatever groups they come:
/// what dynamic warp formation does (Fung et al., as Narasiman et al., Improving GPU Performance
/// via Large Warps and Two-Level Warp Scheduling, sections 4 and 6, have it). A row is a Warp,
/// whose own stack is not used.
///
/// Barriers, and instructions across the lanes of a warp, are of the row's threads as the program
/// knows them: those that come first leave their group and wait for the others.
class StacklessThreads final : public Mover {
 public:
  using Threads = LaneMask;  ///< Of the row and group at hand.
  using Flow = StacklessThreads;
  using Side = ReconvergenceStack::Side;
  using Sides = InlineVector<Side, 33>;
  /// Threads of one row that go on by themselves.
  struct Moved {
    std::uint32_t row = 0;
    LaneMask lanes;
    std::uint32_t pc = 0;
  };

  explicit StacklessThreads(std::size_t rows) : rows_(rows) {}

  /// A row whose block has just been started.
  FormedThreads start(std::uint32_t row, Block& block, Warp& warp);
  /// Makes the contexts of the threads' rows ready for the instruction that they are at.
  void enter(const FormedThreads& threads);
  /// Executes it, after enter(). Adds to `sides` where the threads go on, but for those that wait
  /// or have exited. Throws SimulatedFault.
  void execute(const FormedThreads& threads, Sides& sides);
  Warp& warp(std::uint32_t row) const { return *rows_[row].warp; }
  Block& block(std::uint32_t row) const { return *rows_[row].block; }

  /// The part of its stack that a thread's call has.
  const CallFrame& frame_of(std::uint32_t row, int lane) const {
    return activations_.frame(rows_[row].activation[static_cast<std::size_t>(lane)]);
  }
  /// Which barrier threads of a row came to last.
  std::uint32_t barrier_of(std::uint32_t row) const { return rows_[row].barrier.id; }
  /// Threads of a row that wait for others, and where: for messages.
  std::vector<Moved> waiting(std::uint32_t row) const;
  /// What waited and goes on since it was last cleared, and the rows whose threads have all exited.
  std::vector<Moved>& moved() { return moved_; }
  std::vector<std::uint32_t>& finished_rows() { return finished_rows_; }

  // -- what Control asks for, of the part at hand -------------------------------------------------
  const Launch& launch() const { return row_->block->launch(); }
  Flow& flow() { return *this; }
  Threads active() const { return LaneMask(row_->warp->context.active); }
  Threads others() const { return part_.without(active()); }
  template <class Each>
  void for_each_row(Each each) {
    each(row_->warp->context, [](LaneMask lanes) { return lanes; });
  }
  void arrive_at_barrier(const Decoded& decoded);
  void warp_sync(const Decoded& decoded) { gather(decoded); }
  void advance(std::uint32_t pc) { go(part_, pc); }
  void branch(Threads taken, std::uint32_t target, std::uint32_t next, std::uint32_t) {
    go(taken, target);
    go(part_.without(taken), next);
  }
  void branch_many(const Sides& sides, std::uint32_t) {
    for (const Side& side : sides) go(side.threads, side.target);
  }
  CallFrame& frame() { return activations_.frame(activation_); }
  std::size_t call_depth() const { return activations_.depth(activation_); }
  bool are_whole_call(Threads threads) const {
    return activations_.threads(activation_) == static_cast<std::uint32_t>(threads.count());
  }
  void return_to(std::uint32_t pc);
  void call(CallFrame caller, Threads threads, std::uint32_t target, std::uint32_t frame_bytes);
  void leave_function(Threads threads, std::uint32_t next);
  void exit(Threads threads, std::uint32_t next);

 private:
  /// Threads that wait for others of their row, at a barrier or at an instruction across lanes.
  struct Waiting {
    LaneMask lanes;
    std::uint32_t pc = 0;
    bool at_barrier = false;
  };
  struct Row {
    Block* block = nullptr;
    Warp* warp = nullptr;
    LaneMask live;
    bool in_calls = false;  ///< Some thread may not be in its kernel's own activation.
    bool counted = false;   ///< A barrier counts it as arrived.
    BarrierCall barrier;    ///< Where threads of it came to last.
    LaneMask arriving;      ///< Those that have arrived at a barrier, and do not wait.
    std::vector<Waiting> waiting;
    std::array<Activations::Index, 32> activation{};
  };

  void execute_part(Row& row, LaneMask lanes, const Decoded& decoded);
  void execute_by_activation(Row& row, LaneMask path, const Decoded& decoded);
  void go(LaneMask lanes, std::uint32_t pc);
  void gather(const Decoded& decoded);
  void execute_gathered(Row& row);
  LaneMask all_here(const Row& row, const Waiting& waiting) const;
  void count_if_all_wait(Row& row);
  void released(Warp& warp, const Barrier& done) override;
  void enter_part(Row& row, LaneMask lanes, const Decoded& decoded);
  std::uint32_t number_of(const Row& row) const {
    return static_cast<std::uint32_t>(&row - rows_.data());
  }

  std::vector<Row> rows_;
  Activations activations_;
  Sides* sides_ = nullptr;  ///< Of the threads that execute.
  std::vector<Moved> moved_;
  std::vector<std::uint32_t> finished_rows_;

  // The part that executes: a row's threads in one activation.
  Row* row_ = nullptr;
  LaneMask part_;
  Activations::Index activation_ = 0;
  std::uint32_t return_pc_ = 0;
};

}  // namespace heddle::exec
