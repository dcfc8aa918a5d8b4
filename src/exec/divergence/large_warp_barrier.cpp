// A large warp at a barrier. Barriers count warps of 32 threads. These are the rows of a large
// warp: a row has arrived when all its threads have arrived. While some rows wait, others continue,
// even beyond the point at which the rows would reconverge. When no row can continue, the large
// warp arrives as a whole, as a plain warp does. This includes rows and threads that have not
// reached the barrier.

#include <utility>

#include "exec/divergence/large_warp_threads.h"

namespace heddle::exec {

void LargeWarpThreads::arrive_at_barrier(const Decoded& decoded) {
  const ThreadSet threads = active();
  const std::uint32_t next = decoded.index + 1;
  if (threads.empty()) return stack_.advance(next);
  const bool waits =
      launch().program->instructions[decoded.index].barrier != code::BarrierKind::arrive;
  if (!waits) {
    stack_.advance(next);
    for (const std::uint8_t row : running_rows()) {
      if (threads[row].empty()) continue;
      current_ = row;
      rows_[row].block->count_arrival(
          rows_[row].block->read_barrier_call(*rows_[row].warp, decoded));
    }
    return;
  }
  if (stack_.top().arrived.empty()) {
    for (const std::uint8_t row : running_rows()) {
      if (threads[row].empty()) continue;
      current_ = row;
      Block& block = *rows_[row].block;
      calls_[row] = block.read_barrier_call(*rows_[row].warp, decoded);
      block.accumulate_votes(calls_[row], rows_[row].warp->context, decoded);
    }
    stack_.arrive(threads);
  }
  count_complete_rows();
  // The last arrival may have released the barrier. If not, other threads may still reach a
  // barrier.
  if (find_runnable()) return;
  count_remaining_rows();
  waiting_ = !find_runnable();
  released_ = false;
}

bool LargeWarpThreads::waiting() {
  if (waiting_ && std::exchange(released_, false)) waiting_ = !find_runnable();
  return waiting_;
}

/// Makes an entry with runnable threads the top entry, if there is one. False if all threads wait.
bool LargeWarpThreads::find_runnable() {
  if (stack_.top().arrived.empty() || stack_.rotate()) return true;
  // The threads of a row wait for one another, but rows wait for one another only at barriers. Rows
  // without a thread at a barrier continue, wherever they are.
  ThreadSet held;
  for (const Flow::Entry& entry : stack_.entries()) {
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      if (!entry.arrived[row].empty()) held[row] = LaneMask::all();
    }
  }
  return stack_.run_ahead(held);
}

void LargeWarpThreads::count_complete_rows() {
  ThreadSet here;
  for (const Flow::Entry& entry : stack_.entries()) {
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      // Rows that arrived in the same entry may have been released already.
      if (!entry.arrived[row].empty()) here[row] = here[row] | entry.mask[row];
    }
  }
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    if (!here[row].empty() && here[row] == stack_.live()[row]) count(row, calls_[row]);
  }
}

void LargeWarpThreads::count_remaining_rows() {
  const Flow::Entry& top = stack_.top();
  BarrierCall call{};
  for (std::size_t row = rows_.size(); row-- > 0;) {
    if (!top.arrived[row].empty()) call = calls_[row];
  }
  ThreadSet arrived;
  for (const Flow::Entry& entry : stack_.entries()) arrived = arrived | entry.arrived;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    if (stack_.live()[row].empty()) continue;
    if (!arrived[row].empty()) {
      count(row, calls_[row]);
    } else if (call.expected == 0) {
      count(row, call);
    }
  }
}

void LargeWarpThreads::count(std::size_t row, const BarrierCall& call) {
  const std::uint32_t bit = std::uint32_t{1} << row;
  if ((counted_rows_ & bit) != 0) return;
  counted_rows_ |= bit;
  Block& block = *rows_[row].block;
  block.wait_at_barrier(*rows_[row].warp, call);
  block.count_arrival(call);
}

void LargeWarpThreads::on_release(Warp& warp, const Barrier& done) {
  const std::size_t row = warp.control_index;
  counted_rows_ &= ~(std::uint32_t{1} << row);
  stack_.release_threads(ThreadSet::of_row(row, LaneMask::all()), [&](const Flow::Entry& entry) {
    rows_[row].block->write_barrier_result(warp, entry.pc, entry.arrived[row], done);
  });
  // The same release may free further rows, which continue together with this one.
  released_ = true;
}

}  // namespace heddle::exec
