#pragma once

// Finds registers and predicates with a single definition, which have the same contents at each
// read. In this folder, a value is a register or predicate, identified by its number in a
// ValueNumbering.

#include <cstdint>
#include <vector>

#include "code/dominators.h"
#include "code/function.h"
#include "code/liveness.h"

namespace heddle::code {

class Definitions {
 public:
  /// The place of an instruction.
  struct Place {
    BlockIndex block = kNone;
    std::uint32_t index = 0;  ///< In the block.
  };

  Definitions(const Function& function, const DominatorTree& dominators);

  const ValueNumbering& values() const { return values_; }
  /// Whether the value is written by exactly one instruction, unguarded, and this write dominates
  /// all reads. As in static single assignment form, one such value may replace another.
  bool has_single_definition(std::uint32_t value) const { return has_single_definition_[value]; }
  /// The place of the last instruction in the function's order that writes the value.
  Place place(std::uint32_t value) const { return places_[value]; }
  std::uint32_t read_count(std::uint32_t value) const { return read_counts_[value]; }
  /// The only instruction that writes the register or predicate, or null if it has no single
  /// definition.
  const Instruction* writer(const Function& function, const Operand& operand) const {
    if (!operand.is_register() && !operand.is_predicate()) return nullptr;
    const std::uint32_t value = values_.number_of(operand);
    if (!has_single_definition_[value]) return nullptr;
    return &function.blocks[places_[value].block].instructions[places_[value].index];
  }

 private:
  ValueNumbering values_;
  // By value:
  std::vector<bool> has_single_definition_;
  std::vector<Place> places_;
  std::vector<std::uint32_t> read_counts_;
};

}  // namespace heddle::code
