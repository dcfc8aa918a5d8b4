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

  /// Parses one operand of any kind. All functions that return an optional report an error and
  /// return nullopt if the text is not as expected.
  std::optional<Operand> parse();
  /// Parses the parenthesised list of a call's arguments or results.
  std::optional<Operand> parse_call_list();
  /// Parses the target of a call: a function, or a register with the address of one.
  std::optional<Operand> parse_call_target();
  /// Parses a label as the operand with index `number` of the next instruction. The label is
  /// resolved when its scope ends.
  std::optional<Operand> parse_label(std::size_t number);
  /// Parses the register of a guard, after the '@'. Returns false after an error.
  bool parse_guard(Guard& guard);
  /// An empty list of results or arguments.
  Operand empty_list(TextLocation location) const;

 private:
  /// Parses an operand that is not a pair.
  std::optional<Operand> parse_single();
  /// Parses an operand without braces and brackets around it.
  std::optional<Operand> parse_scalar();
  std::optional<Operand> parse_constant_operand();
  std::optional<Operand> parse_negated();
  std::optional<Operand> parse_name();
  std::optional<Operand> parse_register(const Token& name, const Registers::Range& range);
  std::optional<Operand> parse_symbol(const Token& name, const Symbol& symbol);
  std::optional<Operand> parse_special(const Token& name);
  std::optional<Operand> parse_selector(Operand operand, const Token& suffix);
  std::optional<Operand> parse_vector();
  /// Parses brackets: an address, or a texture with its coordinates.
  std::optional<Operand> parse_memory();
  /// Parses the address in brackets, or the first element in them.
  std::optional<Operand> parse_base();
  /// Parses any number of `+4` or `-4` and adds them to the operand's bits.
  bool parse_offset(Operand& operand);
  /// Makes one operand of several elements and stores the elements in the function's operand_lists.
  Operand compose(Operand::Kind kind, TextLocation location, const Operand* elements,
                  std::size_t count);
  /// The operand for a register without suffix; for a vector register, the vector of its elements.
  Operand whole_register(const Registers::Range& range, TextLocation location);

  Context& context_;
  TokenStream& tokens_;
  Registers& registers_;
  Labels& labels_;
  std::vector<Operand> scratch_;  ///< The elements of the list being parsed.
};

}  // namespace heddle::ptx
