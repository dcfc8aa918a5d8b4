#include "exec/control.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "exec/address_space.h"
#include "exec/fault.h"
#include "exec/system_services.h"

namespace heddle::exec {
namespace {

std::uint64_t value_of(const std::uint32_t* row, int lane, int width) {
  return row[lane] | (width == 2 ? std::uint64_t{row[lane + 32]} << 32 : 0);
}

void set_value(std::uint32_t* row, int lane, int width, std::uint64_t value) {
  row[lane] = static_cast<std::uint32_t>(value);
  if (width == 2) row[lane + 32] = static_cast<std::uint32_t>(value >> 32);
}

}  // namespace

void Control::execute(const Decoded& decoded) {
  using code::Operation;
  const code::Instruction& instruction = launch().program->instructions[decoded.index];
  ReconvergenceStack& stack = warp_.stack;
  const std::uint32_t next = decoded.index + 1;
  switch (instruction.operation) {
    case Operation::branch:
      return branch(decoded, instruction);
    case Operation::branch_indexed:
      return branch_indexed(decoded, instruction);
    case Operation::call:
      if (active().empty()) return stack.advance(next);
      stack.top().pc = next;
      return call(instruction.target, active(), stack.frame());
    case Operation::call_indirect:
      return call_indirect(decoded);
    case Operation::ret:
      return stack.leave_function(active(), next);
    case Operation::exit:
      return stack.exit(active(), next);
    case Operation::barrier:
      return block_.arrive_at_barrier(warp_, decoded);
    case Operation::warp_sync:
      return warp_sync(decoded);
    case Operation::trap:
    case Operation::breakpoint:
      if (!active().empty()) {
        raise(instruction.operation == Operation::trap ? FaultKind::trap : FaultKind::breakpoint,
              active().lowest(), 0, 0);
      }
      break;
    case Operation::nanosleep:
      break;  // Without a clock, a pause of no length.
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
      raise(FaultKind::illegal_instruction, LaneMask(warp_.context.path_active).lowest(), 0, 0,
            fmt::format("{} is not a control instruction", code::name_of(instruction.operation)));
  }
  stack.advance(next);
}

void Control::branch(const Decoded& decoded, const code::Instruction& instruction) {
  warp_.stack.branch(active(), instruction.target, decoded.index + 1, instruction.reconvergence);
}

void Control::branch_indexed(const Decoded& decoded, const code::Instruction& instruction) {
  const std::vector<std::uint32_t>& table = launch().program->branch_tables[instruction.target];
  const std::uint32_t* index = warp_.context.row(decoded.source[0]);
  ReconvergenceStack::Sides sides;
  const auto add = [&](LaneMask lanes, std::uint32_t target) {
    for (ReconvergenceStack::Side& side : sides) {
      if (side.target == target) {
        side.lanes = side.lanes | lanes;
        return;
      }
    }
    sides.push_back({lanes, target});
  };
  for (LaneMask lanes = active(); !lanes.empty(); lanes = lanes.without_lowest()) {
    const int lane = lanes.lowest();
    if (index[lane] >= table.size()) {
      raise(FaultKind::invalid_program_counter, lane, 0, 0,
            fmt::format("brx.idx with index {} into a table of {}", index[lane], table.size()));
    }
    add(LaneMask::of_lane(lane), table[index[lane]]);
  }
  const LaneMask others = LaneMask(warp_.context.path_active).without(active());
  if (!others.empty()) add(others, decoded.index + 1);
  warp_.stack.branch_many(sides, instruction.reconvergence);
}

void Control::call(std::uint32_t function, LaneMask lanes,
                   const ReconvergenceStack::Frame& caller) {
  const code::FunctionInfo& info = launch().program->functions[function];
  check_stack(std::uint64_t{caller.top} + info.frame_bytes, lanes);
  warp_.stack.call(caller, lanes, info.entry, info.frame_bytes);
}

void Control::call_indirect(const Decoded& decoded) {
  const std::uint32_t* row = warp_.context.row(decoded.source[0]);
  const std::vector<code::FunctionInfo>& functions = launch().program->functions;
  // One call for each function that some thread calls; the one of the lowest lane runs first.
  ReconvergenceStack::Sides calls;  // Of functions, not of program counters.
  for (LaneMask lanes = active(); !lanes.empty(); lanes = lanes.without_lowest()) {
    const int lane = lanes.lowest();
    const std::uint64_t address = value_of(row, lane, 2);
    const std::uint64_t index = (address - kFunctionWindow) / 16 - 1;
    if (address % 16 != 0 || index >= functions.size() || functions[index].is_kernel ||
        functions[index].is_extern) {
      raise(FaultKind::invalid_program_counter, lane, address, 0,
            fmt::format("a call through the pointer {:#x}, which is no function", address));
    }
    const auto function = static_cast<std::uint32_t>(index);
    const auto known = std::find_if(calls.begin(), calls.end(),
                                    [&](const auto& c) { return c.target == function; });
    if (known == calls.end()) {
      calls.push_back({LaneMask::of_lane(lane), function});
    } else {
      known->lanes = known->lanes | LaneMask::of_lane(lane);
    }
  }
  ReconvergenceStack& stack = warp_.stack;
  if (calls.empty()) return stack.advance(decoded.index + 1);
  const ReconvergenceStack::Frame caller = stack.frame();
  stack.top().pc = decoded.index + 1;
  for (std::size_t i = calls.size(); i-- > 0;) call(calls[i].target, calls[i].lanes, caller);
}

void Control::warp_sync(const Decoded& decoded) {
  ReconvergenceStack& stack = warp_.stack;
  if (active().empty()) return stack.advance(decoded.index + 1);
  const LaneMask members(warp_.context.row(decoded.source[0])[active().lowest()]);
  stack.arrive(active());
  LaneMask arrived;
  for (const ReconvergenceStack::Entry& entry : stack.entries()) arrived = arrived | entry.arrived;
  // Members on another side of a divergence get the chance to arrive. Those that wait further down,
  // at a point behind this one, cannot come before this side has gone on.
  const bool all_here = (members & stack.live()).without(arrived).empty();
  if (!all_here && stack.rotate()) return;
  stack.release([&](const ReconvergenceStack::Entry& entry) {
    return launch().program->instructions[entry.pc].operation == code::Operation::warp_sync;
  });
}

void Control::check_stack(std::uint64_t top, LaneMask lanes) const {
  if (top <= launch().local_bytes) return;
  raise(FaultKind::stack_overflow, lanes.lowest(), 0, 0,
        fmt::format("the stack would take {} bytes, and a thread has {} (call depth {})", top,
                    launch().local_bytes, warp_.stack.call_depth()));
}

void Control::allocate_stack(const Decoded& decoded) {
  if (active().empty()) return;
  const code::Instruction& instruction = launch().program->instructions[decoded.index];
  const std::uint32_t* sizes = warp_.context.row(decoded.source[0]);
  const int source_width = instruction.sources[0].width;
  const int width = instruction.destinations[0].width;
  // A frame is the same for all threads of a call, so each gets as much as the greediest.
  std::uint64_t largest = 0;
  for (LaneMask lanes = active(); !lanes.empty(); lanes = lanes.without_lowest()) {
    largest = std::max(largest, value_of(sizes, lanes.lowest(), source_width));
  }
  ReconvergenceStack::Frame& frame = warp_.stack.frame();
  const auto alignment = static_cast<std::uint64_t>(std::max<std::int64_t>(instruction.offset, 16));
  const std::uint64_t start = (frame.top + alignment - 1) / alignment * alignment;
  if (largest > launch().local_bytes) largest = launch().local_bytes + std::uint64_t{1};
  const std::uint64_t top = (start + largest + 15) / 16 * 16;
  check_stack(top, active());
  frame.top = static_cast<std::uint32_t>(top);
  std::uint32_t* out = warp_.context.row(decoded.destination[0]);
  for (LaneMask lanes = active(); !lanes.empty(); lanes = lanes.without_lowest()) {
    set_value(out, lanes.lowest(), width, start);
  }
}

void Control::read_stack_pointer(const Decoded& decoded) {
  const int width = launch().program->instructions[decoded.index].destinations[0].width;
  std::uint32_t* out = warp_.context.row(decoded.destination[0]);
  for (LaneMask lanes = active(); !lanes.empty(); lanes = lanes.without_lowest()) {
    set_value(out, lanes.lowest(), width, warp_.stack.frame().top);
  }
}

void Control::restore_stack(const Decoded& decoded) {
  if (active().empty()) return;
  // Threads still apart may hold more of the stack than these: only a whole call gives it back.
  const ReconvergenceStack& stack = warp_.stack;
  for (const ReconvergenceStack::Entry& entry : stack.entries()) {
    if (&entry != &stack.top() && entry.frame == stack.top().frame &&
        !entry.mask.without(active()).empty()) {
      return;
    }
  }
  const int width = launch().program->instructions[decoded.index].sources[0].width;
  const int lane = active().lowest();
  const std::uint64_t top = value_of(warp_.context.row(decoded.source[0]), lane, width);
  ReconvergenceStack::Frame& frame = warp_.stack.frame();
  if (top < frame.base || top > frame.top) {
    raise(FaultKind::stack_overflow, lane, top, 0,
          fmt::format("stackrestore to {:#x}, outside the frame {:#x} to {:#x}", top, frame.base,
                      frame.top));
  }
  frame.top = static_cast<std::uint32_t>(top);
}

void Control::system_call(const Decoded& decoded, const code::Instruction& instruction) {
  LaneContext& context = warp_.context;
  for (LaneMask lanes = active(); !lanes.empty(); lanes = lanes.without_lowest()) {
    const int lane = lanes.lowest();
    InlineVector<std::uint64_t, 8> arguments;
    for (std::size_t i = 0; i < decoded.source_count && !arguments.full(); ++i) {
      const RowRef ref = decoded.source[std::min<std::size_t>(i, std::size(decoded.source) - 1)];
      arguments.push_back(value_of(context.row(ref), lane, instruction.sources[i].width));
    }
    const std::uint64_t result =
        launch().services->call(instruction.system_call, arguments, context, lane);
    if (!instruction.destinations.empty() && instruction.destinations[0].is_register()) {
      set_value(context.row(decoded.destination[0]), lane, instruction.destinations[0].width,
                result);
    }
  }
}

}  // namespace heddle::exec
