// Atomic operations and reductions on memory.

#include "code/lowering/families.h"

namespace heddle::code::lowering {

using ptx::Modifier;
using Kind = ptx::Operand::Kind;

namespace {

/// Appends the elements of a vector operand; for another operand, appends its value.
void append_values(Translator& t, const ptx::Operand& from, ValueType type,
                   InlineVector<Operand, 9>& values) {
  if (from.kind != Kind::vector) {
    values.push_back(t.value(from, type));
    return;
  }
  if (from.count == 0 || from.count > 8) refuse("a vector of this length is not supported");
  for (std::size_t i = 0; i < from.count; ++i) {
    values.push_back(t.value(t.element(from, i), type));
  }
}

/// `address_index` is the number of the operand with the address: 1 for atom, 0 for red.
void lower_read_modify_write(Translator& t, std::size_t address_index) {
  if (t.has(Modifier::async) || t.has(Modifier::bulk)) {
    refuse("asynchronous reductions are not supported");
  }
  const ValueType type = t.type();
  InlineVector<Operand, 8> destinations;
  if (address_index == 1) {
    const ptx::Operand& to = t.operand(0);
    if (to.kind == Kind::vector) {
      if (to.count > 8) refuse("a vector of this length is not supported");
      for (std::size_t i = 0; i < to.count; ++i) {
        destinations.push_back(t.result(t.element(to, i), type));
      }
    } else {
      // Without a result, atom is the same as red.
      destinations.push_back(to.kind == Kind::sink ? Operand::none() : t.result(to, type));
    }
  }
  const Reduction reduction = reduction_of(t);
  InlineVector<Operand, 9> values;
  append_values(t, t.operand(address_index + 1), type, values);
  const auto count = static_cast<std::uint8_t>(values.size());
  if (reduction == Reduction::compare_and_swap) {
    if (count != 1) refuse("compare-and-swap of a vector");
    append_values(t, t.operand(address_index + 2), type, values);
  }
  const MemoryAddress at = t.address(address_index);
  // Parameters and local variables have only an offset in their space. All other addresses have a
  // base: a register or a variable.
  if (!at.base.present()) refuse("an atomic access to a parameter or a local variable");
  Instruction& out = t.emit(Operation::atomic, type, {}, {at.base});
  for (const Operand& d : destinations) out.destinations.push_back(d);
  for (const Operand& v : values) out.sources.push_back(v);
  out.reduction = reduction;
  out.vector_count = count;
  out.space = at.space;
  out.offset = at.offset;
  out.order = MemoryOrder::relaxed;
  out.scope = Scope::device;
  set_memory_suffixes(t, out);
}

}  // namespace

Reduction reduction_of(const Translator& t) {
  for (const Modifier modifier : t.current().modifiers) {
    switch (modifier) {
      case Modifier::and_:
        return Reduction::and_;
      case Modifier::or_:
        return Reduction::or_;
      case Modifier::xor_:
        return Reduction::xor_;
      case Modifier::add:
        return Reduction::add;
      case Modifier::min:
        return Reduction::min;
      case Modifier::max:
        return Reduction::max;
      case Modifier::inc:
        return Reduction::increment;
      case Modifier::dec:
        return Reduction::decrement;
      case Modifier::exch:
        return Reduction::exchange;
      case Modifier::cas:
        return Reduction::compare_and_swap;
      default:
        break;
    }
  }
  refuse("the operation is missing");
}

void lower_atom(Translator& t) { lower_read_modify_write(t, 1); }
void lower_red(Translator& t) { lower_read_modify_write(t, 0); }

}  // namespace heddle::code::lowering
