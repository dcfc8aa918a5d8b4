#pragma once

#include <vector>

#include "ptx/context.h"
#include "ptx/labels.h"
#include "ptx/operands.h"
#include "ptx/registers.h"

namespace heddle::ptx {

/// Parses instructions and appends them to the body of the current function.
class InstructionParser {
 public:
  InstructionParser(Context& context, Registers& registers, Labels& labels)
      : context_(context),
        tokens_(context.tokens),
        labels_(labels),
        operands_(context, registers, labels) {}

  /// Parses one instruction from its guard up to and including its ';'.
  void parse();
  /// The same, after the opcode has been taken.
  void parse_after(const Token& opcode);

 private:
  bool parse_rest(const Token& opcode, Guard guard);
  bool parse_suffixes(Instruction& instruction);
  bool parse_suffix(Instruction& instruction, const Token& suffix);
  bool parse_operands(Instruction& instruction);
  bool parse_call(Instruction& instruction);
  void report_unknown_opcode(const Token& opcode);

  Context& context_;
  TokenStream& tokens_;
  Labels& labels_;
  Operands operands_;
};

/// Reports errors in a parsed instruction: in its suffixes, and in the number, the kinds and the
/// types of its operands.
bool check_instruction(Context& context, Instruction& instruction);

}  // namespace heddle::ptx
