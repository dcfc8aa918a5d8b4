#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/value_type.h"

namespace heddle::ptx {

/// The opcode of an instruction: the text before its first dot.
enum class Opcode : std::uint8_t {
  unknown,
#define HEDDLE_PTX_OPCODE(name, spelling, lowering) name,
#include "ptx/opcode.def"
};

/// A suffix that is not a type.
enum class Modifier : std::uint16_t {
  unknown,
#define HEDDLE_PTX_MODIFIER(name, spelling) name,
#include "ptx/modifier.def"
};

enum class SpecialRegister : std::uint8_t {
#define HEDDLE_PTX_SPECIAL(name, spelling, type) name,
#include "ptx/special_register.def"
};

std::string_view spelling_of(Opcode opcode);
std::string_view spelling_of(Modifier modifier);
std::string_view spelling_of(SpecialRegister special);
ValueType type_of(SpecialRegister special);

/// These look up a spelling without its leading dot, and return `unknown` if there is none.
Opcode find_opcode(std::string_view spelling);
Modifier find_modifier(std::string_view spelling);
/// Looks up a spelling with its leading `%`; empty if no special register has it.
std::optional<SpecialRegister> find_special_register(std::string_view spelling);
/// Looks up a type's name without its leading dot; empty if no type has it.
std::optional<ValueType> find_type(std::string_view spelling);

// The numbers of enumerators, including `unknown`.
inline constexpr std::size_t kOpcodeCount = 1
#define HEDDLE_PTX_OPCODE(name, spelling, lowering) +1
#include "ptx/opcode.def"
    ;
inline constexpr std::size_t kModifierCount = 1
#define HEDDLE_PTX_MODIFIER(name, spelling) +1
#include "ptx/modifier.def"
    ;
inline constexpr std::size_t kSpecialRegisterCount = 0
#define HEDDLE_PTX_SPECIAL(name, spelling, type) +1
#include "ptx/special_register.def"
    ;

}  // namespace heddle::ptx
