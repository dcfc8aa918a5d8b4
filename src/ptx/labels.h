#pragma once

#include <string_view>
#include <vector>

#include "ptx/context.h"

namespace heddle::ptx {

/// The labels of the function being parsed. A label can be used before its definition, which may
/// follow in the same scope or in an outer one. Uses are therefore resolved when a scope ends.
class Labels {
 public:
  explicit Labels(Context& context) : context_(context) {}

  void enter_scope() { scopes_.push_back(uses_.size()); }
  /// Resolves the uses of labels that the scope defines. Must be called before the symbol table
  /// leaves the scope.
  void leave_scope();

  /// Defines a label before the next instruction.
  void define(const Token& name);
  /// Handles `.pragma "nounroll"` before the next instruction. It applies to the loop that begins
  /// at the label before it, and has no effect if no label is there.
  void keep_loop_rolled();
  /// Records the use of a label as an operand of the next instruction of the body.
  void use_as_operand(const Token& name, std::size_t operand);
  /// Records the use of a label as the next target of a branch table.
  void use_as_target(const Token& name, std::uint32_t branch_table);

  /// The number of recorded uses that are not resolved yet.
  std::size_t use_count() const { return uses_.size(); }
  /// Discards the uses that were recorded after use_count() had this value: those of a rejected
  /// instruction.
  void discard_uses_after(std::size_t use_count) { uses_.resize(use_count); }

 private:
  /// A use that is not resolved yet.
  struct Use {
    Token name;
    bool is_in_table = false;    ///< A target of a branch table, not an instruction's operand.
    std::uint32_t owner = 0;     ///< The index of the instruction or the table.
    std::uint32_t position = 0;  ///< The index of the operand or the target in its owner.
  };
  void resolve(const Use& use, LabelIndex label);

  Context& context_;
  std::vector<Use> uses_;
  std::vector<std::size_t> scopes_;  ///< For each open scope: the number of uses before it.
};

}  // namespace heddle::ptx
