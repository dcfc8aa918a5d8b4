// mov: copies, addresses, special registers, and packing and unpacking of values.

#include "code/lowering/families.h"

namespace heddle::code::lowering {

using Kind = ptx::Operand::Kind;

namespace {

ValueType bits_of_size(int bytes) {
  switch (bytes) {
    case 1:
      return ValueType::b8;
    case 2:
      return ValueType::b16;
    case 4:
      return ValueType::b32;
    case 8:
      return ValueType::b64;
    default:
      refuse("values of this size are not supported");
  }
}

/// The type of the elements of `vector`, which together make up one value of the instruction's
/// type.
ValueType part_type(const Translator& t, const ptx::Operand& vector) {
  const int bytes = size_of(t.type());
  if (vector.count == 0 || bytes % vector.count != 0) refuse("the parts do not fill the value");
  return bits_of_size(bytes / vector.count);
}

void pack(Translator& t, const ptx::Operand& vector) {
  const ValueType type = t.type();
  const ValueType part = part_type(t, vector);
  const Operand d = t.destination(0, type);
  InlineVector<Operand, 8> parts;
  for (std::size_t i = 0; i < vector.count; ++i) {
    parts.push_back(t.value(t.element(vector, i), part));
  }
  if (parts.size() == 1) return t.emit_move(type, d, parts[0]);
  if (size_of(type) == 2) {  // Two bytes; the second one is the upper one.
    t.emit(Operation::bfi, ValueType::b32, {d},
           {parts[1], parts[0], Operand::immediate(8), Operand::immediate(8)});
    return;
  }
  Instruction& out = t.emit(Operation::pack, bits_of_size(size_of(type)), {d}, {});
  for (const Operand& p : parts) out.sources.push_back(p);
}

void unpack(Translator& t, const ptx::Operand& vector) {
  const ValueType type = t.type();
  const ValueType part = part_type(t, vector);
  const Operand a = t.source(1, type);
  InlineVector<Operand, 8> parts;
  for (std::size_t i = 0; i < vector.count; ++i) {
    const ptx::Operand& to = t.element(vector, i);
    parts.push_back(to.kind == Kind::sink ? Operand::none() : t.result(to, part));
  }
  if (parts.size() == 1) return t.emit_move(type, parts[0], a);
  if (size_of(type) == 2) {
    const Operand whole = t.new_register(1);  // A copy, since a part may overwrite the source.
    t.compute(Operation::move, ValueType::b32, {whole}, {a});
    if (parts[0].present()) t.emit(Operation::move, ValueType::b32, {parts[0]}, {whole});
    if (parts[1].present()) {
      t.emit(Operation::shr, ValueType::u32, {parts[1]}, {whole, Operand::immediate(8)});
    }
    return;
  }
  Instruction& out = t.emit(Operation::unpack, bits_of_size(size_of(type)), {}, {a});
  for (const Operand& p : parts) out.destinations.push_back(p);
}

/// mov.v2 and mov.v4: copies element by element, and reads all elements before it writes any.
void move_vector(Translator& t, const ptx::Operand& to, const ptx::Operand& from) {
  const ValueType type = t.type();
  if (to.count != from.count) refuse("the vectors differ in length");
  InlineVector<Operand, 8> values;
  for (std::size_t i = 0; i < from.count; ++i) {
    const Operand copy = t.new_register(registers_of(type));
    const Operand value = t.value(t.element(from, i), type);
    t.compute(Operation::move, bits_of_size(registers_of(type) * 4), {copy}, {value});
    values.push_back(copy);
  }
  for (std::size_t i = 0; i < to.count; ++i) {
    const Operand d = t.result(t.element(to, i), type);
    if (d.present()) t.emit(Operation::move, bits_of_size(d.width * 4), {d}, {values[i]});
  }
}

}  // namespace

void lower_mov(Translator& t) {
  const ptx::Operand& to = t.operand(0);
  const ptx::Operand& from = t.operand(1);
  if (to.kind == Kind::vector && from.kind == Kind::vector) return move_vector(t, to, from);
  if (to.kind == Kind::vector) return unpack(t, to);
  if (from.kind == Kind::vector) return pack(t, from);
  const ValueType type = t.type();
  if (from.kind == Kind::special) {
    const Operand d = t.any_result(to);
    if (d.present()) t.read_special(static_cast<ptx::SpecialRegister>(from.index), d);
    return;
  }
  if (type == ValueType::pred) {
    const Operand d = t.predicate_result(to);
    const Operand a = from.kind == Kind::integer ? Operand::immediate(from.bits != 0 ? 1 : 0)
                                                 : t.predicate_value(from);
    if (d.present()) t.emit(Operation::predicate_move, type, {d}, {a});
    return;
  }
  const Operand d = t.destination(0, type);
  const Operand a = t.value(from, type);
  if (!d.present()) return;
  const bool wide = d.width == 2;
  // A value that is wider than its destination, such as a function's address, is truncated.
  if (a.width > d.width) return t.emit_move(ValueType::b32, d, a);
  t.emit(Operation::move, wide ? ValueType::b64 : ValueType::b32, {d}, {a});
}

}  // namespace heddle::code::lowering
