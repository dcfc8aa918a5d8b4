// Parameters and results that PTX declares in registers. They are passed through the frame.
// Example:
// `.func (.reg .pred r) f(.reg .v2 .f32 x)`.

#include "code/lowering/translator.h"

namespace heddle::code::lowering {
namespace {

bool is_in_registers(const ptx::Variable& variable) {
  return variable.space == ptx::StateSpace::reg && variable.reg != ptx::kNoIndex;
}

MemoryAddress place_in_frame(std::uint32_t offset) {
  MemoryAddress place;
  place.space = Space::local;
  place.offset = offset;
  return place;
}

}  // namespace

void Translator::store_passed_value(ValueType type, const MemoryAddress& to, const Operand& value) {
  if (type != ValueType::pred) {
    emit_store(type, to, value);
    return;
  }
  const Operand word = new_register(1);
  compute(Operation::select, ValueType::u32, {word},
          {Operand::immediate(1), Operand::immediate(0), value});
  emit_store(ValueType::u32, to, word);
}

void Translator::load_passed_value(ValueType type, const Operand& to, const MemoryAddress& from) {
  if (type != ValueType::pred) {
    emit_load(type, to, from);
    return;
  }
  const Operand word = new_register(1);
  emit_load(ValueType::u32, word, from);
  emit(Operation::setp, ValueType::u32, {to}, {word, Operand::immediate(0)}).comparison =
      Comparison::not_equal;
}

void Translator::load_register_parameters() {
  for (std::size_t i = 0; i < function_.parameters.size(); ++i) {
    const ptx::Variable& parameter = variable(function_.parameters[i]);
    if (!is_in_registers(parameter)) continue;
    MemoryAddress from = place_in_frame(plan_.own_layout.parameters[i]);
    for (std::uint32_t part = 0; part < parameter.vector; ++part) {
      load_passed_value(parameter.type, registers_[parameter.reg + part], from);
      from.offset += size_of(parameter.type);
    }
  }
}

void Translator::store_register_results() {
  for (std::size_t i = 0; i < function_.returns.size(); ++i) {
    const ptx::Variable& result = variable(function_.returns[i]);
    if (!is_in_registers(result)) continue;
    MemoryAddress to = place_in_frame(plan_.own_layout.returns[i]);
    for (std::uint32_t part = 0; part < result.vector; ++part) {
      store_passed_value(result.type, to, registers_[result.reg + part]);
      to.offset += size_of(result.type);
    }
  }
}

}  // namespace heddle::code::lowering
