// Integer arithmetic, and the arithmetic that integers and floating-point values share.

#include "code/lowering/families.h"

namespace heddle::code::lowering {

using ptx::Modifier;

namespace {

/// The type of twice the width, for mul.wide and mad.wide.
ValueType widened(ValueType type) {
  switch (type) {
    case ValueType::u16:
      return ValueType::u32;
    case ValueType::s16:
      return ValueType::s32;
    case ValueType::u32:
      return ValueType::u64;
    case ValueType::s32:
      return ValueType::s64;
    default:
      refuse("a wide product of this type is not supported");
  }
}

bool names_rounding(const Translator& t) {
  return t.has(Modifier::rn) || t.has(Modifier::rz) || t.has(Modifier::rm) || t.has(Modifier::rp);
}

/// Whether the instruction may be fused into a multiply-add: PTX allows it for an add, sub or mul
/// without a rounding suffix.
bool is_contractible(const Translator& t) { return is_floating(t.type()) && !names_rounding(t); }

void require_one_type(const Translator& t) {
  if (t.current().types.size() > 1) refuse("operands of different types are not supported");
}

/// add, sub and their forms with carry.
void lower_sum(Translator& t, Operation operation, bool carry_in) {
  require_one_type(t);
  const ValueType type = t.type();
  const bool carry_out = t.has(Modifier::cc);
  const Operand d = t.destination(0, type);
  const Operand a = t.source(1, type);
  const Operand b = t.source(2, type);
  Instruction& out = t.emit(operation, type, {d}, {a, b});
  set_arithmetic_suffixes(t, out);
  out.contractible = is_contractible(t);
  out.carry_in = carry_in;
  out.carry_out = carry_out;
  if (carry_in) out.sources.push_back(t.carry());
  if (carry_out) out.destinations.push_back(t.carry());
}

/// mad and madc.
void lower_product_sum(Translator& t, bool carry_in) {
  require_one_type(t);
  const ValueType type = t.type();
  if (is_floating(type)) return lower_fma(t);
  const bool wide = t.has(Modifier::wide);
  const ValueType sum = wide ? widened(type) : type;
  const Operation operation = wide                  ? Operation::mad_wide
                              : t.has(Modifier::hi) ? Operation::mad_hi
                                                    : Operation::mad_lo;
  const bool carry_out = t.has(Modifier::cc);
  const Operand d = t.destination(0, sum);
  const Operand a = t.source(1, type);
  const Operand b = t.source(2, type);
  const Operand c = t.source(3, sum);
  Instruction& out = t.emit(operation, type, {d}, {a, b, c});
  set_arithmetic_suffixes(t, out);
  out.carry_in = carry_in;
  out.carry_out = carry_out;
  if (carry_in) out.sources.push_back(t.carry());
  if (carry_out) out.destinations.push_back(t.carry());
}

/// d (u32) = operation(a)
Instruction& lower_count(Translator& t, Operation operation) {
  const Operand d = t.destination(0, ValueType::u32);
  const Operand a = t.source(1, t.type());
  return t.emit(operation, t.type(), {d}, {a});
}

/// dp4a and dp2a: a dot product of bytes, or of halves and bytes, plus a sum.
Instruction& lower_dot(Translator& t, Operation operation) {
  const Operand d = t.destination(0, ValueType::u32);
  const Operand a = t.source(1, ValueType::u32);
  const Operand b = t.source(2, ValueType::u32);
  const Operand c = t.source(3, ValueType::u32);
  Instruction& out = t.emit(operation, t.type(0), {d}, {a, b, c});
  out.source_type = t.type(1);
  return out;
}

}  // namespace

void set_arithmetic_suffixes(const Translator& t, Instruction& out) {
  for (const Modifier modifier : t.current().modifiers) {
    switch (modifier) {
      case Modifier::rn:
        out.rounding = Rounding::nearest;
        break;
      case Modifier::rz:
        out.rounding = Rounding::zero;
        break;
      case Modifier::rm:
        out.rounding = Rounding::down;
        break;
      case Modifier::rp:
        out.rounding = Rounding::up;
        break;
      case Modifier::rna:
        out.rounding = Rounding::nearest_away;
        break;
      case Modifier::rni:
        out.integral_rounding = IntegralRounding::nearest;
        break;
      case Modifier::rzi:
        out.integral_rounding = IntegralRounding::zero;
        break;
      case Modifier::rmi:
        out.integral_rounding = IntegralRounding::down;
        break;
      case Modifier::rpi:
        out.integral_rounding = IntegralRounding::up;
        break;
      case Modifier::ftz:
        out.flush_subnormals = true;
        break;
      case Modifier::sat:
        out.saturate = true;
        break;
      case Modifier::satfinite:
        out.saturate_finite = true;
        break;
      case Modifier::relu:
        out.relu = true;
        break;
      case Modifier::approx:
        out.approximate = true;
        break;
      case Modifier::full:
        out.full_range = true;
        break;
      case Modifier::NaN:
        out.propagate_nan = true;
        break;
      case Modifier::xorsign:
        out.xorsign_abs = true;
        break;
      case Modifier::oob:
        out.out_of_bounds_zero = true;
        break;
      case Modifier::rs:
        refuse("stochastic rounding is not supported");
      default:
        break;
    }
  }
}

Instruction& lower_plain(Translator& t, Operation operation, std::size_t sources) {
  require_one_type(t);
  const ValueType type = t.type();
  const Operand d = t.destination(0, type);
  InlineVector<Operand, 4> values;
  for (std::size_t i = 0; i < sources; ++i) values.push_back(t.source(i + 1, type));
  Instruction& out = t.emit(operation, type, {d}, {});
  for (const Operand& v : values) out.sources.push_back(v);
  set_arithmetic_suffixes(t, out);
  return out;
}

void lower_add(Translator& t) { lower_sum(t, Operation::add, false); }
void lower_sub(Translator& t) { lower_sum(t, Operation::sub, false); }
void lower_addc(Translator& t) { lower_sum(t, Operation::add, true); }
void lower_subc(Translator& t) { lower_sum(t, Operation::sub, true); }
void lower_mad(Translator& t) { lower_product_sum(t, false); }
void lower_madc(Translator& t) { lower_product_sum(t, true); }

void lower_mul(Translator& t) {
  if (t.has(Modifier::wide)) {
    const ValueType type = t.type();
    const Operand d = t.destination(0, widened(type));
    const Operand a = t.source(1, type);
    const Operand b = t.source(2, type);
    t.emit(Operation::mul_wide, type, {d}, {a, b});
    return;
  }
  const bool high = t.has(Modifier::hi);
  lower_plain(t, high ? Operation::mul_hi : Operation::mul_lo, 2).contractible = is_contractible(t);
}

void lower_mul24(Translator& t) {
  lower_plain(t, t.has(Modifier::hi) ? Operation::mul24_hi : Operation::mul24_lo, 2);
}
void lower_mad24(Translator& t) {
  lower_plain(t, t.has(Modifier::hi) ? Operation::mad24_hi : Operation::mad24_lo, 3);
}
void lower_sad(Translator& t) { lower_plain(t, Operation::sad, 3); }
void lower_rem(Translator& t) { lower_plain(t, Operation::rem, 2); }
void lower_popc(Translator& t) { lower_count(t, Operation::popc); }
void lower_clz(Translator& t) { lower_count(t, Operation::clz); }
void lower_bfind(Translator& t) {
  lower_count(t, Operation::bfind).shift_amount = t.has(Modifier::shiftamt);
}
void lower_brev(Translator& t) { lower_plain(t, Operation::brev, 1); }

void lower_bfe(Translator& t) {
  const ValueType type = t.type();
  const Operand d = t.destination(0, type);
  const Operand a = t.source(1, type);
  const Operand position = t.source(2, ValueType::u32);
  const Operand length = t.source(3, ValueType::u32);
  t.emit(Operation::bfe, type, {d}, {a, position, length});
}

void lower_bfi(Translator& t) {
  const ValueType type = t.type();
  const Operand d = t.destination(0, type);
  const Operand a = t.source(1, type);
  const Operand b = t.source(2, type);
  const Operand position = t.source(3, ValueType::u32);
  const Operand length = t.source(4, ValueType::u32);
  t.emit(Operation::bfi, type, {d}, {a, b, position, length});
}

void lower_bmsk(Translator& t) { lower_plain(t, Operation::bmsk, 2).wrap = t.has(Modifier::wrap); }
void lower_szext(Translator& t) {
  lower_plain(t, Operation::szext, 2).wrap = t.has(Modifier::wrap);
}
void lower_fns(Translator& t) { lower_plain(t, Operation::fns, 3); }
void lower_dp4a(Translator& t) { lower_dot(t, Operation::dp4a); }
void lower_dp2a(Translator& t) { lower_dot(t, Operation::dp2a).high = t.has(Modifier::hi); }

}  // namespace heddle::code::lowering
