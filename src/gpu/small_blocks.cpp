#include "gpu/small_blocks.h"

#include <algorithm>

#include "code/call_graph.h"
#include "code/operation_properties.h"

namespace heddle::gpu {
namespace {

bool has_barrier(const code::Program& program, const code::FunctionInfo& function) {
  const auto first = program.instructions.begin() + function.entry;
  const auto last = program.instructions.begin() + function.end;
  return std::any_of(first, last, [](const code::Instruction& instruction) {
    return code::properties_of(instruction.operation).functional_class ==
           code::FunctionalClass::barrier;
  });
}

}  // namespace

bool can_be_cut(const exec::Launch& launch) {
  if (launch.shared_bytes() > 0 || launch.grid_workspace != 0) return false;
  const code::Program& program = *launch.program;
  const code::CallGraph calls(program);
  const std::vector<std::uint32_t> reachable = calls.reachable_from(launch.function);
  return std::none_of(reachable.begin(), reachable.end(), [&](std::uint32_t function) {
    return calls.is_function(function) && has_barrier(program, program.functions[function]);
  });
}

std::unique_ptr<const exec::Launch> cut_into_warps(const exec::Launch& launch) {
  auto cut = std::make_unique<exec::Launch>(launch);
  cut->splits_blocks_into_warps = true;
  return cut;
}

}  // namespace heddle::gpu
