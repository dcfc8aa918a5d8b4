// How a large warp executes barriers. A barrier counts warps of 32 threads; here it counts the rows
// of the large warp. A row has arrived when all its threads have arrived. While some rows wait,
// other rows continue, even beyond the point at which the rows would reconverge. When no row can
// continue, the rows that are not counted yet are counted too, even if some of their threads have
// not reached the barrier. A plain warp likewise arrives as a whole.

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
  count_arrived_rows();
  // Threads can run now if the arrival has released the barrier, or if they have not reached a
  // barrier yet.
  if (find_runnable()) return;
  count_remaining_rows();
  is_waiting_ = !find_runnable();
  rows_were_released_ = false;
}

bool LargeWarpThreads::is_waiting() {
  if (is_waiting_ && std::exchange(rows_were_released_, false)) is_waiting_ = !find_runnable();
  return is_waiting_;
}

/// Makes an entry with runnable threads the top entry of the stack. Returns false if all threads
/// wait.
bool LargeWarpThreads::find_runnable() {
  if (stack_.top().arrived.empty() || stack_.rotate()) return true;
  // Threads of the same row wait for one another. Different rows wait for one another only at
  // barriers, so a row without a thread at a barrier may continue.
  ThreadSet excluded;
  for (const Flow::Entry& entry : stack_.entries()) {
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      if (!entry.arrived[row].empty()) excluded[row] = LaneMask::all();
    }
  }
  return stack_.run_ahead(excluded);
}

/// Counts the rows of which all threads have arrived.
void LargeWarpThreads::count_arrived_rows() {
  ThreadSet arrived;
  for (const Flow::Entry& entry : stack_.entries()) {
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      // A row without arrived threads in the entry is skipped: it may have been released already.
      if (!entry.arrived[row].empty()) arrived[row] = arrived[row] | entry.mask[row];
    }
  }
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    if (!arrived[row].empty() && arrived[row] == stack_.live()[row]) count_row(row, calls_[row]);
  }
}

/// Counts the rows that are not counted yet. A row with arrived threads is counted at the barrier
/// of these threads. Other rows are counted at the barrier of the top entry (that of the entry's
/// lowest arrived row), but only if this barrier has no thread count.
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
      count_row(row, calls_[row]);
    } else if (call.expected == 0) {
      count_row(row, call);
    }
  }
}

/// Counts a row as arrived at a barrier, and lets it wait there. Does nothing if it is counted
/// already.
void LargeWarpThreads::count_row(std::size_t row, const BarrierCall& call) {
  const std::uint32_t bit = std::uint32_t{1} << row;
  if ((counted_rows_ & bit) != 0) return;
  counted_rows_ |= bit;
  Block& block = *rows_[row].block;
  block.wait_at_barrier(*rows_[row].warp, call);
  block.count_arrival(call);
}

void LargeWarpThreads::on_release(Warp& warp, const Barrier& released) {
  const std::size_t row = warp.control_index;
  counted_rows_ &= ~(std::uint32_t{1} << row);
  stack_.release_threads(ThreadSet::of_row(row, LaneMask::all()), [&](const Flow::Entry& entry) {
    rows_[row].block->write_barrier_result(warp, entry.pc, entry.arrived[row], released);
  });
  // The same barrier may release further rows. find_runnable() is therefore called later, so that
  // all released rows continue together.
  rows_were_released_ = true;
}

}  // namespace heddle::exec
