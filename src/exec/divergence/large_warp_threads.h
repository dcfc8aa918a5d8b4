#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "exec/block/block.h"
#include "exec/divergence/mover.h"
#include "exec/divergence/reconvergence_stack.h"
#include "exec/divergence/thread_set.h"

namespace heddle::exec {

/// Up to 32 rows of 32 threads, of one or several blocks of a launch, that execute as one warp with
/// one stack: the large warp of Narasiman et al., Improving GPU Performance via Large Warps and
/// Two-Level Warp Scheduling, section 3.1. Each row is a Warp whose own stack is not used.
class LargeWarpThreads final : public Mover {
 public:
  using Threads = ThreadSet;
  using Flow = BasicReconvergenceStack<ThreadSet>;
  struct Row {
    Block* block = nullptr;
    Warp* warp = nullptr;
  };

  /// Rows whose blocks have just been started. They stay where they are until it has finished.
  void start(std::span<const Row> rows);
  /// As `other` is now, with rows in place of its own.
  void stand_in_for(const LargeWarpThreads& other, std::span<const Row> rows) {
    rows_.assign(rows.begin(), rows.end());
    stack_ = other.stack_;
  }
  bool finished() const { return stack_.finished(); }
  /// It cannot go on before a barrier's release.
  bool waiting();
  std::uint32_t pc() const { return stack_.top().pc; }
  const Flow& stack() const { return stack_; }
  std::span<const Row> rows() const { return rows_; }
  /// Which barrier threads of a row came to last.
  std::uint32_t barrier_of(std::size_t row) const { return calls_[row].id; }

  /// Makes the contexts of running_rows() ready for the next instruction, of all threads of the top
  /// entry: which lanes are on the path, and which are active.
  const Decoded& enter();
  /// Executes it, after enter(). The contexts of running_rows() hold afterwards what Block::step()
  /// leaves in a warp's. Throws SimulatedFault.
  void execute();
  /// It has been executed otherwise.
  void skip() { stack_.advance(pc() + 1); }
  std::span<const std::uint8_t> running_rows() const {
    return {running_rows_.data(), running_count_};
  }

  // -- what Control asks for ----------------------------------------------------------------------
  const Launch& launch() const { return rows_.front().block->launch(); }
  Flow& flow() { return stack_; }
  Threads active() const;
  Threads others() const;
  template <class Each>
  void for_each_row(Each each) {
    for (const std::uint8_t row : running_rows()) {
      current_ = row;
      each(rows_[row].warp->context,
           [row](LaneMask lanes) { return ThreadSet::of_row(row, lanes); });
    }
  }
  void arrive_at_barrier(const Decoded& decoded);
  void warp_sync(const Decoded& decoded);

 private:
  void released(Warp& row, const Barrier& done) override;
  bool goes_on();
  void count_whole_rows();
  void count_other_rows();
  void count(std::size_t row, const BarrierCall& call);
  void finish_rows();

  std::vector<Row> rows_;
  Flow stack_;
  std::array<std::uint8_t, ThreadSet::kRows> running_rows_{};
  std::size_t running_count_ = 0;
  std::size_t current_ = 0;  ///< The row that executes, for its faults.

  bool waiting_ = false;
  bool released_ = false;  ///< Rows have been, since it was last found to wait.
  std::array<BarrierCall, ThreadSet::kRows> calls_{};  ///< By row, where it came to last.
  std::uint32_t counted_ = 0;  ///< Rows that a barrier counts as arrived: a bit each.
};

}  // namespace heddle::exec
