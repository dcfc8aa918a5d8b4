// How threads without a stack execute barriers. A barrier counts warps of 32 threads; here these
// are the static warps. A static warp has arrived when all its threads wait, at barriers or for one
// another at warp-wide instructions. Threads at warp-wide instructions count as arrived, because
// they cannot reach the barrier either.

#include <vector>

#include "exec/divergence/stackless_threads.h"

namespace heddle::exec {

void StacklessThreads::arrive_at_barrier(const Decoded& decoded) {
  StaticWarp& static_warp = *static_warp_;
  const std::uint32_t next = decoded.index + 1;
  send(inactive(), next);
  if (active().empty()) return;
  const BarrierCall call = static_warp.block->read_barrier_call(*static_warp.warp, decoded);
  if (launch().program->instructions[decoded.index].barrier == code::BarrierKind::arrive) {
    send(active(), next);
    static_warp.arriving = static_warp.arriving | active();
    if (!static_warp.live.without(static_warp.arriving).empty()) return;
    static_warp.arriving = {};
    return static_warp.block->count_arrival(call);
  }
  static_warp.block->accumulate_votes(call, static_warp.warp->context, decoded);
  static_warp.barrier = call;
  static_warp.waiting.push_back({.lanes = active(), .pc = decoded.index, .at_barrier = true});
  count_if_all_wait(static_warp);
}

/// Counts the static warp as arrived at the barrier if all its threads wait.
void StacklessThreads::count_if_all_wait(StaticWarp& static_warp) {
  if (static_warp.is_counted) return;
  LaneMask waiting_lanes;
  bool any_at_barrier = false;
  for (const Waiting& waiting : static_warp.waiting) {
    waiting_lanes = waiting_lanes | waiting.lanes;
    any_at_barrier = any_at_barrier || waiting.at_barrier;
  }
  if (!any_at_barrier || waiting_lanes != static_warp.live) return;
  static_warp.is_counted = true;
  static_warp.block->wait_at_barrier(*static_warp.warp, static_warp.barrier);
  static_warp.block->count_arrival(static_warp.barrier);
}

void StacklessThreads::on_release(Warp& warp, const Barrier& released) {
  StaticWarp& static_warp = static_warps_[warp.control_index];
  static_warp.is_counted = false;
  for (const Waiting& waiting : static_warp.waiting) {
    if (!waiting.at_barrier) continue;
    static_warp.block->write_barrier_result(warp, waiting.pc, waiting.lanes, released);
    resumed_.push_back({number_of(static_warp), waiting.lanes, waiting.pc + 1});
  }
  std::erase_if(static_warp.waiting, [](const Waiting& waiting) { return waiting.at_barrier; });
}

std::vector<StacklessThreads::ThreadsAtPc> StacklessThreads::waiting_threads(
    std::uint32_t static_warp) const {
  std::vector<ThreadsAtPc> found;
  for (const Waiting& waiting : static_warps_[static_warp].waiting) {
    found.push_back({static_warp, waiting.lanes, waiting.pc});
  }
  return found;
}

}  // namespace heddle::exec
