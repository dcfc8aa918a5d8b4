#pragma once

// Helps passes that visit a function's instructions in dominance order: finds the instruction that
// defines an operand, and whether the current instruction may read that instruction's sources
// instead of its result.

#include <cstdint>
#include <vector>

#include "code/optimise/definitions.h"

namespace heddle::code {

class DefinitionWalk {
 public:
  explicit DefinitionWalk(const Function& function)
      : function_(function),
        dominators_(control_flow_of(function), 0),
        definitions_(function, dominators_),
        last_written_(definitions_.values().count()) {}

  const DominatorTree& dominators() const { return dominators_; }
  const Definitions& definitions() const { return definitions_; }

  /// Makes this the current instruction.
  void move_to(BlockIndex block, std::uint32_t index) { here_ = {block, index}; }
  /// Records the writes of the current instruction. Must be called before the next move_to().
  void record_writes(const Instruction& instruction);

  /// The only instruction that writes the register `operand`; null if there are several or none, or
  /// if the instruction is not plain (see is_plain()).
  const Instruction* definition_of(const Operand& operand) const;
  /// Whether `operand`, a source of the earlier instruction `definition`, still has the same value
  /// at the current instruction.
  bool is_unchanged(const Operand& operand, const Instruction& definition) const;
  /// Whether all sources of `definition` still have the same values.
  bool are_sources_unchanged(const Instruction& definition) const;
  /// The definition of `operand` if it is the sum of a register and an immediate and the register
  /// is unchanged; otherwise null. Sets `displacement` to the immediate, sign-extended.
  const Instruction* displaced_sum(const Operand& operand, std::int64_t& displacement) const;
  /// How many times instructions read the register `operand`.
  std::uint32_t read_count(const Operand& operand) const {
    return definitions_.read_count(definitions_.values().number_of(operand));
  }

 private:
  const Function& function_;
  DominatorTree dominators_;
  Definitions definitions_;
  std::vector<Definitions::Place> last_written_;  ///< By value: its last write so far.
  Definitions::Place here_;                       ///< The current instruction.
};

/// Whether an instruction is unguarded and has one result, no carry and no saturation.
bool is_plain(const Instruction& instruction);
/// Whether the type is a 32- or 64-bit integer.
bool is_32_or_64_bit_integer(ValueType type);

}  // namespace heddle::code
