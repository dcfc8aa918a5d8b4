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
/// Two-Level Warp Scheduling, section 3.1). Each row is a Warp whose own stack is not used. The
/// path is the set of threads that are at the instruction to execute.
class LargeWarpThreads final : public ThreadControl {
 public:
  using Threads = ThreadSet;
  using Flow = BasicReconvergenceStack<ThreadSet>;
  struct Row {
    Block* block = nullptr;
    Warp* warp = nullptr;
  };

  /// Starts a large warp with these rows, at least one, whose blocks have just been started. The
  /// warps and blocks must stay at their addresses until the large warp has finished.
  void start(std::span<const Row> rows);
  /// Copies the stack of `other`. `rows` are copies of the rows of `other`, in the same order.
  void copy_state(const LargeWarpThreads& other, std::span<const Row> rows) {
    rows_.assign(rows.begin(), rows.end());
    stack_ = other.stack_;
  }
  bool finished() const { return stack_.finished(); }
  /// Whether all threads wait for the release of a barrier. After a release, chooses the threads
  /// that continue.
  bool is_waiting();
  std::uint32_t pc() const { return stack_.top().pc; }
  const Flow& stack() const { return stack_; }
  std::span<const Row> rows() const { return rows_; }
  /// The number of the last barrier at which threads of the row arrived.
  std::uint32_t barrier_of(std::size_t row) const { return calls_[row].id; }

  /// Returns the next instruction of the stack's top entry. Determines running_rows(), and prepares
  /// their contexts: the lanes on the path, and those of them whose guard is true.
  const Decoded& enter();
  /// Executes the instruction, after enter(). Afterwards, the contexts of running_rows() describe
  /// the step, as a warp's context does after Block::step(). Throws SimulatedFault.
  void execute();
  /// Advances past an instruction that was executed by other means.
  void skip() { stack_.advance(pc() + 1); }
  /// The rows that had threads on the path at the last enter(), in ascending order.
  std::span<const std::uint8_t> running_rows() const {
    return {running_rows_.data(), running_count_};
  }

  // The interface for Control (exec/block/control.h, with comments at SoloWarp):
  const Launch& launch() const { return rows_.front().block->launch(); }
  Flow& flow() { return stack_; }
  Threads active() const;
  Threads inactive() const;
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
  void on_release(Warp& warp, const Barrier& released) override;
  bool find_runnable();
  void count_arrived_rows();
  void count_remaining_rows();
  void count_row(std::size_t row, const BarrierCall& call);
  void finish_rows();

  std::vector<Row> rows_;
  Flow stack_;
  std::array<std::uint8_t, ThreadSet::kRows> running_rows_{};
  std::size_t running_count_ = 0;
  std::size_t current_ = 0;  ///< The row that executes, for fault messages.

  bool is_waiting_ = false;
  /// Whether a barrier has released rows since the threads that continue were last chosen.
  bool rows_were_released_ = false;
  std::array<BarrierCall, ThreadSet::kRows> calls_{};  ///< The last barrier call of each row.
  std::uint32_t counted_rows_ = 0;  ///< A bit for each row that a barrier counts as arrived.
};

}  // namespace heddle::exec
