#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "exec/block/block.h"
#include "exec/divergence/reconvergence_stack.h"
#include "exec/divergence/thread_control.h"
#include "exec/divergence/thread_set.h"

namespace heddle::exec {

/// A large warp: up to 32 rows of 32 threads, from one or several blocks of a launch, that execute
/// as one warp with one stack (LWM; Narasiman et al., Improving GPU Performance via Large Warps and
/// Two-Level Warp Scheduling, section 3.1). Each row is a Warp whose own stack is not used.
class LargeWarpThreads final : public ThreadControl {
 public:
  using Threads = ThreadSet;
  using Flow = BasicReconvergenceStack<ThreadSet>;
  struct Row {
    Block* block = nullptr;
    Warp* warp = nullptr;
  };

  /// Starts a large warp of rows whose blocks have just been started. The warps and blocks must not
  /// move until it has finished.
  void start(std::span<const Row> rows);
  /// Takes over the state of `other`, with `rows` in place of its rows.
  void copy_state(const LargeWarpThreads& other, std::span<const Row> rows) {
    rows_.assign(rows.begin(), rows.end());
    stack_ = other.stack_;
  }
  bool finished() const { return stack_.finished(); }
  /// Whether all its threads wait for the release of a barrier.
  bool waiting();
  std::uint32_t pc() const { return stack_.top().pc; }
  const Flow& stack() const { return stack_; }
  std::span<const Row> rows() const { return rows_; }
  /// The number of the last barrier that threads of a row arrived at.
  std::uint32_t barrier_of(std::size_t row) const { return calls_[row].id; }

  /// Prepares the contexts of running_rows() for the next instruction of the top entry: the lanes
  /// on the path, and the active ones.
  const Decoded& enter();
  /// Executes the instruction, after enter(). Afterwards, the contexts of running_rows() describe
  /// the step, as a warp's context does after Block::step(). Throws SimulatedFault.
  void execute();
  /// Advances past an instruction that was executed by other means.
  void skip() { stack_.advance(pc() + 1); }
  /// The rows with threads on the path, since the last enter().
  std::span<const std::uint8_t> running_rows() const {
    return {running_rows_.data(), running_count_};
  }

  // -- the interface for Control (exec/block/control.h)
  // ------------------------------------------------------------------
  const Launch& launch() const { return rows_.front().block->launch(); }
  Flow& flow() { return stack_; }
  Threads active() const;
  Threads others() const;
  template <class Each>
  void for_each_static_warp(Each each) {
    for (const std::uint8_t row : running_rows()) {
      current_ = row;
      each(rows_[row].warp->context,
           [row](LaneMask lanes) { return ThreadSet::of_row(row, lanes); });
    }
  }
  void arrive_at_barrier(const Decoded& decoded);
  void warp_sync(const Decoded& decoded);

 private:
  void on_release(Warp& warp, const Barrier& done) override;
  bool find_runnable();
  void count_complete_rows();
  void count_remaining_rows();
  void count(std::size_t row, const BarrierCall& call);
  void finish_rows();

  std::vector<Row> rows_;
  Flow stack_;
  std::array<std::uint8_t, ThreadSet::kRows> running_rows_{};
  std::size_t running_count_ = 0;
  std::size_t current_ = 0;  ///< The row that is being executed, for fault messages.

  bool waiting_ = false;
  bool released_ = false;  ///< Whether rows were released since waiting() last returned true.
  std::array<BarrierCall, ThreadSet::kRows> calls_{};  ///< By row: its last barrier.
  std::uint32_t counted_rows_ = 0;  ///< A bit for each row that a barrier counts as arrived.
};

}  // namespace heddle::exec
