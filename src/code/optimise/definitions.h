#pragma once

// Finds registers and predicates that have a single definition, so that every read of them gets the
// same value. In this folder, a value is a virtual register or predicate, identified by its number
// in a ValueNumbering.

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
  /// Whether exactly one instruction writes the value, without a guard, and dominates all reads. As
  /// in static single assignment form, a copy of such a value may be replaced by the value.
  bool has_single_definition(std::uint32_t value) const { return has_single_definition_[value]; }
  /// The place of the last instruction in the function's order that writes the value.
  Place place(std::uint32_t value) const { return places_[value]; }
  /// How many times instructions read the value.
  std::uint32_t read_count(std::uint32_t value) const { return read_counts_[value]; }
  /// The only instruction that writes the register or predicate; null if it has no single
  /// definition or the operand is neither.
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
