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

  /// Parses one instruction, with or without a guard, up to and including its ';'.
  void parse();
  /// Parses an instruction without a guard, whose opcode has been taken.
  void parse_after(const Token& opcode);

 private:
  /// Parses an instruction after its opcode. This function and those below return false after an
  /// error.
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

/// Checks the suffixes of a parsed instruction, and the number, kinds and types of its operands.
/// Reports the first error and returns false if there is one.
bool check_instruction(Context& context, Instruction& instruction);

}  // namespace heddle::ptx
