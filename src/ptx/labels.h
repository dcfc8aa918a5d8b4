#pragma once

#include <string_view>
#include <vector>

#include "ptx/context.h"

namespace heddle::ptx {

/// The labels of the function that is being read. A label can be used before it is written, and an
/// inner scope may still write the one that was meant: uses wait until a scope ends.
class Labels {
 public:
  explicit Labels(Context& context) : context_(context) {}

  void enter_scope() { scopes_.push_back(uses_.size()); }
  /// Settles the uses that were waiting for labels of the scope. To be called before the names of
  /// the scope are forgotten.
  void leave_scope();

  /// The label before the next instruction.
  void define(const Token& name);
  /// `.pragma "nounroll"` before the next instruction: it concerns a loop only where a label says
  /// that one may begin here.
  void keep_loop_rolled();
  /// An operand of the instruction that will be the next of the body.
  void use_as_operand(const Token& name, std::size_t operand);
  /// The next target of a branch table.
  void use_as_target(const Token& name, std::uint32_t branch_table);

  /// Uses of an instruction that came to nothing are taken back.
  std::size_t mark() const { return uses_.size(); }
  void forget_after(std::size_t mark) { uses_.resize(mark); }

 private:
  struct Use {
    Token name;
    bool in_table = false;
    std::uint32_t owner = 0;     ///< The instruction or the table.
    std::uint32_t position = 0;  ///< Of the operand or the target.
  };
  void settle(const Use& use, LabelIndex label);

  Context& context_;
  std::vector<Use> uses_;
  std::vector<std::size_t> scopes_;
};

}  // namespace heddle::ptx
