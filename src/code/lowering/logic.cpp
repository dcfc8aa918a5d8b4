// Operations on bits: logic, shifts and permutations of bytes.

#include "code/lowering/families.h"

namespace heddle::code::lowering {

using ptx::Modifier;

namespace {

/// and, or, xor of registers (`operation`) or of predicates.
void lower_logic(Translator& t, Operation operation, Operation predicate_operation) {
  if (t.type() != ValueType::pred) {
    lower_plain(t, operation, 2);
    return;
  }
  const Operand d = t.destination(0, ValueType::pred);
  const Operand a = t.predicate_source(1);
  const Operand b = t.predicate_source(2);
  t.emit(predicate_operation, ValueType::pred, {d}, {a, b});
}

void lower_shift(Translator& t, Operation operation) {
  const ValueType type = t.type();
  const Operand d = t.destination(0, type);
  const Operand a = t.source(1, type);
  const Operand amount = t.source(2, ValueType::u32);
  t.emit(operation, type, {d}, {a, amount});
}

}  // namespace

void lower_and(Translator& t) { lower_logic(t, Operation::and_, Operation::predicate_and); }
void lower_or(Translator& t) { lower_logic(t, Operation::or_, Operation::predicate_or); }
void lower_xor(Translator& t) { lower_logic(t, Operation::xor_, Operation::predicate_xor); }

void lower_not(Translator& t) {
  if (t.type() != ValueType::pred) {
    lower_plain(t, Operation::not_, 1);
    return;
  }
  const Operand d = t.destination(0, ValueType::pred);
  const Operand a = t.predicate_source(1);
  t.emit(Operation::predicate_not, ValueType::pred, {d}, {a});
}

void lower_cnot(Translator& t) { lower_plain(t, Operation::cnot, 1); }
void lower_shl(Translator& t) { lower_shift(t, Operation::shl); }
void lower_shr(Translator& t) { lower_shift(t, Operation::shr); }

void lower_lop3(Translator& t) {
  Boolean boolean = Boolean::none;
  if (t.has(Modifier::and_)) boolean = Boolean::and_;
  if (t.has(Modifier::or_)) boolean = Boolean::or_;
  const ptx::Operand& to = t.operand(0);
  const bool pair = to.kind == ptx::Operand::Kind::pair;
  const Operand d = t.result(pair ? t.element(to, 0) : to, t.type());
  const Operand a = t.source(1, t.type());
  const Operand b = t.source(2, t.type());
  const Operand c = t.source(3, t.type());
  if (t.operand(4).kind != ptx::Operand::Kind::integer) refuse("the table is not a constant");
  const auto table = static_cast<std::uint8_t>(t.operand(4).bits);
  if (boolean == Boolean::none) {
    t.emit(Operation::lop3, t.type(), {d}, {a, b, c}).table = table;
    return;
  }
  if (!pair) refuse("the destination predicate is missing");
  const Operand p = t.result(t.element(to, 1), ValueType::pred);
  const Operand q = t.predicate_source(5);
  Instruction& out = t.emit(Operation::lop3, t.type(), {d, p}, {a, b, c, q});
  out.table = table;
  out.boolean = boolean;
}

void lower_shf(Translator& t) {
  const bool left = t.has(Modifier::l);
  if (!left && !t.has(Modifier::r)) refuse("the direction is missing");
  lower_plain(t, left ? Operation::shf_l : Operation::shf_r, 3).wrap = t.has(Modifier::wrap);
}

void lower_prmt(Translator& t) {
  PermuteMode mode = PermuteMode::index;
  for (const Modifier modifier : t.current().modifiers) {
    switch (modifier) {
      case Modifier::f4e:
        mode = PermuteMode::f4e;
        break;
      case Modifier::b4e:
        mode = PermuteMode::b4e;
        break;
      case Modifier::rc8:
        mode = PermuteMode::rc8;
        break;
      case Modifier::ecl:
        mode = PermuteMode::ecl;
        break;
      case Modifier::ecr:
        mode = PermuteMode::ecr;
        break;
      case Modifier::rc16:
        mode = PermuteMode::rc16;
        break;
      default:
        break;
    }
  }
  lower_plain(t, Operation::prmt, 3).permute_mode = mode;
}

}  // namespace heddle::code::lowering
