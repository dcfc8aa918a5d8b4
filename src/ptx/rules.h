#pragma once

#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>

#include "ptx/module.h"

namespace heddle::ptx {

/// The operand that an instruction expects at one position. "Type n" is the instruction's n-th type
/// suffix. The letter is the one used in rules.def.
enum class Role : std::uint8_t {
  anything,          ///< x: not checked
  destination,       ///< D: a register of type 0
  wide_destination,  ///< W: a register of twice the size of type 0
  source,            ///< a, b: a register or a constant of type 0, 1
  wide_source,       ///< w: a source of twice the size of type 0
  word_destination,  ///< I: a 32-bit integer register
  word,              ///< i: a 32-bit integer
  constant,          ///< k: an integer constant
  single,            ///< f: an f32 source, whatever the types are
  predicate_result,  ///< P: a predicate register that is written
  predicate,         ///< p: a predicate that is read, possibly negated
  memory,            ///< m: [address]
  loaded,            ///< L: a register or a vector of them, possibly wider than type 0
  stored,            ///< s: the same as a source
  vector,            ///< V: a vector or one register, of type 0
  texture,           ///< t: [texture, coordinates]
  label,             ///< l
  targets,           ///< T: the name of .branchtargets
  moved_to,          ///< M: the destination of mov
  moved_from,        ///< n: the source of mov
  converted,         ///< C: a register that may be wider than type 0
  convertible,       ///< v: a source that may be wider than type 1
};

struct OperandRule {
  Role role = Role::anything;
  std::uint8_t type = 0;
  bool pair = false;  ///< `a|p` is allowed, with a predicate after the '|'
};

/// An instruction with one of the types `types` must have one of the suffixes `alternatives`.
struct Requirement {
  std::uint32_t types = 0;  ///< A set of types, as a mask of type_bit().
  std::bitset<kModifierCount> alternatives;
};

/// One form of an instruction.
struct Form {
  Opcode opcode = Opcode::unknown;
  /// The instruction has this form if it has all of these suffixes.
  InlineVector<Modifier, 2> selecting_suffixes;
  bool unchecked = false;  ///< Operands and types are not checked.
  InlineVector<OperandRule, 8> operands;
  std::uint8_t min_operands = 0;
  InlineVector<std::uint32_t, 4> types;   ///< Sets of types, as masks of type_bit().
  std::bitset<kModifierCount> modifiers;  ///< The allowed suffixes that are not types.
  InlineVector<Requirement, 4> required;
};

/// The form of an instruction; null if the instruction is not checked.
const Form* form_of(const Instruction& instruction);
/// True if no form of the opcode is checked; unknown suffixes are then not errors.
bool takes_any_suffix(Opcode opcode);
/// True for vadd .. vset4, whose operands can be parts of registers.
bool is_video(Opcode opcode);

/// The operands of a form for messages: "d, a, b" or "d, [a]{, b}".
std::string describe_operands(const Form& form);
/// "one of .up, .down, .bfly, .idx"
std::string describe_alternatives(const std::bitset<kModifierCount>& suffixes);
/// ".b16, .b32 or .b64"
std::string describe_types(std::uint32_t set);

constexpr std::uint32_t type_bit(ValueType type) {
  return std::uint32_t{1} << static_cast<unsigned>(type);
}

}  // namespace heddle::ptx
