// Comparisons and choices.

#include "code/lowering/families.h"

namespace heddle::code::lowering {

using ptx::Modifier;

namespace {

Boolean boolean_of(const Translator& t) {
  if (t.has(Modifier::and_)) return Boolean::and_;
  if (t.has(Modifier::or_)) return Boolean::or_;
  if (t.has(Modifier::xor_)) return Boolean::xor_;
  return Boolean::none;
}

bool compares_unsigned(const Translator& t) {
  return t.has(Modifier::lo) || t.has(Modifier::ls) || t.has(Modifier::hi) || t.has(Modifier::hs);
}

ValueType unsigned_of(ValueType type) {
  switch (type) {
    case ValueType::s16:
    case ValueType::b16:
      return ValueType::u16;
    case ValueType::s32:
    case ValueType::b32:
      return ValueType::u32;
    case ValueType::s64:
    case ValueType::b64:
      return ValueType::u64;
    default:
      return type;
  }
}

/// Completes a setp or set: sets the fields for its suffixes, and appends the predicate with which
/// the comparison is combined.
void complete(Translator& t, Instruction& out, const Operand& predicate) {
  out.comparison = comparison_of(t);
  out.boolean = boolean_of(t);
  out.flush_subnormals = t.has(Modifier::ftz);
  if (out.boolean != Boolean::none) out.sources.push_back(predicate);
}

}  // namespace

Comparison comparison_of(const Translator& t) {
  for (const Modifier modifier : t.current().modifiers) {
    switch (modifier) {
      case Modifier::eq:
        return Comparison::equal;
      case Modifier::ne:
        return Comparison::not_equal;
      case Modifier::lt:
      case Modifier::lo:
        return Comparison::less;
      case Modifier::le:
      case Modifier::ls:
        return Comparison::less_equal;
      case Modifier::gt:
      case Modifier::hi:
        return Comparison::greater;
      case Modifier::ge:
      case Modifier::hs:
        return Comparison::greater_equal;
      case Modifier::equ:
        return Comparison::equal_unordered;
      case Modifier::neu:
        return Comparison::not_equal_unordered;
      case Modifier::ltu:
        return Comparison::less_unordered;
      case Modifier::leu:
        return Comparison::less_equal_unordered;
      case Modifier::gtu:
        return Comparison::greater_unordered;
      case Modifier::geu:
        return Comparison::greater_equal_unordered;
      case Modifier::num:
        return Comparison::ordered;
      case Modifier::nan:
        return Comparison::unordered;
      default:
        break;
    }
  }
  refuse("the comparison is missing");
}

void lower_setp(Translator& t) {
  const ValueType type = compares_unsigned(t) ? unsigned_of(t.type()) : t.type();
  const ptx::Operand& to = t.operand(0);
  Operand p;
  Operand q;
  if (to.kind == ptx::Operand::Kind::pair) {
    p = t.result(t.element(to, 0), ValueType::pred);
    q = t.predicate_result(t.element(to, 1));
  } else {
    p = t.result(to, ValueType::pred);
  }
  const Operand a = t.source(1, type);
  const Operand b = t.source(2, type);
  const Operand c = boolean_of(t) == Boolean::none ? Operand::none() : t.predicate_source(3);
  Instruction& out = t.emit(Operation::setp, type, {p}, {a, b});
  if (q.present()) out.destinations.push_back(q);
  complete(t, out, c);
}

void lower_set(Translator& t) {
  const ValueType compared = compares_unsigned(t) ? unsigned_of(t.type(1)) : t.type(1);
  const Operand d = t.destination(0, t.type(0));
  const Operand a = t.source(1, compared);
  const Operand b = t.source(2, compared);
  const Operand c = boolean_of(t) == Boolean::none ? Operand::none() : t.predicate_source(3);
  Instruction& out = t.emit(Operation::set, t.type(0), {d}, {a, b});
  out.source_type = compared;
  complete(t, out, c);
}

void lower_testp(Translator& t) {
  FloatTest test = FloatTest::finite;
  bool is_named = false;
  for (const Modifier modifier : t.current().modifiers) {
    const auto set_test = [&](FloatTest which) {
      test = which;
      is_named = true;
    };
    switch (modifier) {
      case Modifier::finite:
        set_test(FloatTest::finite);
        break;
      case Modifier::infinite:
        set_test(FloatTest::infinite);
        break;
      case Modifier::number:
        set_test(FloatTest::number);
        break;
      case Modifier::notanumber:
        set_test(FloatTest::not_a_number);
        break;
      case Modifier::normal:
        set_test(FloatTest::normal);
        break;
      case Modifier::subnormal:
        set_test(FloatTest::subnormal);
        break;
      default:
        break;
    }
  }
  if (!is_named) refuse("the test is missing");
  const Operand p = t.destination(0, ValueType::pred);
  const Operand a = t.source(1, t.type());
  t.emit(Operation::testp, t.type(), {p}, {a}).test = test;
}

void lower_selp(Translator& t) {
  const Operand d = t.destination(0, t.type());
  const Operand a = t.source(1, t.type());
  const Operand b = t.source(2, t.type());
  const Operand c = t.predicate_source(3);
  t.emit(Operation::select, t.type(), {d}, {a, b, c});
}

void lower_slct(Translator& t) {
  const Operand d = t.destination(0, t.type(0));
  const Operand a = t.source(1, t.type(0));
  const Operand b = t.source(2, t.type(0));
  const Operand c = t.source(3, t.type(1));
  Instruction& out = t.emit(Operation::select_sign, t.type(0), {d}, {a, b, c});
  out.source_type = t.type(1);
  out.flush_subnormals = t.has(Modifier::ftz);
}

}  // namespace heddle::code::lowering
