// Conversions between types.

#include <array>

#include "code/lowering/families.h"

namespace heddle::code::lowering {

using ptx::Modifier;

namespace {

/// cvt.pack: saturates two 32-bit integers to halves or bytes and packs them. Packed bytes become
/// the low half of the result; the low half of the third operand becomes its high half.
void lower_pack(Translator& t) {
  const ValueType part = t.type(0);
  const ValueType from = t.type(1);
  const Operand d = t.destination(0, ValueType::b32);
  const auto saturated = [&](std::size_t i) {
    const Operand to = t.new_register(1);
    const Operand a = t.source(i, from);
    Instruction& out = t.compute(Operation::convert, part, {to}, {a});
    out.source_type = from;
    out.saturate = t.has(Modifier::sat);
    return to;
  };
  if (part == ValueType::u16 || part == ValueType::s16) {
    const Operand high = saturated(1);
    const Operand low = saturated(2);
    t.emit(Operation::pack, ValueType::b32, {d}, {low, high});
    return;
  }
  if (part != ValueType::u8 && part != ValueType::s8) {
    refuse("parts of this type are not supported");
  }
  const Operand high = saturated(1);
  const Operand low = saturated(2);
  const Operand above = t.source(3, ValueType::b32);
  // Bytes, from the lowest: low, high, and the two low ones of `above`.
  const Operand bytes = t.new_register(1);
  t.compute(Operation::prmt, ValueType::b32, {bytes}, {low, high, Operand::immediate(0x0040)});
  t.emit(Operation::prmt, ValueType::b32, {d}, {bytes, above, Operand::immediate(0x5410)});
}

bool is_known_type(ValueType type) { return type != ValueType::none && type != ValueType::pred; }

}  // namespace

void lower_cvt(Translator& t) {
  if (t.has(Modifier::pack)) return lower_pack(t);
  const ValueType to = t.type(0);
  const ValueType from = t.type(1);
  if (t.current().types.size() > 2 || !is_known_type(to) || !is_known_type(from)) {
    refuse("a conversion between these types is not supported");
  }
  const Operand d = t.any_result(t.operand(0));
  if (!d.present()) return;
  if (d.width < registers_of(to)) refuse("the destination is too narrow");
  const Operand a = t.source(1, from);
  const bool two_sources = t.operand_count() > 2;
  const Operand b = two_sources ? t.source(2, from) : Operand::none();

  // A 64-bit destination takes the result zero- or sign-extended, depending on its type.
  const bool widen = d.width > registers_of(to);
  const Operand result = widen ? t.new_register(registers_of(to)) : d;
  Instruction& out = widen ? t.compute(Operation::convert, to, {result}, {a})
                           : t.emit(Operation::convert, to, {result}, {a});
  out.source_type = from;
  if (two_sources) out.sources.push_back(b);
  set_arithmetic_suffixes(t, out);
  if (widen) t.emit_move(is_signed_integer(to) ? ValueType::s32 : ValueType::u32, d, result);
}

}  // namespace heddle::code::lowering
