#include "exec/divergence/stackless_threads.h"

#include <algorithm>
#include <cassert>

#include "exec/block/control.h"
#include "exec/fault/fault_report.h"

namespace heddle::exec {
namespace {

using code::Operation;

/// The row with, for each lane, the members that it names.
RowRef members_of(const code::Instruction& instruction, const Decoded& decoded) {
  switch (instruction.operation) {
    case Operation::shfl:
      return decoded.source[3];
    case Operation::vote:
      return decoded.source[decoded.predicate_source[0].present() ? 0 : 1];
    case Operation::match:
    case Operation::redux:
      return decoded.source[1];
    case Operation::elect:
    case Operation::warp_sync:
      return decoded.source[0];
    default:
      assert(false && "an operation that names no members");
      return RowRef::none();
  }
}

void enter_lanes(LaneContext& context, LaneMask lanes, const Decoded& decoded) {
  context.path_active = lanes.bits();
  context.active = lanes.bits() & context.predicate(decoded.guard);
}

void enter_frame(LaneContext& context, const CallFrame& frame) {
  context.frame_base = frame.base;
  context.frame_top = frame.top;
}

}  // namespace

FormedThreads StacklessThreads::start(std::uint32_t number, Block& block, Warp& warp) {
  Row& row = rows_[number];
  const LaneMask threads(warp.identity.existing);
  const code::FunctionInfo& info = block.launch().info();
  warp.mover = this;
  warp.row = number;
  row.block = &block;
  row.warp = &warp;
  row.live = threads;
  row.in_calls = false;
  row.counted = false;
  row.arriving = {};
  row.waiting.clear();
  row.activation.fill(
      activations_.start(info.frame_bytes, static_cast<std::uint32_t>(threads.count())));
  enter_frame(warp.context, activations_.frame(row.activation[0]));
  return FormedThreads::of_row(number, threads, info.entry);
}

void StacklessThreads::enter_part(Row& row, LaneMask lanes, const Decoded& decoded) {
  row_ = &row;
  part_ = lanes;
  activation_ = row.activation[static_cast<std::size_t>(lanes.lowest())];
  LaneContext& context = row.warp->context;
  enter_lanes(context, lanes, decoded);
  enter_frame(context, activations_.frame(activation_));
}

void StacklessThreads::enter(const FormedThreads& threads) {
  const Decoded& decoded =
      rows_[threads.parts[0].row].block->launch().code->instructions[threads.pc];
  for (const FormedThreads::Part& part : threads.parts) {
    enter_lanes(rows_[part.row].warp->context, part.lanes, decoded);
  }
}

void StacklessThreads::execute(const FormedThreads& threads, Sides& sides) {
  sides_ = &sides;
  const Launch& of = rows_[threads.parts[0].row].block->launch();
  const Decoded& decoded = of.code->instructions[threads.pc];
  const bool moves_threads = decoded.control || decoded.names_members;
  for (const FormedThreads::Part& part : threads.parts) {
    Row& row = rows_[part.row];
    try {
      if (row.in_calls) {
        execute_by_activation(row, part.lanes, decoded);
      } else if (moves_threads) {
        execute_part(row, part.lanes, decoded);
      } else {
        LaneContext& context = row.warp->context;
        if (context.active != 0) decoded.handler(context, decoded);
      }
    } catch (const LaneFault& fault) {
      throw lane_fault(*row.block, *row.warp, threads.pc, fault);
    }
  }
  if (!moves_threads) go(threads.lanes, threads.pc + 1);
}

/// Threads that were called from different places may have come together.
void StacklessThreads::execute_by_activation(Row& row, LaneMask path, const Decoded& decoded) {
  LaneMask active;
  for (LaneMask left = path; !left.empty();) {
    const Activations::Index of = row.activation[static_cast<std::size_t>(left.lowest())];
    LaneMask same;
    for (LaneMask l = left; !l.empty(); l = l.without_lowest()) {
      if (row.activation[static_cast<std::size_t>(l.lowest())] != of) continue;
      same = same | LaneMask::of_lane(l.lowest());
    }
    execute_part(row, same, decoded);
    active = active | LaneMask(row.warp->context.active);
    left = left.without(same);
  }
  row.warp->context.path_active = path.bits();
  row.warp->context.active = active.bits();
}

void StacklessThreads::execute_part(Row& row, LaneMask lanes, const Decoded& decoded) {
  enter_part(row, lanes, decoded);
  if (decoded.control) return Control<StacklessThreads>(*this).execute(decoded);
  if (decoded.names_members) return gather(decoded);
  LaneContext& context = row.warp->context;
  if (context.active != 0) decoded.handler(context, decoded);
}

void StacklessThreads::go(LaneMask lanes, std::uint32_t pc) {
  if (!lanes.empty()) add_side(*sides_, lanes, pc);
}

void StacklessThreads::return_to(std::uint32_t pc) {
  return_pc_ = pc;
  go(others(), pc);
}

void StacklessThreads::call(CallFrame caller, Threads threads, std::uint32_t target,
                            std::uint32_t frame_bytes) {
  const Activations::Index index =
      activations_.call(activation_, caller.top, frame_bytes, return_pc_,
                        static_cast<std::uint32_t>(threads.count()));
  for (LaneMask l = threads; !l.empty(); l = l.without_lowest()) {
    row_->activation[static_cast<std::size_t>(l.lowest())] = index;
  }
  row_->in_calls = true;
  go(threads, target);
}

void StacklessThreads::leave_function(Threads threads, std::uint32_t next) {
  if (activations_.is_kernel(activation_)) return exit(threads, next);
  go(part_.without(threads), next);
  if (threads.empty()) return;
  const Activations::Index caller = activations_.caller(activation_);
  for (LaneMask l = threads; !l.empty(); l = l.without_lowest()) {
    row_->activation[static_cast<std::size_t>(l.lowest())] = caller;
  }
  go(threads, activations_.return_pc(activation_));
  activations_.leave(activation_, static_cast<std::uint32_t>(threads.count()));
}

void StacklessThreads::exit(Threads threads, std::uint32_t next) {
  go(part_.without(threads), next);
  if (threads.empty()) return;
  Row& row = *row_;
  for (Activations::Index index = activation_;;) {
    const bool last = activations_.is_kernel(index);
    const Activations::Index caller = activations_.caller(index);
    activations_.leave(index, static_cast<std::uint32_t>(threads.count()));
    if (last) break;
    index = caller;
  }
  row.live = row.live.without(threads);
  if (row.live.empty()) {
    finished_rows_.push_back(number_of(row));
    return row.block->finish_warp(*row.warp);
  }
  // Others may have waited for these.
  execute_gathered(row);
  count_if_all_wait(row);
}

void StacklessThreads::gather(const Decoded& decoded) {
  Row& row = *row_;
  go(others(), decoded.index + 1);
  if (active().empty()) return;
  auto waiting = std::find_if(row.waiting.begin(), row.waiting.end(), [&](const Waiting& other) {
    return !other.at_barrier && other.pc == decoded.index;
  });
  if (waiting == row.waiting.end()) {
    waiting = row.waiting.insert(waiting, Waiting{.lanes = {}, .pc = decoded.index});
  }
  waiting->lanes = waiting->lanes | active();
  execute_gathered(row);
  if (!row.waiting.empty()) count_if_all_wait(row);
}

/// Executes instructions across lanes for those of the threads that have gathered at them whose
/// fellow members are there too, or have exited.
void StacklessThreads::execute_gathered(Row& row) {
  std::array<LaneMask, 32> complete{};  // By what they wait at: no more than there are lanes.
  for (std::size_t i = 0; i < row.waiting.size(); ++i) complete[i] = all_here(row, row.waiting[i]);
  LaneContext& context = row.warp->context;
  for (std::size_t i = 0; i < row.waiting.size(); ++i) {
    if (complete[i].empty()) continue;
    Waiting& waiting = row.waiting[i];
    const Decoded& decoded = row.block->launch().code->instructions[waiting.pc];
    waiting.lanes = waiting.lanes.without(complete[i]);
    if (!decoded.control) {
      context.path_active = complete[i].bits();
      context.active = complete[i].bits();
      decoded.handler(context, decoded);
    }
    moved_.push_back({number_of(row), complete[i], waiting.pc + 1});
  }
  std::erase_if(row.waiting, [](const Waiting& waiting) { return waiting.lanes.empty(); });
}

/// Those of the threads that wait for no others any more. They meet at one and the same
/// instruction, but at any bar.warp.sync with the same members.
LaneMask StacklessThreads::all_here(const Row& row, const Waiting& waiting) const {
  if (waiting.at_barrier) return {};
  const Launch& of = row.block->launch();
  const auto members = [&](const Waiting& at, int lane) {
    const code::Instruction& instruction = of.program->instructions[at.pc];
    const RowRef masks = members_of(instruction, of.code->instructions[at.pc]);
    return LaneMask(row.warp->context.row(masks)[lane]);
  };
  const auto syncs = [&](const Waiting& at) {
    return !at.at_barrier && of.program->instructions[at.pc].operation == Operation::warp_sync;
  };
  LaneMask found;
  for (LaneMask left = waiting.lanes; !left.empty(); left = left.without_lowest()) {
    const LaneMask named = members(waiting, left.lowest());
    LaneMask here = waiting.lanes;
    for (const Waiting& other : row.waiting) {
      if (!syncs(waiting) || !syncs(other)) continue;
      for (LaneMask l = other.lanes; !l.empty(); l = l.without_lowest()) {
        if (members(other, l.lowest()) == named) here = here | LaneMask::of_lane(l.lowest());
      }
    }
    if ((named & row.live).without(here).empty()) found = found | LaneMask::of_lane(left.lowest());
  }
  return found;
}

}  // namespace heddle::exec
