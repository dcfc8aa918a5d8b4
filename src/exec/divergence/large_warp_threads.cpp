#include "exec/divergence/large_warp_threads.h"

#include "exec/block/control.h"
#include "exec/fault/fault_report.h"

namespace heddle::exec {

void LargeWarpThreads::start(std::span<const Row> rows) {
  rows_.assign(rows.begin(), rows.end());
  ThreadSet threads;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    rows_[i].warp->thread_control = this;
    rows_[i].warp->control_index = static_cast<std::uint32_t>(i);
    threads[i] = LaneMask(rows_[i].warp->identity.existing);
  }
  const code::FunctionInfo& info = launch().info();
  stack_.start(info.entry, threads, info.frame_bytes);
  running_count_ = 0;
  is_waiting_ = rows_were_released_ = false;
  counted_rows_ = 0;
}

const Decoded& LargeWarpThreads::enter() {
  const Flow::Entry& top = stack_.top();
  const Decoded& decoded = launch().code->instructions[top.pc];
  const CallFrame frame{stack_.frame().base, stack_.frame().top};
  running_count_ = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const LaneMask path = top.mask[i];
    if (path.empty()) continue;
    running_rows_[running_count_++] = static_cast<std::uint8_t>(i);
    WarpContext& context = rows_[i].warp->context;
    context.path_active = path.bits();
    context.active = path.bits() & context.predicate(decoded.guard);
    context.frame_base = frame.base;
    context.frame_top = frame.top;
  }
  return decoded;
}

void LargeWarpThreads::execute() {
  const Decoded& decoded = launch().code->instructions[pc()];
  try {
    if (decoded.is_control) {
      Control<LargeWarpThreads>(*this).execute(decoded);
      return finish_rows();
    }
    for (const std::uint8_t row : running_rows()) {
      current_ = row;
      WarpContext& context = rows_[row].warp->context;
      if (context.active != 0) decoded.handler(context, decoded);
    }
  } catch (const LaneFault& fault) {
    const Row& row = rows_[current_];
    throw lane_fault(*row.block, *row.warp, decoded.index, fault);
  }
  stack_.advance(decoded.index + 1);
}

ThreadSet LargeWarpThreads::active() const {
  ThreadSet threads;
  for (const std::uint8_t row : running_rows()) {
    threads[row] = LaneMask(rows_[row].warp->context.active);
  }
  return threads;
}

ThreadSet LargeWarpThreads::inactive() const { return stack_.top().mask.without(active()); }

void LargeWarpThreads::finish_rows() {
  for (const std::uint8_t row : running_rows()) {
    Warp& warp = *rows_[row].warp;
    if (warp.state != Warp::State::finished && stack_.live()[row].empty()) {
      rows_[row].block->finish_warp(warp);
    }
  }
}

void LargeWarpThreads::warp_sync(const Decoded& decoded) {
  const ThreadSet threads = active();
  if (threads.empty()) return stack_.advance(decoded.index + 1);
  stack_.arrive(threads);
  ThreadSet arrived;
  for (const Flow::Entry& entry : stack_.entries()) arrived = arrived | entry.arrived;
  bool all_arrived = true;
  for (const std::uint8_t row : running_rows()) {
    if (threads[row].empty()) continue;
    const WarpContext& context = rows_[row].warp->context;
    const LaneMask members(context.lanes(decoded.source[0])[threads[row].lowest()]);
    all_arrived = all_arrived && (members & stack_.live()[row]).without(arrived[row]).empty();
  }
  // As in a plain warp: if members on another side of the same divergent branch have not arrived,
  // that side runs first.
  if (!all_arrived && stack_.rotate()) return;
  stack_.release([&](const Flow::Entry& entry) {
    return launch().program->instructions[entry.pc].operation == code::Operation::warp_sync;
  });
}

}  // namespace heddle::exec
