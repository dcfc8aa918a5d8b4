#pragma once

#include <optional>
#include <vector>

#include "ptx/context.h"
#include "ptx/labels.h"
#include "ptx/registers.h"

namespace heddle::ptx {

/// Reads the operands of instructions.
class Operands {
 public:
  Operands(Context& context, Registers& registers, Labels& labels)
      : context_(context), tokens_(context.tokens), registers_(registers), labels_(labels) {}

  /// Reads one operand of any shape. Nothing, with the error reported, where there is none.
  std::optional<Operand> parse();
  /// A list in parentheses, as calls have it.
  std::optional<Operand> parse_call_list();
  /// What a call calls: a function, or a register with the address of one.
  std::optional<Operand> parse_call_target();
  /// A label, to be settled when its scope ends; it will be the operand of that number.
  std::optional<Operand> parse_label(std::size_t number);
  /// The register of a guard, after the '@'.
  bool parse_guard(Guard& guard);
  /// An empty list.
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
  /// Makes one operand of several, in the function's operand lists.
  Operand compose(Operand::Kind kind, TextLocation location, const Operand* elements,
                  std::size_t count);
  /// A vector register is the vector of its elements.
  Operand whole_register(const Registers::Found& found, TextLocation location);

  Context& context_;
  TokenStream& tokens_;
  Registers& registers_;
  Labels& labels_;
  std::vector<Operand> scratch_;
};

}  // namespace heddle::ptx
