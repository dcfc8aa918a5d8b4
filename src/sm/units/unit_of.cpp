#include "sm/units/unit_of.h"

#include <algorithm>

#include "code/operation_properties.h"

namespace heddle::sm {
namespace {

using code::FunctionalClass;
using code::Instruction;

/// PTX's .approx: one look-up of the special-function unit. For f64 only with .ftz.
bool is_looked_up(const Instruction& instruction) {
  return instruction.full_range ||
         (instruction.approximate &&
          (instruction.type != ValueType::f64 || instruction.flush_subnormals));
}

UnitKind arithmetic_unit_of(ValueType type) {
  if (type == ValueType::f64) return UnitKind::fp64;
  return is_floating(type) ? UnitKind::fp32 : UnitKind::integer;
}

/// The last step of a sequence that gives an exactly rounded result is no look-up, and most of the
/// others are none: the sequence counts as the arithmetic that it is made of.
UnitKind refined_function_unit_of(const Instruction& instruction) {
  return is_floating(instruction.type) && is_looked_up(instruction)
             ? UnitKind::special
             : arithmetic_unit_of(instruction.type);
}

/// Conversions go with the arithmetic of the floating-point type that they read or write. Recent
/// hardware makes them at the rate of its special functions, but the machines that papers describe
/// have special-function units for transcendental functions alone.
UnitKind conversion_unit_of(const Instruction& instruction) {
  return std::max(arithmetic_unit_of(instruction.type),
                  arithmetic_unit_of(instruction.source_type));
}
static_assert(UnitKind::integer < UnitKind::fp32 && UnitKind::fp32 < UnitKind::fp64);

}  // namespace

UnitKind unit_of(const Instruction& instruction) {
  switch (properties_of(instruction.operation).functional_class) {
    case FunctionalClass::integer:
    // Exchanges between lanes have no unit of their own: no path of memory carries them.
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
    // Prefetches have no effect and no address either, so nothing takes them to memory.
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

std::uint32_t expansion_of(const Instruction& instruction) {
  const code::OperationProperties& operation = properties_of(instruction.operation);
  const code::Expansion& expansion = operation.expansion;
  switch (unit_of(instruction)) {
    case UnitKind::integer: {
      const bool compares = operation.functional_class == FunctionalClass::comparison;
      const ValueType type = compares ? instruction.source_type : instruction.type;
      return size_of(type) == 8 ? expansion.of_wide_integers : expansion.of_integers;
    }
    case UnitKind::fp32:
      return expansion.of_floats;
    case UnitKind::fp64:
      return expansion.of_wide_floats;
    case UnitKind::special:
      return instruction.full_range ? 2 : 1;  // Scaled, so that the reciprocal does not vanish.
    case UnitKind::memory:
    case UnitKind::texture:
    case UnitKind::control:
      return 1;
  }
  return 1;
}

}  // namespace heddle::sm
