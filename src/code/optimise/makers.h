#pragma once

// What made an operand, as a walk through a function in dominance order finds it: whether the
// instruction at hand may read the maker's own sources in its place.

#include <cstdint>
#include <vector>

#include "code/optimise/definitions.h"

namespace heddle::code {

class Makers {
 public:
  explicit Makers(const Function& function)
      : function_(function),
        dominators_(control_flow_of(function), 0),
        definitions_(function, dominators_),
        last_written_(definitions_.values().count()) {}

  const DominatorTree& dominators() const { return dominators_; }
  const Definitions& definitions() const { return definitions_; }

  /// The walk stands before this instruction.
  void stand_at(BlockIndex block, std::uint32_t index) { here_ = {block, index}; }
  /// The walk has gone past the instruction.
  void pass(const Instruction& instruction);

  /// The instruction that makes `operand`, where it makes nothing else and always runs, or null.
  const Instruction* of(const Operand& operand) const;
  /// A source of `maker`, which stands before the instruction at hand, still means the same here.
  bool is_lasting(const Operand& operand, const Instruction& maker) const;
  /// Likewise for all of its sources.
  bool all_lasting(const Instruction& maker) const;
  /// What makes the operand, where that is a register plus an immediate of the register's own
  /// width; the immediate as signed.
  const Instruction* displaced_sum(const Operand& operand, std::int64_t& displacement) const;
  std::uint32_t readers(const Operand& operand) const {
    return definitions_.readers(definitions_.values().of(operand));
  }

 private:
  const Function& function_;
  DominatorTree dominators_;
  Definitions definitions_;
  std::vector<Definitions::Place> last_written_;  ///< By value, as far as the walk has come.
  Definitions::Place here_;
};

/// Unguarded, with one result that is all it does.
bool is_plain(const Instruction& instruction);
bool is_integer_word(ValueType type);

}  // namespace heddle::code
