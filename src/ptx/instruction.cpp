#include "ptx/instruction.h"

#include "ptx/nearest_name.h"
#include "ptx/rules.h"

namespace heddle::ptx {

void InstructionParser::parse() {
  Guard guard;
  const int brace_depth = tokens_.brace_depth();
  if (tokens_.accept('@') && !operands_.parse_guard(guard)) {
    tokens_.skip_statement(brace_depth);
    return;
  }
  const std::optional<Token> opcode = take_name(tokens_, "an instruction");
  if (!opcode || !parse_rest(*opcode, guard)) tokens_.skip_statement(brace_depth);
}

void InstructionParser::parse_after(const Token& opcode) {
  const int brace_depth = tokens_.brace_depth();
  if (!parse_rest(opcode, {})) tokens_.skip_statement(brace_depth);
}

bool InstructionParser::parse_rest(const Token& opcode, Guard guard) {
  Function& function = context_.current_function();
  Instruction instruction;
  instruction.opcode = find_opcode(context_.text_of(opcode));
  instruction.guard = guard;
  instruction.location = opcode.location;
  instruction.source = context_.source_line;
  if (instruction.opcode == Opcode::unknown) {
    report_unknown_opcode(opcode);
    return false;
  }
  if (!parse_suffixes(instruction)) return false;
  instruction.spelling =
      tokens_.text().substr(opcode.offset, tokens_.previous().end() - opcode.offset);
  const std::size_t use_count = labels_.use_count();
  if (!parse_operands(instruction) || !tokens_.expect_semicolon("after the operands")) {
    labels_.discard_uses_after(use_count);
    return false;
  }
  if (check_instruction(context_, instruction)) {
    function.body.push_back(instruction);
  } else {
    labels_.discard_uses_after(use_count);
  }
  return true;
}

void InstructionParser::report_unknown_opcode(const Token& opcode) {
  const std::string_view text = context_.text_of(opcode);
  if (text.front() == '%') {
    tokens_.error(opcode, "expected an instruction, found '{}'", printable(text));
    return;
  }
  NearestName nearest(text);
  for (std::size_t i = 1; tokens_.wants_messages() && i < kOpcodeCount; ++i) {
    nearest.consider(spelling_of(static_cast<Opcode>(i)));
  }
  if (nearest.best().empty()) {
    tokens_.error(opcode, "unknown instruction '{}'", printable(text));
  } else {
    tokens_.error(opcode, "unknown instruction '{}'; did you mean '{}'?", printable(text),
                  nearest.best());
  }
}

bool InstructionParser::parse_suffixes(Instruction& instruction) {
  while (tokens_.peek().kind == TokenKind::suffix) {
    const Token suffix = tokens_.take();
    if (!parse_suffix(instruction, suffix)) return false;
  }
  return true;
}

bool InstructionParser::parse_suffix(Instruction& instruction, const Token& suffix) {
  const std::string_view text = context_.text_of(suffix).substr(1);
  const std::optional<ValueType> type = find_type(text);
  if (type && size_of(*type) + (*type == ValueType::pred ? 1 : 0) > 0 &&
      !(*type >= ValueType::texref && *type <= ValueType::surfref)) {
    if (instruction.types.full()) {
      tokens_.error(suffix, "more than {} types", instruction.types.capacity());
      return false;
    }
    instruction.types.push_back(*type);
    return true;
  }
  const Modifier modifier = find_modifier(text);
  if (modifier == Modifier::unknown && takes_any_suffix(instruction.opcode)) return true;
  if (modifier == Modifier::unknown) {
    NearestName nearest(text);
    for (std::size_t i = 1; tokens_.wants_messages() && i < kModifierCount; ++i) {
      nearest.consider(spelling_of(static_cast<Modifier>(i)));
    }
    for (auto i = ValueType::pred; i < ValueType::texref;
         i = static_cast<ValueType>(static_cast<int>(i) + 1)) {
      nearest.consider(name_of(i));
    }
    if (nearest.best().empty()) {
      tokens_.error(suffix, "unknown suffix '.{}'", printable(text));
    } else {
      tokens_.error(suffix, "unknown suffix '.{}'; did you mean '.{}'?", printable(text),
                    nearest.best());
    }
    return false;
  }
  if (instruction.modifiers.full()) {
    tokens_.error(suffix, "more than {} suffixes", instruction.modifiers.capacity());
    return false;
  }
  instruction.modifiers.push_back(modifier);
  return true;
}

bool InstructionParser::parse_operands(Instruction& instruction) {
  if (instruction.opcode == Opcode::call) return parse_call(instruction);
  if (tokens_.at(';')) return true;
  // The operand of `bra` is a label; `brx.idx %r, table` names a branch table.
  const bool takes_label = instruction.opcode == Opcode::bra;
  return parse_list(tokens_, [&] {
    const Token at = tokens_.peek();
    const std::optional<Operand> operand =
        takes_label ? operands_.parse_label(instruction.operands.size()) : operands_.parse();
    if (!operand) return false;
    if (instruction.operands.full()) {
      tokens_.error(at, "more than {} operands", instruction.operands.capacity());
      return false;
    }
    instruction.operands.push_back(*operand);
    return true;
  });
}

// Parses the operands of `call (results), target, (arguments), prototype`. All except the target
// are optional.
bool InstructionParser::parse_call(Instruction& instruction) {
  const TextLocation start = tokens_.peek().location;
  Operand results = operands_.empty_list(start);
  Operand arguments = operands_.empty_list(start);
  if (tokens_.at('(')) {
    const std::optional<Operand> list = operands_.parse_call_list();
    if (!list || !tokens_.expect(',', "after the results")) return false;
    results = *list;
  }
  const std::optional<Operand> target = operands_.parse_call_target();
  if (!target) return false;
  bool has_more = tokens_.accept(',');
  if (has_more && tokens_.at('(')) {
    const std::optional<Operand> list = operands_.parse_call_list();
    if (!list) return false;
    arguments = *list;
    has_more = tokens_.accept(',');
  }
  instruction.operands = {results, *target, arguments};
  if (!has_more) return true;
  const Token at = tokens_.peek();
  const std::optional<Operand> last = operands_.parse();
  if (!last) return false;
  if (last->kind != Operand::Kind::prototype) {
    tokens_.error(at, "expected the name of a .callprototype or of .calltargets");
    return false;
  }
  instruction.operands.push_back(*last);
  return true;
}

}  // namespace heddle::ptx
