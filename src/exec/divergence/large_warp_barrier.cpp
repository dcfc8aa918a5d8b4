// A large warp at a barrier. Barriers count warps of 32 threads, which here are rows: a row has
// arrived when all its threads have. While some rows wait, others go on, even beyond the point
// where they would meet those. When none can, the large warp arrives as a whole, as a warp does,
// with rows, or threads of a row, that are not there.

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
      rows_[row].block->count_arrival(rows_[row].block->come_to_barrier(*rows_[row].warp, decoded));
    }
    return;
  }
  if (stack_.top().arrived.empty()) {
    for (const std::uint8_t row : running_rows()) {
      if (threads[row].empty()) continue;
      current_ = row;
      Block& block = *rows_[row].block;
      calls_[row] = block.come_to_barrier(*rows_[row].warp, decoded);
      block.gather(calls_[row], rows_[row].warp->context, decoded);
    }
    stack_.arrive(threads);
  }
  count_whole_rows();
  // Perhaps that has released it. Other threads may be on their way to a barrier too.
  if (goes_on()) return;
  count_other_rows();
  waiting_ = !goes_on();
  released_ = false;
}

bool LargeWarpThreads::waiting() {
  if (waiting_ && std::exchange(released_, false)) waiting_ = !goes_on();
  return waiting_;
}

/// Whether some thread can: of the top entry, if need be of one that has thereby become it.
bool LargeWarpThreads::goes_on() {
  if (stack_.top().arrived.empty() || stack_.rotate()) return true;
  // Rows do not wait for one another, other than by a barrier: those of which nobody has come to
  // one go on, wherever they are. Threads of a row do.
  ThreadSet held;
  for (const Flow::Entry& entry : stack_.entries()) {
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      if (!entry.arrived[row].empty()) held[row] = LaneMask::all();
    }
  }
  return stack_.run_ahead(held);
}

void LargeWarpThreads::count_whole_rows() {
  ThreadSet here;
  for (const Flow::Entry& entry : stack_.entries()) {
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      // Of those that came with others some may have been released already.
      if (!entry.arrived[row].empty()) here[row] = here[row] | entry.mask[row];
    }
  }
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    if (!here[row].empty() && here[row] == stack_.live()[row]) count(row, calls_[row]);
  }
}

void LargeWarpThreads::count_other_rows() {
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
  if ((counted_ & bit) != 0) return;
  counted_ |= bit;
  Block& block = *rows_[row].block;
  block.wait_at_barrier(*rows_[row].warp, call);
  block.count_arrival(call);
}

void LargeWarpThreads::released(Warp& warp, const Barrier& done) {
  const std::size_t row = warp.row;
  counted_ &= ~(std::uint32_t{1} << row);
  stack_.release_threads(ThreadSet::of_row(row, LaneMask::all()), [&](const Flow::Entry& entry) {
    rows_[row].block->deliver_barrier(warp, entry.pc, entry.arrived[row], done);
  });
  // Other rows may be about to be released as well, and go on together with this one.
  released_ = true;
}

}  // namespace heddle::exec
