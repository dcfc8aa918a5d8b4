#pragma once

// Builds small functions with physical registers by hand, and prints their placement (the
// register-file levels of each operand): one line for each instruction, as in listings.

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "code/assemble.h"
#include "code/listing.h"
#include "code/placement/place_text.h"
#include "code/placement/place_values.h"
#include "hierarchies.h"
#include "placement_check.h"

namespace heddle::code::testing {

inline Instruction instruction_of(Operation operation, std::vector<Operand> destinations,
                                  std::vector<Operand> sources) {
  Instruction instruction;
  instruction.operation = operation;
  for (const Operand& operand : destinations) instruction.destinations.push_back(operand);
  for (const Operand& operand : sources) instruction.sources.push_back(operand);
  return instruction;
}

inline std::vector<Operand> registers(const std::vector<std::uint32_t>& indices) {
  std::vector<Operand> operands;
  for (const std::uint32_t index : indices) operands.push_back(Operand::reg(index));
  return operands;
}

/// An instruction that runs in the lane's private units.
inline Instruction add(std::uint32_t to, const std::vector<std::uint32_t>& from) {
  return instruction_of(Operation::add, registers({to}), registers(from));
}
/// Writes a constant to a register.
inline Instruction set(std::uint32_t to) {
  return instruction_of(Operation::move, registers({to}), {Operand::immediate(7)});
}
/// A special function: it runs in a unit that lanes share, and is not a long-latency operation.
inline Instruction sine(std::uint32_t to, std::uint32_t from) {
  return instruction_of(Operation::sin, registers({to}), registers({from}));
}
inline Instruction load(std::uint32_t to, std::uint32_t address) {
  Instruction load = instruction_of(Operation::load, registers({to}), registers({address}));
  load.space = Space::global;
  return load;
}
inline Instruction store(std::uint32_t address, std::uint32_t value) {
  Instruction store = instruction_of(Operation::store, {}, registers({address, value}));
  store.space = Space::global;
  return store;
}
/// An instruction without operands.
inline Instruction plain(Operation operation) { return instruction_of(operation, {}, {}); }
inline Instruction jump(BlockIndex target) {
  Instruction branch = plain(Operation::branch);
  branch.target = target;
  return branch;
}
inline Instruction guarded(Instruction instruction, std::uint32_t predicate = 0,
                           bool negated = false) {
  instruction.guard = {predicate, negated};
  return instruction;
}
/// A guarded branch to `target` or to the next block.
inline Instruction branch(BlockIndex target) { return guarded(jump(target)); }

inline Function function_of(std::vector<std::vector<Instruction>> blocks) {
  Function function;
  function.name = "f";
  function.is_kernel = true;
  for (std::vector<Instruction>& block : blocks) {
    function.blocks.emplace_back().instructions = std::move(block);
  }
  return function;
}

inline Program place_and_assemble(const Function& function, const Hierarchy& hierarchy) {
  Program program;
  program.functions.emplace_back().name = function.name;
  program.functions[0].is_kernel = function.is_kernel;
  assemble(function, 0, program);
  program.placement = place_values(function, hierarchy);
  program.placement.resize(program.instructions.size());
  return program;
}

/// Expects that neither placement check (placement_check.h) finds a mistake.
inline void expect_correct(const Program& program, const Hierarchy& hierarchy) {
  const FunctionInfo& function = program.functions[0];
  EXPECT_EQ(mistakes_in(program, function, hierarchy), std::vector<std::string>());
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    EXPECT_EQ(mistakes_of_simulated_warp(program, function, hierarchy, seed, 300),
              std::vector<std::string>());
  }
}

/// Lines such as "add R1@o0, R2", with the operands' places (place_text.h explains the notation).
/// The prefix "| " marks the beginning of a strand, and "~ " a suspension of the warp, where a
/// strand may begin, too.
inline std::vector<std::string> placed_lines(const Function& function, const Hierarchy& hierarchy) {
  const Program program = place_and_assemble(function, hierarchy);
  expect_correct(program, hierarchy);
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    const InstructionPlacement& placement = program.placement[i];
    std::string line = placement.begins_strand ? "| " : "";
    if (placement.suspends) line = "~ ";
    lines.push_back(line + text_of(program, program.instructions[i], &placement));
  }
  return lines;
}

/// A hierarchy without a last-result file.
inline Hierarchy two_levels(std::uint32_t entries = 3) {
  Hierarchy hierarchy = usual_hierarchy();
  hierarchy.last_result = LastResultFile::none;
  hierarchy.operand_entries = entries;
  return hierarchy;
}

/// The positions of the instructions at which a strand begins, and of those before which the warp
/// is suspended.
struct StrandMarks {
  std::vector<std::uint32_t> beginnings, suspensions;
};
inline StrandMarks strands_of(const Function& function, const Hierarchy& hierarchy) {
  const Program program = place_and_assemble(function, hierarchy);
  expect_correct(program, hierarchy);
  StrandMarks marks;
  for (std::uint32_t i = 0; i < program.placement.size(); ++i) {
    if (program.placement[i].begins_strand) marks.beginnings.push_back(i);
    if (program.placement[i].suspends) marks.suspensions.push_back(i);
  }
  return marks;
}

}  // namespace heddle::code::testing
