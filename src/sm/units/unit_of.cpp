#include "sm/units/unit_of.h"

#include <algorithm>

namespace heddle::sm {
namespace {

using code::Instruction;
using code::Operation;

/// PTX's .approx: one look-up of the special-function unit. For f64 only with .ftz.
bool is_looked_up(const Instruction& instruction) {
  switch (instruction.operation) {
    case Operation::div:
      return instruction.approximate || instruction.full_range;
    case Operation::rcp:
    case Operation::sqrt:
    case Operation::rsqrt:
      return instruction.approximate &&
             (instruction.type != ValueType::f64 || instruction.flush_subnormals);
    default:
      return true;
  }
}

UnitKind arithmetic_unit_of(ValueType type) {
  if (type == ValueType::f64) return UnitKind::fp64;
  return is_floating(type) ? UnitKind::fp32 : UnitKind::integer;
}

/// Conversions go with the arithmetic of the floating-point type that they read or write. Recent
/// hardware makes them at the rate of its special functions, but the machines that papers describe
/// have special-function units for transcendental functions alone.
UnitKind conversion_unit_of(const Instruction& instruction) {
  return std::max(arithmetic_unit_of(instruction.type),
                  arithmetic_unit_of(instruction.source_type));
}
static_assert(UnitKind::integer < UnitKind::fp32 && UnitKind::fp32 < UnitKind::fp64);

std::uint32_t expansion_of_floating(const Instruction& instruction) {
  const bool wide = instruction.type == ValueType::f64;
  switch (instruction.operation) {
    case Operation::div:
      if (instruction.full_range) return 2;  // Scaled, so that the reciprocal does not vanish.
      return is_looked_up(instruction) ? 1 : wide ? 10 : 8;
    case Operation::rcp:
      return is_looked_up(instruction) ? 1 : wide ? 8 : 6;
    case Operation::sqrt:
      return is_looked_up(instruction) ? 1 : wide ? 10 : 8;
    case Operation::rsqrt:
      return is_looked_up(instruction) ? 1 : 8;
    default:
      return 1;
  }
}

/// Of two 32-bit halves, which carries or comparisons connect.
std::uint32_t expansion_of_64_bit(Operation operation) {
  switch (operation) {
    case Operation::mul_lo:
    case Operation::mad_lo:
    case Operation::min:
    case Operation::max:
    case Operation::clz:
    case Operation::bfind:
    case Operation::bfe:
      return 4;
    case Operation::mul_hi:
    case Operation::mad_hi:
      return 8;
    case Operation::bfi:
    case Operation::sad:
      return 6;
    case Operation::abs:
    case Operation::cnot:
    case Operation::popc:
    case Operation::set:
    case Operation::select_sign:
      return 3;
    default:
      return 2;
  }
}

}  // namespace

UnitKind unit_of(const Instruction& instruction) {
  switch (instruction.operation) {
    case Operation::load:
    case Operation::store:
    case Operation::load_local_slot:
    case Operation::store_local_slot:
    case Operation::atomic:
    case Operation::copy_async:
      return UnitKind::memory;

    case Operation::texture:
    case Operation::texture_query:
    case Operation::surface_load:
    case Operation::surface_store:
    case Operation::surface_reduce:
      return UnitKind::texture;

    // Prefetches have no effect and no address either, so nothing takes them to memory.
    case Operation::prefetch:
    case Operation::copy_async_wait:
    case Operation::fence:
    case Operation::branch:
    case Operation::branch_indexed:
    case Operation::call:
    case Operation::call_indirect:
    case Operation::ret:
    case Operation::exit:
    case Operation::barrier:
    case Operation::warp_sync:
    case Operation::trap:
    case Operation::breakpoint:
    case Operation::nanosleep:
    case Operation::system_call:
      return UnitKind::control;

    // The last step of a sequence that gives an exactly rounded result is no look-up, and most of
    // the others are none: the sequence counts as the arithmetic that it is made of.
    case Operation::div:
      if (!is_floating(instruction.type)) return UnitKind::integer;
      [[fallthrough]];
    case Operation::rcp:
    case Operation::sqrt:
    case Operation::rsqrt:
    case Operation::sin:
    case Operation::cos:
    case Operation::lg2:
    case Operation::ex2:
    case Operation::tanh:
      return is_looked_up(instruction) ? UnitKind::special : arithmetic_unit_of(instruction.type);

    case Operation::add:
    case Operation::sub:
    case Operation::mul_lo:
    case Operation::fma:
    case Operation::abs:
    case Operation::neg:
    case Operation::min:
    case Operation::max:
    case Operation::copysign:
    case Operation::setp:
    case Operation::testp:
      return arithmetic_unit_of(instruction.type);
    case Operation::set:
      return arithmetic_unit_of(instruction.source_type);
    case Operation::convert:
      return conversion_unit_of(instruction);

    // What moves, chooses and takes bits apart does not depend on what the bits mean. Exchanges
    // between lanes have no unit of their own: no path of memory carries them.
    default:
      return UnitKind::integer;
  }
}

std::uint32_t expansion_of(const Instruction& instruction) {
  const Operation operation = instruction.operation;
  const bool wide = size_of(instruction.type) == 8;
  switch (unit_of(instruction)) {
    case UnitKind::fp32:
    case UnitKind::fp64:
    case UnitKind::special:
      return expansion_of_floating(instruction);
    case UnitKind::integer:
      break;
    default:
      return 1;
  }
  switch (operation) {
    case Operation::div:
    case Operation::rem:
      return wide ? 80 : 20;
    case Operation::fns:
      return 32;  // A search, bit by bit.
    case Operation::cnot:
      return wide ? 3 : 2;
    case Operation::move:
    case Operation::select:
    case Operation::pack:
    case Operation::unpack:
      return static_cast<std::uint32_t>(registers_of(instruction.type));
    case Operation::set:
      return size_of(instruction.source_type) == 8 ? expansion_of_64_bit(operation) : 1;
    // The products are wide, which the multiplier makes in one go; lanes' masks are not.
    case Operation::mul_wide:
    case Operation::mad_wide:
    case Operation::match:
    case Operation::bmsk:
    case Operation::szext:
      return 1;
    default:
      return wide ? expansion_of_64_bit(operation) : 1;
  }
}

}  // namespace heddle::sm
