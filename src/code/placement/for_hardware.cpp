#include "code/placement/for_hardware.h"

#include "code/effects.h"
#include "code/physical_liveness.h"
#include "code/placement/code_order.h"

namespace heddle::code {
namespace {

/// Updates `live` from the point after an instruction to the point before it. `live` has the
/// registers whose values shared units may read later.
void step_back_to_shared_reads(const Instruction& instruction, const Hierarchy& hierarchy,
                               LiveSet& live) {
  if (!keeps_old_values(instruction)) {
    for_each_written(instruction, [&](const Operand& operand) { live.remove(operand); });
  }
  if (!hierarchy.in_shared_unit(instruction)) return;
  for_each_read(instruction, [&](const Operand& operand) { live.add(operand); });
}

/// By block: the registers whose values shared units may read after it.
std::vector<LiveSet> shared_reads_after_blocks(const CodeOrder& code, const Hierarchy& hierarchy) {
  std::vector<LiveSet> before(code.blocks());
  std::vector<LiveSet> after(code.blocks());
  for (bool changes = true; changes;) {
    changes = false;
    for (BlockIndex block = code.blocks(); block-- > 0;) {
      after[block] = live_out_of(code.control_flow, before, block);
      LiveSet live = after[block];
      for (Position at = code.first_position[block + 1]; at-- > code.first_position[block];) {
        step_back_to_shared_reads(*code.instructions[at], hierarchy, live);
      }
      changes = changes || live.bits != before[block].bits;
      before[block] = live;
    }
  }
  return after;
}

}  // namespace

std::vector<InstructionPlacement> place_for_hardware(const Function& function,
                                                     const Hierarchy& hierarchy) {
  const CodeOrder code(function);
  const std::vector<LiveSet> after = shared_reads_after_blocks(code, hierarchy);
  std::vector<InstructionPlacement> placement(code.size());
  for (BlockIndex block = 0; block < code.blocks(); ++block) {
    LiveSet live = after[block];
    for (Position at = code.first_position[block + 1]; at-- > code.first_position[block];) {
      const Instruction& instruction = *code.instructions[at];
      for (const WordRead& read : words_read(instruction)) {
        placement[at].reads.push_back({.word = read.word});
      }
      for_each_word_written(instruction, [&](std::uint16_t word) {
        const RegisterLevel level =
            live.has_register(word) ? RegisterLevel::operand : RegisterLevel::last_result;
        placement[at].writes.push_back({.word = word, .upper = {.level = level}});
      });
      step_back_to_shared_reads(instruction, hierarchy, live);
    }
  }
  return placement;
}

}  // namespace heddle::code
