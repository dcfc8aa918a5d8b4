#include "sm/instructions/unit_of.h"

#include <algorithm>

#include "code/operation_properties.h"

namespace heddle::sm {
namespace {

using code::FunctionalClass;
using code::Instruction;

/// Whether the special-function unit computes the instruction with one table look-up. It does for
/// PTX's .approx, but for f64 only with .ftz, and for .full.
bool is_looked_up(const Instruction& instruction) {
  return instruction.full_range ||
         (instruction.approximate &&
          (instruction.type != ValueType::f64 || instruction.flush_subnormals));
}

UnitKind arithmetic_unit_of(ValueType type) {
  if (type == ValueType::f64) return UnitKind::fp64;
  return is_floating(type) ? UnitKind::fp32 : UnitKind::integer;
}

/// An exactly rounded function represents a sequence of hardware instructions. Most of them, and
/// the last, are arithmetic and not look-ups, so the whole sequence counts as arithmetic.
UnitKind refined_function_unit_of(const Instruction& instruction) {
  return is_floating(instruction.type) && is_looked_up(instruction)
             ? UnitKind::special
             : arithmetic_unit_of(instruction.type);
}

/// Conversions execute in the arithmetic unit of the wider kind of type that they read or write, in
/// the order integer, fp32, fp64. Recent hardware executes them at the rate of special functions.
/// In the papers' machines, however, special-function units execute transcendental functions only.
UnitKind conversion_unit_of(const Instruction& instruction) {
  return std::max(arithmetic_unit_of(instruction.type),
                  arithmetic_unit_of(instruction.source_type));
}
static_assert(UnitKind::integer < UnitKind::fp32 && UnitKind::fp32 < UnitKind::fp64);

}  // namespace

UnitKind unit_of(const Instruction& instruction) {
  switch (properties_of(instruction.operation).functional_class) {
    case FunctionalClass::integer:
    // Exchanges between lanes have no unit of their own, and do not use a memory path.
    case FunctionalClass::exchange:
      return UnitKind::integer;
    case FunctionalClass::arithmetic:
      return arithmetic_unit_of(instruction.type);
    case FunctionalClass::comparison:
      return arithmetic_unit_of(instruction.source_type);
    case FunctionalClass::conversion:
      return conversion_unit_of(instruction);
    case FunctionalClass::function:
      return UnitKind::special;
    case FunctionalClass::refined_function:
      return refined_function_unit_of(instruction);
    case FunctionalClass::load:
    case FunctionalClass::store:
    case FunctionalClass::atomic:
    case FunctionalClass::copy:
      return UnitKind::memory;
    case FunctionalClass::texture:
    case FunctionalClass::texture_query:
    case FunctionalClass::surface:
      return UnitKind::texture;
    // Hints such as prefetches have no effect in this model, and no address. They do not go to
    // memory.
    case FunctionalClass::hint:
    case FunctionalClass::branch:
    case FunctionalClass::system_call:
    case FunctionalClass::barrier:
    case FunctionalClass::fence:
    case FunctionalClass::wait:
      return UnitKind::control;
  }
  return UnitKind::control;
}

ValueType source_type_of(const Instruction& instruction) {
  const FunctionalClass functional_class = properties_of(instruction.operation).functional_class;
  const bool has_own = functional_class == FunctionalClass::comparison ||
                       functional_class == FunctionalClass::conversion;
  return has_own ? instruction.source_type : instruction.type;
}

bool multiplies_integers(const Instruction& instruction) {
  using code::Operation;
  switch (instruction.operation) {
    case Operation::mul_lo:
    case Operation::mul_hi:
    case Operation::mul_wide:
    case Operation::mad_lo:
    case Operation::mad_hi:
    case Operation::mad_wide:
      return unit_of(instruction) == UnitKind::integer && size_of(instruction.type) >= 4;
    default:
      return false;
  }
}

std::uint32_t expansion_of(const Instruction& instruction, WideIntegers wide_integers) {
  const code::OperationProperties& operation = properties_of(instruction.operation);
  const code::Expansion& expansion = operation.expansion;
  switch (unit_of(instruction)) {
    case UnitKind::integer: {
      const bool compares = operation.functional_class == FunctionalClass::comparison;
      const ValueType type = compares ? instruction.source_type : instruction.type;
      return size_of(type) == 8 && wide_integers == WideIntegers::two_words
                 ? expansion.wide_integer_instructions
                 : expansion.integer_instructions;
    }
    case UnitKind::fp32:
      return expansion.float_instructions;
    case UnitKind::fp64:
      return expansion.wide_float_instructions;
    case UnitKind::special:
      // A full-range division scales its operand first, so that the reciprocal does not underflow.
      return instruction.full_range ? 2 : 1;
    case UnitKind::memory:
    case UnitKind::texture:
    case UnitKind::control:
      return 1;
  }
  return 1;
}

}  // namespace heddle::sm
