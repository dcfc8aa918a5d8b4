#include "code/effects.h"
#include "code/liveness.h"
#include "code/optimise/passes.h"

namespace heddle::code {

// Marks instructions that must stay and, transitively, the writers of what they read. Unlike a
// method that uses liveness, this also removes values that only feed themselves around a loop.
bool remove_dead_code(Function& function) {
  const ValueNumbering values(function);
  struct Place {
    BlockIndex block;
    std::uint32_t index;
  };
  // A linked list for each value: the instructions that write it.
  std::vector<std::uint32_t> first_definition(values.count(), kNone);
  std::vector<std::uint32_t> next_definition;
  std::vector<Place> places;
  std::vector<Place> work;
  std::vector<std::vector<bool>> keep(function.blocks.size());
  for (BlockIndex block = 0; block < function.blocks.size(); ++block) {
    const auto& instructions = function.blocks[block].instructions;
    keep[block].assign(instructions.size(), false);
    for (std::uint32_t i = 0; i < instructions.size(); ++i) {
      const Instruction& instruction = instructions[i];
      for_each_written(instruction, [&](const Operand& operand) {
        const std::uint32_t value = values.number_of(operand);
        next_definition.push_back(first_definition[value]);
        first_definition[value] = static_cast<std::uint32_t>(places.size());
        places.push_back({block, i});
      });
      if (!effects_of(instruction).removable) {
        keep[block][i] = true;
        work.push_back({block, i});
      }
    }
  }
  std::vector<bool> was_read(values.count());
  const auto read = [&](std::uint32_t value) {
    was_read[value] = true;
    for (std::uint32_t place = first_definition[value]; place != kNone;
         place = next_definition[place]) {
      const Place definition = places[place];
      if (keep[definition.block][definition.index]) continue;
      keep[definition.block][definition.index] = true;
      work.push_back(definition);
    }
    first_definition[value] = kNone;
  };
  while (!work.empty()) {
    const Place place = work.back();
    work.pop_back();
    const Instruction& instruction = function.blocks[place.block].instructions[place.index];
    for_each_read(instruction, [&](const Operand& operand) { read(values.number_of(operand)); });
    if (instruction.guard.present()) read(values.number_of(instruction.guard));
  }

  // An atomic becomes a reduction if its old value is never read.
  for (BlockIndex block = 0; block < function.blocks.size(); ++block) {
    auto& instructions = function.blocks[block].instructions;
    for (std::size_t i = 0; i < instructions.size(); ++i) {
      if (instructions[i].operation != Operation::atomic) continue;
      bool is_read = false;
      for_each_written(instructions[i], [&](const Operand& operand) {
        is_read = is_read || was_read[values.number_of(operand)];
      });
      if (!is_read) instructions[i].destinations.clear();
    }
  }

  // Parts of a result that are never read need no register, as with the hardware's texture
  // instructions, which have a write mask.
  for (BasicBlock& block : function.blocks) {
    for (Instruction& instruction : block.instructions) {
      if (instruction.operation != Operation::texture &&
          instruction.operation != Operation::unpack) {
        continue;
      }
      for (Operand& part : instruction.destinations) {
        if (part.is_register() && !was_read[values.number_of(part)]) part = Operand::none();
      }
    }
  }

  bool changed = false;
  for (BlockIndex block = 0; block < function.blocks.size(); ++block) {
    auto& instructions = function.blocks[block].instructions;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < instructions.size(); ++i) {
      if (!keep[block][i]) continue;
      if (kept != i) instructions[kept] = instructions[i];
      ++kept;
    }
    changed = changed || kept != instructions.size();
    instructions.resize(kept);
  }
  return changed;
}

}  // namespace heddle::code
