#include "code/assemble.h"

#include "code/control_flow.h"
#include "code/dominators.h"
#include "code/effects.h"

namespace heddle::code {

void assemble(const Function& function, std::uint32_t index, Program& program) {
  FunctionInfo& info = program.functions[index];
  info.entry = static_cast<std::uint32_t>(program.instructions.size());
  info.blocks = static_cast<std::uint32_t>(function.blocks.size());
  info.frame_bytes = function.frame_bytes;

  std::vector<std::uint32_t> start(function.blocks.size() + 1);
  start[0] = info.entry;
  for (std::size_t block = 0; block < function.blocks.size(); ++block) {
    start[block + 1] =
        start[block] + static_cast<std::uint32_t>(function.blocks[block].instructions.size());
  }
  const auto first_table = static_cast<std::uint32_t>(program.branch_tables.size());
  for (const auto& targets : function.branch_tables) {
    std::vector<std::uint32_t>& table = program.branch_tables.emplace_back();
    for (const BlockIndex target : targets) table.push_back(start[target]);
  }
  const std::vector<BlockIndex> reconvergence = reconvergence_of(function);
  for (std::size_t block = 0; block < function.blocks.size(); ++block) {
    for (const Instruction& instruction : function.blocks[block].instructions) {
      Instruction& placed = program.instructions.emplace_back(instruction);
      const bool direct = placed.operation == Operation::branch;
      if (!direct && placed.operation != Operation::branch_indexed) continue;
      placed.target = direct ? start[placed.target] : first_table + placed.target;
      if (reconvergence[block] != kNone) placed.reconvergence = start[reconvergence[block]];
    }
  }
  // Control that runs off the end returns, as in PTX.
  if (!function.blocks.empty()) {
    bool runs_off_end = true;
    if (!program.instructions.empty() && program.instructions.size() > info.entry) {
      runs_off_end = !ends_path(program.instructions.back());
    }
    // A branch to an empty last block runs off the end, too.
    for (std::size_t i = info.entry; i < program.instructions.size() && !runs_off_end; ++i) {
      runs_off_end = program.instructions[i].operation == Operation::branch &&
                     program.instructions[i].target == program.instructions.size();
    }
    if (runs_off_end) {
      Instruction leave;
      leave.operation = function.is_kernel ? Operation::exit : Operation::ret;
      if (program.instructions.size() > info.entry) {
        leave.ptx_line = program.instructions.back().ptx_line;
        leave.source = program.instructions.back().source;
      }
      program.instructions.push_back(leave);
    }
  }
  info.end = static_cast<std::uint32_t>(program.instructions.size());
}

}  // namespace heddle::code
