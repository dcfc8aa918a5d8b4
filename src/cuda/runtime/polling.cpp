#include "cuda/runtime/polling.h"

#include <unordered_set>
#include <vector>

namespace heddle::cuda {
namespace {

using code::Operation;

bool is_loop_end(const code::Instruction& instruction, std::uint32_t pc) {
  return instruction.operation == Operation::branch_indexed ||
         (instruction.operation == Operation::branch && instruction.target <= pc);
}

bool may_see_changes(const code::Instruction& instruction) {
  if (instruction.space != code::Space::global && instruction.space != code::Space::generic) {
    return false;
  }
  if (instruction.operation == Operation::atomic) return true;
  return instruction.operation == Operation::load &&
         (instruction.order != code::MemoryOrder::weak ||
          instruction.cache == code::CacheOperator::uncached);
}

}  // namespace

bool may_poll(const code::Program& program, std::uint32_t kernel) {
  bool has_loop = false;
  bool reads_again = false;
  std::vector<std::uint32_t> pending{kernel};
  std::unordered_set<std::uint32_t> seen{kernel};
  while (!pending.empty()) {
    const code::FunctionInfo& function = program.functions[pending.back()];
    pending.pop_back();
    if (function.calls_indirectly) return true;
    has_loop |= function.stack_unbounded;
    for (std::uint32_t pc = function.entry; pc < function.end; ++pc) {
      has_loop |= is_loop_end(program.instructions[pc], pc);
      reads_again |= may_see_changes(program.instructions[pc]);
    }
    for (const std::uint32_t callee : function.callees) {
      if (seen.insert(callee).second) pending.push_back(callee);
    }
  }
  return has_loop && reads_again;
}

}  // namespace heddle::cuda
