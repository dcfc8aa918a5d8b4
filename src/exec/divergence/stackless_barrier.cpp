// Threads without a stack at a barrier. Barriers count warps of 32 threads, which here are rows: a
// row has arrived when all its threads wait, those that wait for one another included, since they
// cannot come otherwise.

#include <vector>

#include "exec/divergence/stackless_threads.h"

namespace heddle::exec {

void StacklessThreads::arrive_at_barrier(const Decoded& decoded) {
  Row& row = *row_;
  const std::uint32_t next = decoded.index + 1;
  go(others(), next);
  if (active().empty()) return;
  const BarrierCall call = row.block->come_to_barrier(*row.warp, decoded);
  if (launch().program->instructions[decoded.index].barrier == code::BarrierKind::arrive) {
    go(active(), next);
    row.arriving = row.arriving | active();
    if (!row.live.without(row.arriving).empty()) return;
    row.arriving = {};
    return row.block->count_arrival(call);
  }
  row.block->gather(call, row.warp->context, decoded);
  row.barrier = call;
  row.waiting.push_back({.lanes = active(), .pc = decoded.index, .at_barrier = true});
  count_if_all_wait(row);
}

void StacklessThreads::count_if_all_wait(Row& row) {
  if (row.counted) return;
  LaneMask all;
  bool any_at_barrier = false;
  for (const Waiting& waiting : row.waiting) {
    all = all | waiting.lanes;
    any_at_barrier = any_at_barrier || waiting.at_barrier;
  }
  if (!any_at_barrier || all != row.live) return;
  row.counted = true;
  row.block->wait_at_barrier(*row.warp, row.barrier);
  row.block->count_arrival(row.barrier);
}

void StacklessThreads::released(Warp& warp, const Barrier& done) {
  Row& row = rows_[warp.row];
  row.counted = false;
  for (const Waiting& waiting : row.waiting) {
    if (!waiting.at_barrier) continue;
    row.block->deliver_barrier(warp, waiting.pc, waiting.lanes, done);
    moved_.push_back({number_of(row), waiting.lanes, waiting.pc + 1});
  }
  std::erase_if(row.waiting, [](const Waiting& waiting) { return waiting.at_barrier; });
}

std::vector<StacklessThreads::Moved> StacklessThreads::waiting(std::uint32_t row) const {
  std::vector<Moved> found;
  for (const Waiting& waiting : rows_[row].waiting) {
    found.push_back({row, waiting.lanes, waiting.pc});
  }
  return found;
}

}  // namespace heddle::exec
