#pragma once

#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>

#include "ptx/module.h"

namespace heddle::ptx {

/// What an instruction expects at one place. A type is that of the instruction's suffixes with the
/// number that follows.
enum class Role : std::uint8_t {
  anything,          ///< x: is not looked at
  destination,       ///< D: a register of type 0
  wide_destination,  ///< W: a register of twice the size of type 0
  source,            ///< a, b: a register or a constant of type 0, 1
  wide_source,       ///< w: of twice the size of type 0
  word_destination,  ///< I: a 32-bit integer register
  word,              ///< i: a 32-bit integer
  constant,          ///< k: an integer that is written out
  single,            ///< f: an f32, whatever the types are
  predicate_result,  ///< P: a predicate
  predicate,         ///< p: a predicate, perhaps negated
  memory,            ///< m: [address]
  loaded,            ///< L: registers, one or as many as the vector has; may be wider than type 0
  stored,            ///< s: the same as a source
  vector,            ///< V: a vector or one register, of type 0
  texture,           ///< t: [texture, coordinates]
  label,             ///< l
  targets,           ///< T: the name of .branchtargets
  moved_to,          ///< M: what mov writes
  moved_from,        ///< n: what mov reads
  converted,         ///< C: a register that may be wider than type 0
  convertible,       ///< v: a source that may be wider than type 1
};

struct OperandRule {
  Role role = Role::anything;
  std::uint8_t type = 0;
  bool pair = false;  ///< `a|p` is allowed, with a predicate after the '|'
};

/// An instruction on one of these types must have one of these suffixes.
struct Requirement {
  std::uint32_t types = 0;
  std::bitset<kModifierCount> alternatives;
};

/// One form of an instruction.
struct Form {
  Opcode opcode = Opcode::unknown;
  InlineVector<Modifier, 2> when;  ///< The instruction has this form if it has these suffixes.
  bool unchecked = false;          ///< Any operands and types will do.
  InlineVector<OperandRule, 8> operands;
  std::uint8_t fewest_operands = 0;
  InlineVector<std::uint32_t, 4> types;  ///< Sets of types: bit n is the type with the number n.
  std::bitset<kModifierCount> modifiers;
  InlineVector<Requirement, 4> required;
};

/// The form of an instruction; null where it may have any shape.
const Form* form_of(const Instruction& instruction);
/// True where suffixes that are not known are no error: no form of the opcode is checked.
bool takes_any_suffix(Opcode opcode);
/// True for vadd .. vset4, whose operands can be parts of registers.
bool is_video(Opcode opcode);

/// "d, a, b" or "d, [a]{, b}": what the operands of a form look like.
std::string describe_operands(const Form& form);
/// "one of .up, .down, .bfly, .idx"
std::string describe_alternatives(const std::bitset<kModifierCount>& suffixes);
/// ".b16, .b32 or .b64"
std::string describe_types(std::uint32_t set);

constexpr std::uint32_t type_bit(ValueType type) {
  return std::uint32_t{1} << static_cast<unsigned>(type);
}

}  // namespace heddle::ptx
