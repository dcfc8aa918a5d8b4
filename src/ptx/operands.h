#pragma once

#include <optional>
#include <vector>

#include "ptx/context.h"
#include "ptx/labels.h"
#include "ptx/registers.h"

namespace heddle::ptx {

/// Parses the operands of instructions.
class Operands {
 public:
  Operands(Context& context, Registers& registers, Labels& labels)
      : context_(context), tokens_(context.tokens), registers_(registers), labels_(labels) {}

  /// Parses one operand of any kind. If there is none, reports the error and returns nothing.
  std::optional<Operand> parse();
  /// Parses the parenthesised list of a call's arguments or results.
  std::optional<Operand> parse_call_list();
  /// Parses the target of a call: a function, or a register with the address of one.
  std::optional<Operand> parse_call_target();
  /// Parses a label, which is resolved when its scope ends; `number` is the operand's index.
  std::optional<Operand> parse_label(std::size_t number);
  /// Parses the register of a guard, after the '@'.
  bool parse_guard(Guard& guard);
  Operand empty_list(TextLocation location) const;

 private:
  std::optional<Operand> parse_one();
  std::optional<Operand> parse_scalar();
  std::optional<Operand> parse_constant_operand();
  std::optional<Operand> parse_negated();
  std::optional<Operand> parse_name();
  std::optional<Operand> parse_register(const Token& name, const Registers::Found& found);
  std::optional<Operand> parse_symbol(const Token& name, const Symbol& symbol);
  std::optional<Operand> parse_special(const Token& name);
  std::optional<Operand> parse_selector(Operand operand, const Token& suffix);
  std::optional<Operand> parse_vector();
  std::optional<Operand> parse_memory();
  std::optional<Operand> parse_base();
  bool parse_offset(Operand& operand);
  /// Makes one operand of several elements, which it stores in the function's operand lists.
  Operand compose(Operand::Kind kind, TextLocation location, const Operand* elements,
                  std::size_t count);
  /// The operand for a register without suffix: a vector register is the vector of its elements.
  Operand whole_register(const Registers::Found& found, TextLocation location);

  Context& context_;
  TokenStream& tokens_;
  Registers& registers_;
  Labels& labels_;
  std::vector<Operand> scratch_;
};

}  // namespace heddle::ptx
