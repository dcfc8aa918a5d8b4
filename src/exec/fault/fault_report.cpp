#include "exec/fault/fault_report.h"

#include <fmt/format.h>

#include <bit>

#include "exec/block/block.h"

namespace heddle::exec {
namespace {

std::string triple(const Dim3& position) {
  return fmt::format("({},{},{})", position.x, position.y, position.z);
}

std::string_view meaning_of(FaultKind kind) {
  switch (kind) {
    case FaultKind::out_of_bounds:
      return "access out of bounds";
    case FaultKind::misaligned:
      return "misaligned access";
    case FaultKind::freed_memory:
      return "access to freed memory";
    case FaultKind::read_only:
      return "write to read-only memory";
    case FaultKind::stack_overflow:
      return "stack overflow";
    case FaultKind::invalid_program_counter:
      return "jump to an invalid address";
    case FaultKind::trap:
      return "trap";
    case FaultKind::assertion:
      return "assertion failed";
    case FaultKind::breakpoint:
      return "breakpoint";
    case FaultKind::deadlock:
      return "deadlock";
    case FaultKind::invalid_barrier:
      return "invalid use of a barrier";
    case FaultKind::illegal_instruction:
      return "illegal instruction";
    case FaultKind::invalid_texture:
      return "invalid texture or surface";
    case FaultKind::surface_bounds:
      return "surface access out of bounds";
    case FaultKind::instruction_limit:
      return "instruction limit reached";
    case FaultKind::cycle_limit:
      return "cycle limit reached";
    case FaultKind::invalid_free:
      return "invalid free";
  }
  return "fault";
}

std::string source_place(const code::Program& program, std::uint32_t source) {
  std::string out;
  // Inlining is reported from the inside out; a broken module must not send us in circles.
  for (int depth = 0; source < program.source_lines.size() && depth < 8; ++depth) {
    const code::SourcePlace& place = program.source_lines[source];
    if (place.file >= program.source_files.size()) break;
    out += fmt::format("{}{}:{}", out.empty() ? "" : ", inlined at ",
                       program.source_files[place.file], place.line);
    source = place.inlined_at;
  }
  return out;
}

}  // namespace

std::string place_of(const code::Program& program, std::uint32_t pc) {
  if (pc >= program.instructions.size()) return fmt::format("instruction {}", pc);
  const code::Instruction& instruction = program.instructions[pc];
  const code::FunctionInfo* function = program.function_at(pc);
  std::string ptx = fmt::format("instruction {}", pc);
  if (function != nullptr && function->module < program.modules.size()) {
    ptx = fmt::format("{}:{}", program.modules[function->module].file, instruction.ptx_line);
  }
  ptx += fmt::format(", {}", code::name_of(instruction.operation));
  const std::string source = source_place(program, instruction.source);
  return source.empty() ? ptx : fmt::format("{} ({})", source, ptx);
}

SimulatedFault lane_fault(const Block& block, const Warp& warp, std::uint32_t pc,
                          const LaneFault& fault) {
  const Launch& launch = block.launch();
  const code::FunctionInfo* function = launch.program->function_at(pc);
  std::string message = fmt::format("kernel '{}': {}", launch.info().name, meaning_of(fault.kind));
  if (!fault.detail.empty()) message += ": " + fault.detail;
  message += "\n  at " + place_of(*launch.program, pc);
  if (function != nullptr && !function->is_kernel) {
    message += fmt::format(", in function '{}'", function->name);
  }
  const Dim3 thread = position_in(
      launch.block, std::uint64_t{warp.identity.warp} * 32 + static_cast<unsigned>(fault.lane));
  message += fmt::format("\n  block {}, thread {} (warp {}, lane {})",
                         triple(position_in(launch.grid, block.index())), triple(thread),
                         warp.identity.warp, fault.lane);
  return {fault.kind, message};
}

SimulatedFault deadlock_fault(const Block& block, std::uint32_t unstarted) {
  const Launch& launch = block.launch();
  std::string message =
      fmt::format("kernel '{}': deadlock: block {} can never finish\n", launch.info().name,
                  triple(position_in(launch.grid, block.index())));
  for (std::uint32_t id = 0; id < kBarriers; ++id) {
    const Barrier& barrier = block.barriers()[id];
    if (!barrier.in_use()) continue;
    message += fmt::format("  barrier {}: {} of {} threads have arrived\n", id, barrier.arrived,
                           barrier.expected != 0 ? barrier.expected : block.unfinished_threads());
  }
  std::uint32_t finished = 0;
  for (const Warp& warp : block.warps()) {
    if (warp.state == Warp::State::finished) {
      ++finished;
      continue;
    }
    if ((unstarted >> warp.identity.warp & 1) != 0) {
      message +=
          fmt::format("  warp {} has not started: there is no room for it\n", warp.identity.warp);
      continue;
    }
    // Where a mover has its threads, only that knows.
    if (warp.state == Warp::State::running) {
      message +=
          fmt::format("  warp {} waits for threads that it travels with\n", warp.identity.warp);
      continue;
    }
    message += fmt::format("  warp {} waits at barrier {}{}\n", warp.identity.warp, warp.barrier,
                           warp.mover != nullptr
                               ? std::string()
                               : ", at " + place_of(*launch.program, warp.stack.top().pc));
  }
  message += fmt::format("  {} of {} warps have finished", finished, block.warps().size());
  return {FaultKind::deadlock, message};
}

SimulatedFault limit_fault(const Block& block, std::uint64_t limit) {
  const Launch& launch = block.launch();
  std::string message = fmt::format(
      "kernel '{}': stopped after {} warp instructions, the limit; block {} was running\n",
      launch.info().name, limit, triple(position_in(launch.grid, block.index())));
  for (const Warp& warp : block.warps()) {
    if (warp.state == Warp::State::finished) continue;
    message += fmt::format("  warp {}{} at {}\n", warp.identity.warp,
                           warp.state == Warp::State::at_barrier
                               ? fmt::format(" waits at barrier {},", warp.barrier)
                               : " is",
                           place_of(*launch.program, warp.stack.top().pc));
  }
  message.pop_back();
  return {FaultKind::instruction_limit, message};
}

}  // namespace heddle::exec
