#include "ptx/opcode.h"

#include <array>

#include "ptx/spelling_table.h"

namespace heddle::ptx {
namespace {

constexpr std::array<Spelling<Opcode>, kOpcodeCount - 1> kOpcodeSpellings = {{
#define HEDDLE_PTX_OPCODE(name, spelling, lowering) Spelling<Opcode>{spelling, Opcode::name},
#include "ptx/opcode.def"
}};
constexpr std::array<Spelling<Modifier>, kModifierCount - 1> kModifierSpellings = {{
#define HEDDLE_PTX_MODIFIER(name, spelling) Spelling<Modifier>{spelling, Modifier::name},
#include "ptx/modifier.def"
}};
struct Special {
  SpecialRegister name = SpecialRegister::tid_x;
  ValueType type = ValueType::u32;
};
constexpr std::array<Spelling<Special>, kSpecialRegisterCount> kSpecialSpellings = {{
#define HEDDLE_PTX_SPECIAL(name, spelling, type) \
  Spelling<Special>{spelling, {SpecialRegister::name, ValueType::type}},
#include "ptx/special_register.def"
}};
constexpr std::array kTypeSpellings = {
#define HEDDLE_PTX_TYPE(name) \
  Spelling<ValueType> { #name, ValueType::name }
    HEDDLE_PTX_TYPE(pred),    HEDDLE_PTX_TYPE(b8),     HEDDLE_PTX_TYPE(b16),
    HEDDLE_PTX_TYPE(b32),     HEDDLE_PTX_TYPE(b64),    HEDDLE_PTX_TYPE(b128),
    HEDDLE_PTX_TYPE(u8),      HEDDLE_PTX_TYPE(u16),    HEDDLE_PTX_TYPE(u32),
    HEDDLE_PTX_TYPE(u64),     HEDDLE_PTX_TYPE(s8),     HEDDLE_PTX_TYPE(s16),
    HEDDLE_PTX_TYPE(s32),     HEDDLE_PTX_TYPE(s64),    HEDDLE_PTX_TYPE(u16x2),
    HEDDLE_PTX_TYPE(s16x2),   HEDDLE_PTX_TYPE(f16),    HEDDLE_PTX_TYPE(f16x2),
    HEDDLE_PTX_TYPE(bf16),    HEDDLE_PTX_TYPE(bf16x2), HEDDLE_PTX_TYPE(tf32),
    HEDDLE_PTX_TYPE(e4m3x2),  HEDDLE_PTX_TYPE(e5m2x2), HEDDLE_PTX_TYPE(f32),
    HEDDLE_PTX_TYPE(f64),     HEDDLE_PTX_TYPE(texref), HEDDLE_PTX_TYPE(samplerref),
    HEDDLE_PTX_TYPE(surfref),
#undef HEDDLE_PTX_TYPE
};

constexpr SpellingTable kOpcodes(kOpcodeSpellings);
constexpr SpellingTable kModifiers(kModifierSpellings);
constexpr SpellingTable kSpecials(kSpecialSpellings);
constexpr SpellingTable kTypes(kTypeSpellings);

/// The index of an enumerator in its table of spellings. Enumerator 0, `unknown`, is not in the
/// table.
template <class Name>
constexpr std::size_t row_of(Name name) {
  return static_cast<std::size_t>(name) - 1;
}

}  // namespace

std::string_view spelling_of(Opcode opcode) {
  return opcode == Opcode::unknown ? "?" : kOpcodeSpellings[row_of(opcode)].text;
}
std::string_view spelling_of(Modifier modifier) {
  return modifier == Modifier::unknown ? "?" : kModifierSpellings[row_of(modifier)].text;
}
std::string_view spelling_of(SpecialRegister special) {
  return kSpecialSpellings[static_cast<std::size_t>(special)].text;
}
ValueType type_of(SpecialRegister special) {
  return kSpecialSpellings[static_cast<std::size_t>(special)].value.type;
}

Opcode find_opcode(std::string_view spelling) {
  return kOpcodes.find(spelling).value_or(Opcode::unknown);
}
Modifier find_modifier(std::string_view spelling) {
  return kModifiers.find(spelling).value_or(Modifier::unknown);
}
std::optional<SpecialRegister> find_special_register(std::string_view spelling) {
  const std::optional<Special> found = kSpecials.find(spelling);
  if (!found) return std::nullopt;
  return found->name;
}
std::optional<ValueType> find_type(std::string_view spelling) { return kTypes.find(spelling); }

}  // namespace heddle::ptx
