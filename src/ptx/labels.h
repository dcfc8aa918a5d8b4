#pragma once

#include <string_view>
#include <vector>

#include "ptx/context.h"

namespace heddle::ptx {

/// The labels of the function being parsed. A label can be used before it is defined, and the scope
/// that uses it may define it later. Uses are therefore resolved when a scope ends.
class Labels {
 public:
  explicit Labels(Context& context) : context_(context) {}

  void enter_scope() { scopes_.push_back(uses_.size()); }
  /// Resolves the uses of labels that the scope defines. Must be called before the symbol table
  /// leaves the scope.
  void leave_scope();

  /// Defines a label before the next instruction.
  void define(const Token& name);
  /// Handles `.pragma "nounroll"` before the next instruction. It applies to a loop, so it has an
  /// effect only after a label.
  void keep_loop_rolled();
  /// Records the use of a label as an operand of the next instruction of the body.
  void use_as_operand(const Token& name, std::size_t operand);
  /// Records the use of a label as the next target of a branch table.
  void use_as_target(const Token& name, std::uint32_t branch_table);

  /// The uses recorded after mark() are discarded if their instruction is rejected.
  std::size_t mark() const { return uses_.size(); }
  void discard_after(std::size_t mark) { uses_.resize(mark); }

 private:
  struct Use {
    Token name;
    bool in_table = false;
    std::uint32_t owner = 0;     ///< The instruction or the table.
    std::uint32_t position = 0;  ///< The index of the operand or the target in its owner.
  };
  void resolve(const Use& use, LabelIndex label);

  Context& context_;
  std::vector<Use> uses_;
  std::vector<std::size_t> scopes_;
};

}  // namespace heddle::ptx
