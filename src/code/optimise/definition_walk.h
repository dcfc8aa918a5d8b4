#pragma once

// For a pass that visits a function's instructions in dominance order: finds the instruction that
// defines an operand, and whether the current instruction may read its sources instead of its
// result.

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
  /// Records the writes of the current instruction. Call it before the walk moves on.
  void pass(const Instruction& instruction);

  /// The only instruction that writes `operand`. Null if there are several, or if the instruction
  /// is guarded or writes something else, too.
  const Instruction* definition_of(const Operand& operand) const;
  /// Whether `operand`, a source of the earlier instruction `definition`, still has the same value
  /// at the current instruction.
  bool is_unchanged(const Operand& operand, const Instruction& definition) const;
  /// Whether all sources of `definition` still have the same values.
  bool sources_unchanged(const Instruction& definition) const;
  /// The definition of `operand` if that is the sum of a register and an immediate, and the
  /// register is unchanged; otherwise null. Sets `displacement` to the immediate, sign-extended.
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
bool is_integer_word(ValueType type);

}  // namespace heddle::code
