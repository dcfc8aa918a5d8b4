#pragma once

#include <vector>

#include "ptx/context.h"
#include "ptx/labels.h"
#include "ptx/operands.h"
#include "ptx/registers.h"

namespace heddle::ptx {

/// Reads instructions and puts them into the body of the current function.
class InstructionParser {
 public:
  InstructionParser(Context& context, Registers& registers, Labels& labels)
      : context_(context),
        tokens_(context.tokens),
        labels_(labels),
        operands_(context, registers, labels) {}

  /// Reads one instruction with its ';', from its guard on.
  void parse();
  /// The same, where the opcode has been taken.
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

/// Reports what is wrong with an instruction that could be read: its suffixes, and the number, the
/// kinds and the types of its operands.
bool check_instruction(Context& context, Instruction& instruction);

}  // namespace heddle::ptx
