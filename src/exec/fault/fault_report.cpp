#include "exec/fault/fault_report.h"

#include <fmt/format.h>

#include "exec/block/block.h"
#include "exec/fault/number_ranges.h"

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

std::string source_place(const code::Program& program, std::uint32_t source) {
  std::string out;
  // Inlining is reported from the inside out. The depth is limited in case a broken module has a
  // cycle.
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
  std::vector<std::uint32_t> here;
  std::vector<std::uint32_t> not_here;
  for (const Warp& warp : block.warps()) {
    if (warp.state == Warp::State::finished) continue;
    const std::uint32_t number = warp.identity.warp;
    ((barrier.waiting_warps >> number & 1) != 0 ? here : not_here).push_back(number);
  }
  std::string text =
      fmt::format("  barrier {}: {} of {} threads have arrived", id, barrier.arrived,
                  barrier.expected != 0 ? barrier.expected : block.unfinished_threads());
  if (!here.empty()) text += "; waiting: " + ranges_of("warp", here);
  if (!not_here.empty()) text += "; not waiting there: " + ranges_of("warp", not_here);
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
  const bool names_it = function != nullptr && !function->is_kernel;
  return place_of(program, pc) +
         (names_it ? fmt::format(", in function '{}'", function->name) : std::string());
}

std::string name_of_block(const Block& block) {
  return triple(position_in(block.launch().grid, block.index()));
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
                         triple(thread), warp.identity.warp, fault.lane);
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
    if (block.barriers()[id].in_use()) message += describe_barrier(block, id);
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
