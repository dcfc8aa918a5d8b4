#include "exec/divergence/stackless_threads.h"

#include <algorithm>
#include <cassert>

#include "exec/block/control.h"
#include "exec/fault/fault_report.h"

namespace heddle::exec {
namespace {

using code::Operation;

/// The operand with the member mask: in each lane, the lanes that take part in the instruction.
OperandRef members_of(const code::Instruction& instruction, const Decoded& decoded) {
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
      return OperandRef::none();
  }
}

void enter_lanes(WarpContext& context, LaneMask lanes, const Decoded& decoded) {
  context.path_active = lanes.bits();
  context.active = lanes.bits() & context.predicate(decoded.guard);
}

void enter_frame(WarpContext& context, const CallFrame& frame) {
  context.frame_base = frame.base;
  context.frame_top = frame.top;
}

}  // namespace

FormedThreads StacklessThreads::start(std::uint32_t number, Block& block, Warp& warp) {
  StaticWarp& static_warp = static_warps_[number];
  const LaneMask threads(warp.identity.existing);
  const code::FunctionInfo& info = block.launch().info();
  warp.thread_control = this;
  warp.control_index = number;
  static_warp.block = &block;
  static_warp.warp = &warp;
  static_warp.live = threads;
  static_warp.in_calls = false;
  static_warp.is_counted = false;
  static_warp.arriving = {};
  static_warp.waiting.clear();
  static_warp.activation.fill(
      activations_.start(info.frame_bytes, static_cast<std::uint32_t>(threads.count())));
  enter_frame(warp.context, activations_.frame(static_warp.activation[0]));
  return FormedThreads::of_static_warp(number, threads, info.entry);
}

void StacklessThreads::enter_part(StaticWarp& static_warp, LaneMask lanes, const Decoded& decoded) {
  static_warp_ = &static_warp;
  part_ = lanes;
  activation_ = static_warp.activation[static_cast<std::size_t>(lanes.lowest())];
  WarpContext& context = static_warp.warp->context;
  enter_lanes(context, lanes, decoded);
  enter_frame(context, activations_.frame(activation_));
}

void StacklessThreads::enter(const FormedThreads& threads) {
  const Decoded& decoded =
      static_warps_[threads.parts[0].static_warp].block->launch().code->instructions[threads.pc];
  for (const FormedThreads::Part& part : threads.parts) {
    enter_lanes(static_warps_[part.static_warp].warp->context, part.lanes, decoded);
  }
}

void StacklessThreads::execute(const FormedThreads& threads, Sides& sides) {
  sides_ = &sides;
  const Launch& common_launch = static_warps_[threads.parts[0].static_warp].block->launch();
  const Decoded& decoded = common_launch.code->instructions[threads.pc];
  const bool changes_flow = decoded.is_control || decoded.names_members;
  for (const FormedThreads::Part& part : threads.parts) {
    StaticWarp& static_warp = static_warps_[part.static_warp];
    try {
      if (static_warp.in_calls) {
        execute_by_activation(static_warp, part.lanes, decoded);
      } else if (changes_flow) {
        execute_part(static_warp, part.lanes, decoded);
      } else {
        WarpContext& context = static_warp.warp->context;
        if (context.active != 0) decoded.handler(context, decoded);
      }
    } catch (const LaneFault& fault) {
      throw lane_fault(*static_warp.block, *static_warp.warp, threads.pc, fault);
    }
  }
  if (!changes_flow) send(threads.lanes, threads.pc + 1);
}

/// Executes the instruction once for each activation: threads of different calls may be on the same
/// path.
void StacklessThreads::execute_by_activation(StaticWarp& static_warp, LaneMask path,
                                             const Decoded& decoded) {
  LaneMask active;
  for (LaneMask remaining = path; !remaining.empty();) {
    const Activations::Index activation =
        static_warp.activation[static_cast<std::size_t>(remaining.lowest())];
    LaneMask part;
    for (LaneMask l = remaining; !l.empty(); l = l.without_lowest()) {
      if (static_warp.activation[static_cast<std::size_t>(l.lowest())] != activation) continue;
      part = part | LaneMask::of_lane(l.lowest());
    }
    execute_part(static_warp, part, decoded);
    active = active | LaneMask(static_warp.warp->context.active);
    remaining = remaining.without(part);
  }
  static_warp.warp->context.path_active = path.bits();
  static_warp.warp->context.active = active.bits();
}

void StacklessThreads::execute_part(StaticWarp& static_warp, LaneMask lanes,
                                    const Decoded& decoded) {
  enter_part(static_warp, lanes, decoded);
  if (decoded.is_control) return Control<StacklessThreads>(*this).execute(decoded);
  if (decoded.names_members) return wait_for_members(decoded);
  WarpContext& context = static_warp.warp->context;
  if (context.active != 0) decoded.handler(context, decoded);
}

void StacklessThreads::send(LaneMask lanes, std::uint32_t pc) {
  if (!lanes.empty()) add_side(*sides_, lanes, pc);
}

void StacklessThreads::return_to(std::uint32_t pc) {
  return_pc_ = pc;
  send(inactive(), pc);
}

void StacklessThreads::call(CallFrame caller, Threads threads, std::uint32_t target,
                            std::uint32_t frame_bytes) {
  const Activations::Index index =
      activations_.call(activation_, caller.top, frame_bytes, return_pc_,
                        static_cast<std::uint32_t>(threads.count()));
  for (LaneMask l = threads; !l.empty(); l = l.without_lowest()) {
    static_warp_->activation[static_cast<std::size_t>(l.lowest())] = index;
  }
  static_warp_->in_calls = true;
  send(threads, target);
}

void StacklessThreads::leave_function(Threads threads, std::uint32_t next) {
  if (activations_.is_kernel(activation_)) return exit(threads, next);
  send(part_.without(threads), next);
  if (threads.empty()) return;
  const Activations::Index caller = activations_.caller(activation_);
  for (LaneMask l = threads; !l.empty(); l = l.without_lowest()) {
    static_warp_->activation[static_cast<std::size_t>(l.lowest())] = caller;
  }
  send(threads, activations_.return_pc(activation_));
  activations_.leave(activation_, static_cast<std::uint32_t>(threads.count()));
}

void StacklessThreads::exit(Threads threads, std::uint32_t next) {
  send(part_.without(threads), next);
  if (threads.empty()) return;
  StaticWarp& static_warp = *static_warp_;
  for (Activations::Index index = activation_;;) {
    const bool is_kernel = activations_.is_kernel(index);
    const Activations::Index caller = activations_.caller(index);
    activations_.leave(index, static_cast<std::uint32_t>(threads.count()));
    if (is_kernel) break;
    index = caller;
  }
  static_warp.live = static_warp.live.without(threads);
  if (static_warp.live.empty()) {
    finished_static_warps_.push_back(number_of(static_warp));
    return static_warp.block->finish_warp(*static_warp.warp);
  }
  // Other threads may have waited for the threads that exit.
  execute_warp_wide(static_warp);
  count_if_all_wait(static_warp);
}

void StacklessThreads::wait_for_members(const Decoded& decoded) {
  StaticWarp& static_warp = *static_warp_;
  send(inactive(), decoded.index + 1);
  if (active().empty()) return;
  auto waiting = std::find_if(
      static_warp.waiting.begin(), static_warp.waiting.end(),
      [&](const Waiting& other) { return !other.at_barrier && other.pc == decoded.index; });
  if (waiting == static_warp.waiting.end()) {
    waiting = static_warp.waiting.insert(waiting, Waiting{.lanes = {}, .pc = decoded.index});
  }
  waiting->lanes = waiting->lanes | active();
  execute_warp_wide(static_warp);
  if (!static_warp.waiting.empty()) count_if_all_wait(static_warp);
}

/// Executes the warp-wide instruction for every waiting thread whose members (the lanes in its
/// member mask) have all arrived or exited.
void StacklessThreads::execute_warp_wide(StaticWarp& static_warp) {
  std::array<LaneMask, 32> ready{};  // By index in static_warp.waiting, which has at most 32 items.
  for (std::size_t i = 0; i < static_warp.waiting.size(); ++i)
    ready[i] = lanes_with_all_members(static_warp, static_warp.waiting[i]);
  WarpContext& context = static_warp.warp->context;
  for (std::size_t i = 0; i < static_warp.waiting.size(); ++i) {
    if (ready[i].empty()) continue;
    Waiting& waiting = static_warp.waiting[i];
    const Decoded& decoded = static_warp.block->launch().code->instructions[waiting.pc];
    waiting.lanes = waiting.lanes.without(ready[i]);
    if (!decoded.is_control) {
      context.path_active = ready[i].bits();
      context.active = ready[i].bits();
      decoded.handler(context, decoded);
    }
    resumed_.push_back({number_of(static_warp), ready[i], waiting.pc + 1});
  }
  std::erase_if(static_warp.waiting, [](const Waiting& waiting) { return waiting.lanes.empty(); });
}

/// The threads of `waiting` whose members have all arrived or exited. Members must wait at the same
/// instruction. For a bar.warp.sync, they may wait at any bar.warp.sync with the same member mask.
LaneMask StacklessThreads::lanes_with_all_members(const StaticWarp& static_warp,
                                                  const Waiting& waiting) const {
  if (waiting.at_barrier) return {};
  const Launch& block_launch = static_warp.block->launch();
  const auto members = [&](const Waiting& at, int lane) {
    const code::Instruction& instruction = block_launch.program->instructions[at.pc];
    const OperandRef masks = members_of(instruction, block_launch.code->instructions[at.pc]);
    return LaneMask(static_warp.warp->context.lanes(masks)[lane]);
  };
  const auto is_warp_sync = [&](const Waiting& at) {
    return !at.at_barrier &&
           block_launch.program->instructions[at.pc].operation == Operation::warp_sync;
  };
  LaneMask found;
  for (LaneMask remaining = waiting.lanes; !remaining.empty();
       remaining = remaining.without_lowest()) {
    const LaneMask needed = members(waiting, remaining.lowest());
    LaneMask arrived = waiting.lanes;
    for (const Waiting& other : static_warp.waiting) {
      if (!is_warp_sync(waiting) || !is_warp_sync(other)) continue;
      for (LaneMask l = other.lanes; !l.empty(); l = l.without_lowest()) {
        if (members(other, l.lowest()) == needed) {
          arrived = arrived | LaneMask::of_lane(l.lowest());
        }
      }
    }
    if ((needed & static_warp.live).without(arrived).empty())
      found = found | LaneMask::of_lane(remaining.lowest());
  }
  return found;
}

}  // namespace heddle::exec
