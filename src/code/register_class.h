#pragma once

#include <cstddef>
#include <cstdint>

#include "base/enum_array.h"
#include "code/instruction.h"

namespace heddle::code {

/// The two classes of a thread's registers. Each is numbered and allocated separately.
enum class RegisterClass : std::uint8_t {
  general,    ///< 32 bits; wider values take two or four.
  predicate,  ///< One bit.
};
inline constexpr std::size_t kRegisterClasses = values_up_to(RegisterClass::predicate);

/// The class of an operand that is a register or a predicate.
inline RegisterClass class_of(const Operand& operand) {
  return operand.is_predicate() ? RegisterClass::predicate : RegisterClass::general;
}

/// Whether the operand is a register (or a predicate) of this class.
inline bool has_class(RegisterClass register_class, const Operand& operand) {
  return register_class == RegisterClass::general ? operand.is_register() : operand.is_predicate();
}

/// The operand that names register `index` of this class. `width` is for general registers only.
inline Operand operand_of(RegisterClass register_class, std::uint32_t index, std::uint32_t width) {
  return register_class == RegisterClass::general ? Operand::reg(index, static_cast<int>(width))
                                                  : Operand::predicate(index);
}

}  // namespace heddle::code
