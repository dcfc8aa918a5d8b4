#pragma once

#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>

#include "ptx/module.h"

namespace heddle::ptx {

/// What an instruction accepts as the operand at one position. "Type n" is the instruction's n-th
/// type suffix, counted from 0. Each comment begins with the letter that rules.def uses for the
/// role.
enum class Role : std::uint8_t {
  anything,           ///< x: any operand; it is not checked
  destination,        ///< D: a register of type 0
  wide_destination,   ///< W: a register of twice the size of type 0
  source,             ///< a, b: a register or a constant, of type 0 (a) or 1 (b)
  wide_source,        ///< w: a register or a constant of twice the size of type 0
  int32_destination,  ///< I: a 32-bit integer register
  int32_source,       ///< i: a 32-bit integer
  constant,           ///< k: an integer constant
  f32_source,         ///< f: an f32 source, whatever the types are
  predicate_result,   ///< P: a predicate register that is written
  predicate,          ///< p: a predicate that is read, possibly negated
  memory,             ///< m: [address]
  load_destination,   ///< L: a register or a vector of registers, possibly wider than type 0
  store_source,       ///< s: a source or a vector of sources, possibly wider than type 0
  vector,             ///< V: a vector or one register, of type 0
  texture,            ///< t: [texture, coordinates]
  label,              ///< l: a label
  branch_targets,     ///< T: the name of .branchtargets
  mov_destination,    ///< M: the destination of mov
  mov_source,         ///< n: the source of mov
  cvt_destination,    ///< C: a register that may be wider than type 0
  cvt_source,         ///< v: a source that may be wider than type 1
};

/// What a form accepts at one position of the operands.
struct OperandRule {
  Role role = Role::anything;
  std::uint8_t type = 0;     ///< The index of the type suffix that the role refers to.
  bool may_be_pair = false;  ///< `a|p` is allowed, with a predicate after the '|'.
};

/// An instruction whose type 0 is in `types` must have one of the suffixes `alternatives`.
struct Requirement {
  std::uint32_t types = 0;  ///< A set of types, as a mask of type_bit().
  std::bitset<kModifierCount> alternatives;
};

/// One form of an instruction: the operands, types and suffixes that it accepts.
struct Form {
  Opcode opcode = Opcode::unknown;
  /// The instruction has this form if it has all of these suffixes, and if no earlier form of the
  /// opcode applies.
  InlineVector<Modifier, 2> selecting_suffixes;
  bool is_unchecked = false;  ///< Operands, types and suffixes are not checked.
  InlineVector<OperandRule, 8> operands;
  std::uint8_t min_operands = 0;  ///< The operands beyond this number are optional.
  /// The allowed types for each type suffix: sets, as masks of type_bit().
  InlineVector<std::uint32_t, 4> types;
  std::bitset<kModifierCount> modifiers;  ///< The allowed suffixes that are not types.
  InlineVector<Requirement, 4> requirements;
};

/// The form of an instruction; null if the instruction is not checked.
const Form* form_of(const Instruction& instruction);
/// True if no form of the opcode is checked. Unknown suffixes of the opcode are then not errors.
bool takes_any_suffix(Opcode opcode);
/// True for video instructions (vadd, vset4, ...), whose operands can be parts of registers.
bool is_video(Opcode opcode);

/// The operands of a form for messages: "d, a, b" or "d, [a]{, b}".
std::string describe_operands(const Form& form);
/// The suffixes for messages: "one of .up, .down, .bfly, .idx".
std::string describe_alternatives(const std::bitset<kModifierCount>& suffixes);
/// The types for messages: ".b16, .b32 or .b64".
std::string describe_types(std::uint32_t set);

/// The bit of a type in a set of types.
constexpr std::uint32_t type_bit(ValueType type) {
  return std::uint32_t{1} << static_cast<unsigned>(type);
}

}  // namespace heddle::ptx
