#include "exec/block/control.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "exec/divergence/large_warp_threads.h"
#include "exec/divergence/stackless_threads.h"
#include "exec/fault/fault.h"
#include "exec/memory/address_space.h"
#include "exec/system/system_services.h"

namespace heddle::exec {
namespace {

/// The value of one lane of an operand of `width` registers (1 or 2).
std::uint64_t value_of(const std::uint32_t* words, int lane, int width) {
  return words[lane] | (width == 2 ? std::uint64_t{words[lane + 32]} << 32 : 0);
}

void set_value(std::uint32_t* words, int lane, int width, std::uint64_t value) {
  words[lane] = static_cast<std::uint32_t>(value);
  if (width == 2) words[lane + 32] = static_cast<std::uint32_t>(value >> 32);
}

}  // namespace

template <class Group>
template <class Each>
void Control<Group>::for_each_active(Each each) {
  group_.for_each_static_warp([&](WarpContext& context, auto threads) {
    for (LaneMask lanes(context.active); !lanes.empty(); lanes = lanes.without_lowest()) {
      const int lane = lanes.lowest();
      each(context, lane, [&] { return threads(LaneMask::of_lane(lane)); });
    }
  });
}

template <class Group>
void Control<Group>::execute(const Decoded& decoded) {
  using code::Operation;
  const code::Instruction& instruction = launch().program->instructions[decoded.index];
  Flow& flow = group_.flow();
  const std::uint32_t next = decoded.index + 1;
  switch (instruction.operation) {
    case Operation::branch:
      return flow.branch(group_.active(), instruction.target, next, instruction.reconvergence);
    case Operation::branch_indexed:
      return branch_indexed(decoded, instruction);
    case Operation::call:
      if (group_.active().empty()) return flow.advance(next);
      flow.return_to(next);
      return call(instruction.target, group_.active(), flow.frame());
    case Operation::call_indirect:
      return call_indirect(decoded);
    case Operation::ret:
      return flow.leave_function(group_.active(), next);
    case Operation::exit:
      return flow.exit(group_.active(), next);
    case Operation::barrier:
      return group_.arrive_at_barrier(decoded);
    case Operation::warp_sync:
      return group_.warp_sync(decoded);
    case Operation::trap:
    case Operation::breakpoint:
      for_each_active([&](WarpContext&, int lane, auto) {
        raise(instruction.operation == Operation::trap ? FaultKind::trap : FaultKind::breakpoint,
              lane, 0, 0);
      });
      break;
    case Operation::nanosleep:
      break;  // Functional execution has no notion of time, so the pause takes none.
    case Operation::alloca:
      allocate_stack(decoded);
      break;
    case Operation::stack_save:
      read_stack_pointer(decoded);
      break;
    case Operation::stack_restore:
      restore_stack(decoded);
      break;
    case Operation::system_call:
      system_call(decoded, instruction);
      break;
    default:
      group_.for_each_static_warp([&](WarpContext& context, auto) {
        raise(FaultKind::illegal_instruction, LaneMask(context.path_active).lowest(), 0, 0,
              fmt::format("{} is not a control instruction", code::name_of(instruction.operation)));
      });
  }
  flow.advance(next);
}

template <class Group>
void Control<Group>::branch_indexed(const Decoded& decoded, const code::Instruction& instruction) {
  const std::vector<std::uint32_t>& table = launch().program->branch_tables[instruction.target];
  typename Flow::Sides sides;
  for_each_active([&](const WarpContext& context, int lane, auto thread) {
    const std::uint32_t index = context.lanes(decoded.source[0])[lane];
    if (index >= table.size()) {
      raise(FaultKind::invalid_program_counter, lane, 0, 0,
            fmt::format("brx.idx with index {} into a table of {}", index, table.size()));
    }
    add_side(sides, thread(), table[index]);
  });
  const Threads inactive = group_.inactive();
  if (!inactive.empty()) add_side(sides, inactive, decoded.index + 1);
  group_.flow().branch_many(sides, instruction.reconvergence);
}

template <class Group>
void Control<Group>::call(std::uint32_t function, const Threads& threads, const CallFrame& caller) {
  const code::FunctionInfo& info = launch().program->functions[function];
  const std::uint64_t top = std::uint64_t{caller.top} + info.frame_bytes;
  if (top > launch().local_bytes) {
    for_each_active([&](WarpContext&, int lane, auto) { check_stack(top, lane); });
  }
  group_.flow().call(caller, threads, info.entry, info.frame_bytes);
}

template <class Group>
void Control<Group>::call_indirect(const Decoded& decoded) {
  const std::vector<code::FunctionInfo>& functions = launch().program->functions;
  // One call for each function that at least one thread calls. The function that the lowest active
  // lane calls runs first. In `calls`, the targets are function indices, not program counters.
  typename Flow::Sides calls;
  for_each_active([&](const WarpContext& context, int lane, auto thread) {
    const std::uint64_t address = value_of(context.lanes(decoded.source[0]), lane, 2);
    const std::uint64_t index = (address - kFunctionWindow) / 16 - 1;
    if (address % 16 != 0 || index >= functions.size() || functions[index].is_kernel ||
        functions[index].is_extern) {
      raise(FaultKind::invalid_program_counter, lane, address, 0,
            fmt::format("a call through the pointer {:#x}, which points to no function", address));
    }
    add_side(calls, thread(), static_cast<std::uint32_t>(index));
  });
  Flow& flow = group_.flow();
  if (calls.empty()) return flow.advance(decoded.index + 1);
  const CallFrame caller = flow.frame();
  flow.return_to(decoded.index + 1);
  for (std::size_t i = calls.size(); i-- > 0;) call(calls[i].target, calls[i].threads, caller);
}

void SoloWarp::warp_sync(const Decoded& decoded) {
  ReconvergenceStack& stack = warp_.stack;
  if (active().empty()) return stack.advance(decoded.index + 1);
  const LaneMask members(warp_.context.lanes(decoded.source[0])[active().lowest()]);
  stack.arrive(active());
  LaneMask arrived;
  for (const ReconvergenceStack::Entry& entry : stack.entries()) arrived = arrived | entry.arrived;
  // If members on another side of the same divergent branch have not arrived, that side runs first.
  // Members in lower stack entries wait at a reconvergence point. They cannot arrive before this
  // side has continued.
  const bool all_arrived = (members & stack.live()).without(arrived).empty();
  if (!all_arrived && stack.rotate()) return;
  stack.release([&](const ReconvergenceStack::Entry& entry) {
    return launch().program->instructions[entry.pc].operation == code::Operation::warp_sync;
  });
}

template <class Group>
void Control<Group>::check_stack(std::uint64_t top, int lane) const {
  if (top <= launch().local_bytes) return;
  raise(FaultKind::stack_overflow, lane, 0, 0,
        fmt::format("the stack needs {} bytes, but a thread has {} (call depth {})", top,
                    launch().local_bytes, group_.flow().call_depth()));
}

template <class Group>
void Control<Group>::allocate_stack(const Decoded& decoded) {
  const code::Instruction& instruction = launch().program->instructions[decoded.index];
  const int source_width = instruction.sources[0].width;
  const int width = instruction.destinations[0].width;
  CallFrame& frame = group_.flow().frame();
  const auto alignment = static_cast<std::uint64_t>(std::max<std::int64_t>(instruction.offset, 16));
  const std::uint64_t start = (frame.top + alignment - 1) / alignment * alignment;
  // All threads of a call have the same frame size, so each gets the largest size requested.
  std::uint64_t largest = 0;
  for_each_active([&](const WarpContext& context, int lane, auto) {
    largest = std::max(largest, value_of(context.lanes(decoded.source[0]), lane, source_width));
  });
  if (largest > launch().local_bytes) largest = launch().local_bytes + std::uint64_t{1};
  const std::uint64_t top = (start + largest + 15) / 16 * 16;
  bool any = false;
  for_each_active([&](const WarpContext& context, int lane, auto) {
    check_stack(top, lane);
    set_value(context.lanes(decoded.destination[0]), lane, width, start);
    any = true;
  });
  if (any) frame.top = static_cast<std::uint32_t>(top);
}

template <class Group>
void Control<Group>::read_stack_pointer(const Decoded& decoded) {
  const int width = launch().program->instructions[decoded.index].destinations[0].width;
  const std::uint32_t top = group_.flow().frame().top;
  for_each_active([&](const WarpContext& context, int lane, auto) {
    set_value(context.lanes(decoded.destination[0]), lane, width, top);
  });
}

template <class Group>
void Control<Group>::restore_stack(const Decoded& decoded) {
  // Other threads of the call may use more of the stack. The frame shrinks only if all threads of
  // the call execute this instruction together.
  Flow& flow = group_.flow();
  if (group_.active().empty() || !flow.is_whole_call(group_.active())) return;
  const int width = launch().program->instructions[decoded.index].sources[0].width;
  CallFrame& frame = flow.frame();
  std::uint32_t restored = frame.top;
  bool first = true;
  for_each_active([&](const WarpContext& context, int lane, auto) {
    if (!first) return;
    first = false;
    const std::uint64_t top = value_of(context.lanes(decoded.source[0]), lane, width);
    if (top < frame.base || top > frame.top) {
      raise(FaultKind::stack_overflow, lane, top, 0,
            fmt::format("stackrestore to {:#x}, outside the frame {:#x} to {:#x}", top, frame.base,
                        frame.top));
    }
    restored = static_cast<std::uint32_t>(top);
  });
  frame.top = restored;
}

template <class Group>
void Control<Group>::system_call(const Decoded& decoded, const code::Instruction& instruction) {
  for_each_active([&](WarpContext& context, int lane, auto) {
    InlineVector<std::uint64_t, 8> arguments;
    for (std::size_t i = 0; i < decoded.source_count && !arguments.full(); ++i) {
      const OperandRef ref =
          decoded.source[std::min<std::size_t>(i, std::size(decoded.source) - 1)];
      arguments.push_back(value_of(context.lanes(ref), lane, instruction.sources[i].width));
    }
    const std::uint64_t result =
        launch().services->call(instruction.system_call, arguments, context, lane);
    if (!instruction.destinations.empty() && instruction.destinations[0].is_register()) {
      set_value(context.lanes(decoded.destination[0]), lane, instruction.destinations[0].width,
                result);
    }
  });
}

template class Control<SoloWarp>;
template class Control<LargeWarpThreads>;
template class Control<StacklessThreads>;

}  // namespace heddle::exec
