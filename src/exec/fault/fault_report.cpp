#include "exec/fault/fault_report.h"

#include <fmt/format.h>

#include "exec/block/block.h"
#include "exec/fault/number_ranges.h"

namespace heddle::exec {
namespace {

/// Formats a position, as in "(2,0,0)".
std::string format_position(const Dim3& position) {
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
    case FaultKind::livelock:
      return "livelock";
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

/// Describes entry `source` of Program::source_lines, and where it was inlined, from the innermost
/// place outwards, as in "kernel.cu:12, inlined at kernel.cu:40". Empty if there is no such entry.
std::string source_place(const code::Program& program, std::uint32_t source) {
  std::string out;
  // The depth is limited because a broken module may list places that are inlined in one another.
  for (int depth = 0; source < program.source_lines.size() && depth < 8; ++depth) {
    const code::SourcePlace& place = program.source_lines[source];
    if (place.file >= program.source_files.size()) break;
    out += fmt::format("{}{}:{}", out.empty() ? "" : ", inlined at ",
                       program.source_files[place.file], place.line);
    source = place.inlined_at;
  }
  return out;
}

/// Describes a barrier: how many threads have arrived, which warps wait there, and which do not.
std::string describe_barrier(const Block& block, std::uint32_t id) {
  const Barrier& barrier = block.barriers()[id];
  std::vector<std::uint32_t> waiting_warps;
  std::vector<std::uint32_t> other_warps;
  for (const Warp& warp : block.warps()) {
    if (warp.state == Warp::State::finished) continue;
    const std::uint32_t number = warp.identity.warp;
    const bool waits = (barrier.waiting_warps >> (number - block.first_warp()) & 1) != 0;
    (waits ? waiting_warps : other_warps).push_back(number);
  }
  std::string text =
      fmt::format("  barrier {}: {} of {} threads have arrived", id, barrier.arrived,
                  barrier.expected != 0 ? barrier.expected : block.unfinished_threads());
  if (!waiting_warps.empty()) text += "; waiting: " + format_ranges("warp", waiting_warps);
  if (!other_warps.empty()) text += "; not waiting there: " + format_ranges("warp", other_warps);
  return text + "\n";
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

std::string place_in_function(const code::Program& program, std::uint32_t pc) {
  const code::FunctionInfo* function = program.function_at(pc);
  const bool is_device_function = function != nullptr && !function->is_kernel;
  return place_of(program, pc) +
         (is_device_function ? fmt::format(", in function '{}'", function->name) : std::string());
}

std::string name_of_block(const Block& block) {
  return format_position(position_in(block.launch().grid, block.index()));
}

SimulatedFault lane_fault(const Block& block, const Warp& warp, std::uint32_t pc,
                          const LaneFault& fault) {
  const Launch& launch = block.launch();
  std::string message = fmt::format("kernel '{}': {}", launch.info().name, meaning_of(fault.kind));
  if (!fault.detail.empty()) message += ": " + fault.detail;
  message += "\n  at " + place_in_function(*launch.program, pc);
  const Dim3 thread = position_in(
      launch.block, std::uint64_t{warp.identity.warp} * 32 + static_cast<unsigned>(fault.lane));
  message += fmt::format("\n  block {}, thread {} (warp {}, lane {})", name_of_block(block),
                         format_position(thread), warp.identity.warp, fault.lane);
  return {fault.kind, message, &launch};
}

SimulatedFault deadlock_fault(const Block& block, const std::vector<WarpStatus>& statuses) {
  std::string message = fmt::format("kernel '{}': deadlock: block {} can never finish\n",
                                    block.launch().info().name, name_of_block(block));
  std::uint32_t finished = 0;
  for (const Warp& warp : block.warps()) {
    if (warp.state == Warp::State::finished) ++finished;
  }
  message += fmt::format("  {} of {} warps have finished\n", finished, block.warps().size());
  for (std::uint32_t id = 0; id < kBarriers; ++id) {
    if (block.barriers()[id].is_in_use()) message += describe_barrier(block, id);
  }
  return {FaultKind::deadlock, message + describe(statuses), &block.launch()};
}

SimulatedFault limit_fault(const Launch& launch, std::uint64_t finished_blocks,
                           const std::vector<WarpStatus>& statuses) {
  return {FaultKind::instruction_limit,
          fmt::format("kernel '{}': stopped after {} warp instructions, the limit, with {} of {} "
                      "blocks done\n",
                      launch.info().name, launch.max_warp_instructions, finished_blocks,
                      launch.grid.count()) +
              describe(statuses),
          &launch};
}

}  // namespace heddle::exec
