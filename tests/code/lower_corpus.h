#pragma once

// Finds the PTX files of tests/corpus, and checks properties that all lowered code has.

#include <algorithm>
#include <filesystem>

#include "lower_harness.h"
#include "source_file.h"

namespace heddle::code::test {

namespace fs = std::filesystem;

inline fs::path corpus_folder() { return source_file("tests/corpus"); }

/// The PTX files in a folder and its subfolders, sorted by path.
inline std::vector<fs::path> ptx_files_below(const fs::path& folder) {
  std::vector<fs::path> out;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".ptx") out.push_back(entry.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// Whether the instruction may only be the last of its block.
inline bool leaves_block(const Instruction& in) {
  switch (in.operation) {
    case Operation::branch:
    case Operation::branch_indexed:
      return true;
    case Operation::ret:
    case Operation::exit:
    case Operation::trap:
      return !in.guard.present();
    default:
      return false;
  }
}

/// Whether the function has every register and predicate that the operands name, in that width.
template <class Operands>
bool operands_exist(const Function& body, const Operands& operands) {
  return std::all_of(operands.begin(), operands.end(), [&](const Operand& operand) {
    if (operand.is_predicate()) return operand.index < body.predicates;
    if (!operand.is_register()) return true;
    return operand.index < body.registers.size() &&
           operand.width == body.registers[operand.index].width;
  });
}

/// Whether all blocks have instructions and leave only at their ends, all branch targets and
/// operands exist, and control cannot run past the last block.
inline bool is_well_formed(const Function& body) {
  if (body.blocks.empty()) return false;
  for (const BasicBlock& block : body.blocks) {
    const auto& code = block.instructions;
    if (code.empty()) return false;
    for (std::size_t i = 0; i < code.size(); ++i) {
      if (leaves_block(code[i]) && i + 1 != code.size()) return false;
      if (code[i].operation == Operation::branch && code[i].target >= body.blocks.size()) {
        return false;
      }
      if (!operands_exist(body, code[i].sources)) return false;
      if (!operands_exist(body, code[i].destinations)) return false;
    }
  }
  const Instruction& last = body.blocks.back().instructions.back();
  return leaves_block(last) && !last.guard.present();
}

/// Expects well-formed code for defined functions and no code for external ones.
inline void check_shape(const CompilationUnit& unit, const std::string& file) {
  for (std::size_t f = 0; f < unit.bodies.size(); ++f) {
    const Function& body = unit.bodies[f];
    if (unit.program.functions[f].is_extern) {
      EXPECT_TRUE(body.blocks.empty()) << file << " " << body.name;
    } else {
      EXPECT_TRUE(is_well_formed(body)) << file << " " << body.name;
    }
  }
}

}  // namespace heddle::code::test
