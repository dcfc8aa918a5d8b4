// Checks that a parsed instruction is a valid form of its opcode, as strictly as ptxas does.

#include <algorithm>

#include "ptx/instruction.h"
#include "ptx/rules.h"

namespace heddle::ptx {
namespace {

bool is_bits(ValueType type) { return type >= ValueType::b8 && type <= ValueType::b128; }

/// True if a register of type `reg` can be an operand of type `type`. Untyped bits fit every type
/// of the same size, and signed integers fit unsigned ones; integers do not fit floating point.
/// With `may_be_wider`, as for loads, stores and conversions, the register may be wider than the
/// type.
bool fits(ValueType type, ValueType reg, bool may_be_wider) {
  if (type == ValueType::pred || reg == ValueType::pred) return type == reg;
  if (size_of(reg) != size_of(type)) {
    return may_be_wider && size_of(reg) > size_of(type) && (is_bits(type) || !is_floating(reg));
  }
  if (is_bits(type) || is_bits(reg)) return true;
  return is_floating(type) == is_floating(reg) &&
         (!is_floating(type) || is_packed(type) == is_packed(reg));
}

class Checker {
 public:
  Checker(Context& context, Instruction& instruction, const Form& form)
      : context_(context), tokens_(context.tokens), instruction_(instruction), form_(form) {}

  bool check() {
    if (!check_suffixes() || !check_types() || !check_required() || !check_count()) return false;
    for (std::size_t i = 0; i < instruction_.operands.size(); ++i) {
      if (!check_operand(form_.operands[i], instruction_.operands[i], i)) return false;
    }
    return instruction_.opcode != Opcode::call || check_call();
  }

 private:
  std::string_view opcode_name() const { return spelling_of(instruction_.opcode); }
  /// The opcode with its suffixes, for messages.
  std::string full_opcode() const { return printable(instruction_.spelling); }
  const Function& function() const { return context_.module.functions[context_.function]; }
  ValueType type_of_register(const Operand& o) const { return function().registers[o.index].type; }

  /// Reports an error at one suffix of the instruction. Returns false, as do the other functions
  /// that report errors.
  template <class... Arguments>
  bool suffix_error(std::string_view suffix, fmt::format_string<Arguments...> message,
                    Arguments&&... arguments) {
    TextLocation at = instruction_.location;
    auto length = static_cast<std::uint32_t>(instruction_.spelling.size());
    const std::string dotted = fmt::format(".{}", suffix);
    std::size_t place = instruction_.spelling.find(dotted);
    // `.f16` must not match the beginning of `.f16x2`.
    while (place != std::string_view::npos &&
           place + dotted.size() < instruction_.spelling.size() &&
           is_name_part(instruction_.spelling[place + dotted.size()])) {
      place = instruction_.spelling.find(dotted, place + 1);
    }
    if (place != std::string_view::npos) {
      at.column += static_cast<std::uint32_t>(place);
      length = static_cast<std::uint32_t>(dotted.size());
    }
    tokens_.error_at(at, length, message, std::forward<Arguments>(arguments)...);
    return false;
  }

  /// Reports an error at the opcode and its suffixes.
  template <class... Arguments>
  bool instruction_error(fmt::format_string<Arguments...> message, Arguments&&... arguments) {
    tokens_.error_at(instruction_.location,
                     static_cast<std::uint32_t>(instruction_.spelling.size()), message,
                     std::forward<Arguments>(arguments)...);
    return false;
  }

  bool check_suffixes() {
    for (const Modifier m : instruction_.modifiers) {
      if (form_.modifiers.test(static_cast<std::size_t>(m))) continue;
      std::string allowed;
      for (std::size_t i = 0; i < kModifierCount && allowed.size() < 60; ++i) {
        if (!form_.modifiers.test(i)) continue;
        allowed += allowed.empty() ? "; it takes ." : " .";
        allowed += spelling_of(static_cast<Modifier>(i));
      }
      if (allowed.size() >= 60) allowed += " ...";
      return suffix_error(spelling_of(m), "'.{}' is not a suffix of '{}'{}", spelling_of(m),
                          opcode_name(), allowed);
    }
    return true;
  }

  bool check_types() {
    const std::size_t expected_count = form_.types.size();
    const std::size_t given_count = instruction_.types.size();
    if (given_count < expected_count) {
      return instruction_error(
          "'{}' needs {}: {}", full_opcode(),
          expected_count == 1 ? "a type" : fmt::format("{} types", expected_count),
          describe_types(form_.types[given_count]));
    }
    if (given_count > expected_count) {
      return suffix_error(name_of(instruction_.types[expected_count]), "'{}' has {} types too many",
                          full_opcode(), given_count - expected_count);
    }
    for (std::size_t i = 0; i < expected_count; ++i) {
      const ValueType type = instruction_.types[i];
      if ((form_.types[i] & type_bit(type)) != 0) continue;
      return suffix_error(name_of(type), "'{}' does not work on .{} but on {}", opcode_name(),
                          name_of(type), describe_types(form_.types[i]));
    }
    return true;
  }

  bool check_required() {
    for (const Requirement& requirement : form_.requirements) {
      if ((requirement.types & type_bit(instruction_.type(0))) == 0) continue;
      const bool has = std::any_of(
          instruction_.modifiers.begin(), instruction_.modifiers.end(),
          [&](Modifier m) { return requirement.alternatives.test(static_cast<std::size_t>(m)); });
      if (has) continue;
      return instruction_error("'{}' needs {}", full_opcode(),
                               describe_alternatives(requirement.alternatives));
    }
    return instruction_.opcode != Opcode::cvt || check_rounding();
  }

  /// Checks that a conversion that can lose precision states its rounding.
  bool check_rounding() {
    const ValueType result = instruction_.type(0);
    const ValueType source = instruction_.type(1);
    const auto has_one_of = [&](std::initializer_list<Modifier> modifiers) {
      return std::any_of(modifiers.begin(), modifiers.end(),
                         [&](Modifier m) { return instruction_.has(m); });
    };
    using M = Modifier;
    if (is_floating(source) && !is_floating(result)) {
      return has_one_of({M::rni, M::rzi, M::rmi, M::rpi}) ||
             instruction_error("'{}' needs one of .rni, .rzi, .rmi, .rpi", full_opcode());
    }
    const bool loses_precision =
        is_floating(result) && (!is_floating(source) || size_of(result) < size_of(source));
    return !loses_precision || has_one_of({M::rn, M::rz, M::rm, M::rp, M::rna, M::rs}) ||
           instruction_error("'{}' needs one of .rn, .rz, .rm, .rp", full_opcode());
  }

  bool check_count() {
    std::size_t minimum = form_.min_operands;
    std::size_t maximum = form_.operands.size();
    if (instruction_.opcode == Opcode::cvt) minimum = maximum = conversion_operand_count();
    const std::size_t given_count = instruction_.operands.size();
    if (given_count >= minimum && given_count <= maximum) return true;
    const std::string number =
        minimum == maximum ? std::to_string(maximum) : fmt::format("{} to {}", minimum, maximum);
    return instruction_error("'{}' takes {} operand{} ({}), not {}", full_opcode(), number,
                             maximum == 1 ? "" : "s", describe_operands(form_), given_count);
  }

  /// The number of operands of a conversion. A conversion of two f32 numbers to a packed type has
  /// an additional source. A conversion with .rs, too, has one: the random bits for rounding.
  std::size_t conversion_operand_count() const {
    const ValueType to = instruction_.type(0);
    const bool is_packing = instruction_.type(1) == ValueType::f32 && is_packed(to);
    return (is_packing ? 3U : 2U) + (instruction_.has(Modifier::rs) ? 1U : 0U);
  }

  /// The number of elements per operand by the suffix `.v2`, `.v4` or `.v8`; 1 without such a
  /// suffix.
  std::size_t vector_length() const {
    if (instruction_.has(Modifier::v2)) return 2;
    if (instruction_.has(Modifier::v4)) return 4;
    return instruction_.has(Modifier::v8) ? 8 : 1;
  }

  /// What the operand is, for messages.
  std::string describe(const Operand& o) const {
    switch (o.kind) {
      case Operand::Kind::reg: {
        const Register& r = function().registers[o.index];
        return fmt::format("'{}' is a .{} register", printable(r.name), name_of(r.type));
      }
      case Operand::Kind::special:
        return fmt::format("'{}' can only be read by mov and cvt",
                           spelling_of(static_cast<SpecialRegister>(o.index)));
      case Operand::Kind::integer:
        return "this is an integer";
      case Operand::Kind::f32:
      case Operand::Kind::f64:
        return "this is a floating-point number";
      case Operand::Kind::label:
        return "this is a label";
      case Operand::Kind::variable:
        return "this is the address of a variable";
      case Operand::Kind::function:
        return "this is the address of a function";
      case Operand::Kind::address:
        return "this is an address in brackets";
      case Operand::Kind::sum:
        return "this is the sum of a register and a constant";
      case Operand::Kind::vector:
        return fmt::format("this is a vector of {}", o.count);
      case Operand::Kind::pair:
        return "this is a pair";
      case Operand::Kind::texture:
        return "these are coordinates";
      case Operand::Kind::sink:
        return "this is not a value";
      default:
        return "this is something else";
    }
  }

  /// The length of the operand's text that a message marks.
  std::uint32_t length_of(const Operand& o) const {
    if (o.kind != Operand::Kind::reg) return 1;
    return static_cast<std::uint32_t>(function().registers[o.index].name.size()) +
           (o.negated ? 1U : 0U);
  }

  /// Reports an error at the operand with the index `number`.
  bool operand_error(const Operand& o, std::size_t number, std::string_view expected) {
    if (!tokens_.wants_messages()) {
      tokens_.error_at(o.location, 1, "?");
      return false;
    }
    tokens_.error_at(o.location, length_of(o), "operand {} of '{}' must be {}; {}", number + 1,
                     full_opcode(), expected, describe(o));
    return false;
  }

  bool check_operand(const OperandRule& rule, Operand& o, std::size_t number) {
    if (o.kind == Operand::Kind::pair) return check_pair(rule, o, number);
    if (o.kind == Operand::Kind::reg && o.bits != 0 && !is_video(instruction_.opcode)) {
      tokens_.error_at(o.location, length_of(o), "only video instructions take parts of registers");
      return false;
    }
    if (o.negated && !may_be_negated(o)) {
      tokens_.error_at(o.location, length_of(o), "'{}' cannot negate its operands", full_opcode());
      return false;
    }
    const ValueType type = instruction_.type(rule.type);
    switch (rule.role) {
      case Role::anything:
        return true;
      case Role::destination:
        return check_destination(o, number, type, false);
      case Role::cvt_destination:
        return check_destination(o, number, type, true);
      case Role::wide_destination:
        return check_wide(o, number, type, true);
      case Role::wide_source:
        return check_wide(o, number, type, false);
      case Role::source:
        return check_source(o, number, type, false);
      case Role::cvt_source:
        return check_source(o, number, type, true);
      case Role::int32_destination:
        return check_destination(o, number, ValueType::b32, false);
      case Role::int32_source:
        return check_source(o, number, ValueType::u32, false);
      case Role::constant:
        return o.kind == Operand::Kind::integer || operand_error(o, number, "an integer");
      case Role::f32_source:
        return check_source(o, number, ValueType::f32, false);
      case Role::predicate_result:
        return check_destination(o, number, ValueType::pred, false);
      case Role::predicate:
        return check_source(o, number, ValueType::pred, false);
      case Role::memory:
        return check_memory(o, number);
      case Role::load_destination:
        return check_vector(o, number, type, true, true);
      case Role::store_source:
        return check_vector(o, number, type, true, false);
      case Role::vector:
        return check_vector(o, number, type, false, number == 0);
      case Role::texture:
        return o.kind == Operand::Kind::texture ||
               operand_error(o, number, "a texture or surface with coordinates, [t, {x, y}]");
      case Role::label:
        return o.kind == Operand::Kind::label || operand_error(o, number, "a label");
      case Role::branch_targets:
        return o.kind == Operand::Kind::branches ||
               operand_error(o, number, "the name of .branchtargets");
      case Role::mov_destination:
        return check_moved(o, number, true);
      case Role::mov_source:
        return check_moved(o, number, false);
    }
    return true;
  }

  bool may_be_negated(const Operand& o) const {
    return type_of_register(o) == ValueType::pred || instruction_.opcode == Opcode::vmad;
  }

  /// Checks `a|p`: the first part by the rule, and the second as a predicate that is written.
  bool check_pair(const OperandRule& rule, const Operand& pair, std::size_t number) {
    if (!rule.may_be_pair) return operand_error(pair, number, "a single operand");
    Operand first = function().elements(pair)[0];
    const Operand second = function().elements(pair)[1];
    const OperandRule alone{rule.role, rule.type};
    if (first.kind != Operand::Kind::sink && !check_operand(alone, first, number)) return false;
    return second.kind == Operand::Kind::sink ||
           check_destination(second, number, ValueType::pred, false);
  }

  /// True if the instruction may discard its result (`_`).
  bool may_be_sink() const {
    return instruction_.opcode == Opcode::atom || instruction_.opcode == Opcode::elect ||
           instruction_.opcode == Opcode::setp;
  }

  bool check_destination(const Operand& o, std::size_t number, ValueType type, bool may_be_wider) {
    if (o.kind == Operand::Kind::sink && may_be_sink()) return true;
    if (o.kind == Operand::Kind::reg && !o.negated &&
        fits(type, type_of_register(o), may_be_wider)) {
      return true;
    }
    return operand_error(o, number, fmt::format("a register for .{}", name_of(type)));
  }

  bool constant_fits(const Operand& o, ValueType type) const {
    switch (o.kind) {
      case Operand::Kind::integer:
        return !is_floating(type);
      case Operand::Kind::f32:
        return type == ValueType::f32 || type == ValueType::f64 || type == ValueType::b32;
      case Operand::Kind::f64:
        return type == ValueType::f32 || type == ValueType::f64 || type == ValueType::b64;
      case Operand::Kind::variable:
      case Operand::Kind::function:
        return (instruction_.opcode == Opcode::mov || instruction_.opcode == Opcode::cvta) &&
               size_of(type) >= 4 && size_of(type) <= 8 && is_integer_or_bits(type);
      default:
        return false;
    }
  }

  bool check_source(const Operand& o, std::size_t number, ValueType type, bool may_be_wider) {
    if (o.kind == Operand::Kind::sum) return check_sum(o, number, type, may_be_wider);
    if (o.kind == Operand::Kind::reg ? fits(type, type_of_register(o), may_be_wider)
                                     : constant_fits(o, type)) {
      return true;
    }
    if (o.kind == Operand::Kind::special && instruction_.opcode == Opcode::cvt &&
        fits(type, type_of(static_cast<SpecialRegister>(o.index)), true)) {
      return true;
    }
    if (type == ValueType::pred) return operand_error(o, number, "a predicate");
    return operand_error(o, number, fmt::format("a register or a constant for .{}", name_of(type)));
  }

  /// Checks `r + 4` as a source. ptxas adds integers.
  bool check_sum(const Operand& o, std::size_t number, ValueType type, bool may_be_wider) {
    const ValueType declared = type_of_register(o);
    if (is_integer_or_bits(declared) && !is_floating(type) && type != ValueType::pred &&
        size_of(declared) >= 2 && fits(type, declared, may_be_wider)) {
      return true;
    }
    return operand_error(o, number, fmt::format("a register or a constant for .{}", name_of(type)));
  }

  /// Checks an operand of twice the size of `narrow`.
  bool check_wide(const Operand& o, std::size_t number, ValueType narrow, bool is_destination) {
    ValueType type = ValueType::u64;
    if (narrow == ValueType::u16) type = ValueType::u32;
    if (narrow == ValueType::s16) type = ValueType::s32;
    if (narrow == ValueType::s32) type = ValueType::s64;
    return is_destination ? check_destination(o, number, type, false)
                          : check_source(o, number, type, false);
  }

  bool check_memory(Operand& o, std::size_t number) {
    // `array[3]` is the same address as `[array+12]`, for elements of 4 bytes.
    if (o.kind == Operand::Kind::variable) {
      o.kind = Operand::Kind::address;
      o.base = Operand::Base::variable;
    }
    if (o.kind != Operand::Kind::address) return operand_error(o, number, "an address in brackets");
    if (o.base != Operand::Base::reg) return true;
    const ValueType type = type_of_register(o);
    if (is_integer_or_bits(type) && (size_of(type) == 4 || size_of(type) == 8)) return true;
    tokens_.error_at(o.location, 1, "'{}' cannot be an address: it is a .{} register",
                     printable(function().registers[o.index].name), name_of(type));
    return false;
  }

  bool check_element(const Operand& o, std::size_t number, ValueType type, bool may_be_wider,
                     bool is_destination) {
    if (is_destination && o.kind == Operand::Kind::sink) return true;
    return is_destination ? check_destination(o, number, type, may_be_wider)
                          : check_source(o, number, type, may_be_wider);
  }

  bool check_vector(const Operand& o, std::size_t number, ValueType type, bool may_be_wider,
                    bool is_destination) {
    const std::size_t length = vector_length();
    if (length == 1) {
      // A vector of one element is equivalent to the element.
      if (o.kind == Operand::Kind::vector && o.count == 1) {
        return check_element(function().elements(o)[0], number, type, may_be_wider, is_destination);
      }
      return is_destination ? check_destination(o, number, type, may_be_wider)
                            : check_source(o, number, type, may_be_wider);
    }
    if (o.kind == Operand::Kind::sink && may_be_sink()) return true;
    if (o.kind != Operand::Kind::vector || o.count != length) {
      return operand_error(o, number, fmt::format("a vector of {}", length));
    }
    for (std::size_t i = 0; i < length; ++i) {
      const Operand element = function().elements(o)[i];
      if (!check_element(element, number, type, may_be_wider, is_destination)) return false;
    }
    return true;
  }

  /// Checks an operand of mov.
  bool check_moved(const Operand& o, std::size_t number, bool is_destination) {
    const ValueType type = instruction_.type(0);
    if (vector_length() > 1) return check_moved_elements(o, number, is_destination);
    if (o.kind == Operand::Kind::vector) return check_packed(o, number, is_destination);
    if (o.kind == Operand::Kind::special && !is_destination && special_fits(o, type)) return true;
    return is_destination ? check_destination(o, number, type, false)
                          : check_source(o, number, type, false);
  }

  /// Whether mov can read the special register as `type`. A 32-bit special register can be read as
  /// 16 bits. %gridid can be read as 32 bits, because older versions of PTX defined it so.
  bool special_fits(const Operand& o, ValueType type) const {
    const auto read = static_cast<SpecialRegister>(o.index);
    const ValueType special = type_of(read);
    if (special == ValueType::pred || type == ValueType::pred) return special == type;
    if (read == SpecialRegister::gridid && size_of(type) == 4) return !is_floating(type);
    return !is_floating(type) &&
           (size_of(special) == size_of(type) || (size_of(special) == 4 && size_of(type) == 2));
  }

  bool check_moved_elements(const Operand& o, std::size_t number, bool is_destination) {
    const ValueType type = instruction_.type(0);
    if (o.kind != Operand::Kind::vector || o.count != vector_length()) {
      return operand_error(o, number, fmt::format("a vector of {}", vector_length()));
    }
    for (std::size_t i = 0; i < o.count; ++i) {
      const Operand element = function().elements(o)[i];
      if (element.kind == Operand::Kind::special && !is_destination &&
          special_fits(element, type)) {
        continue;
      }
      if (!check_element(element, number, type, false, is_destination)) return false;
    }
    return true;
  }

  /// Checks the vector of mov.b64 %rd, {%r1, %r2} or the reverse: each element holds an equal part
  /// of the bits.
  bool check_packed(const Operand& o, std::size_t number, bool is_destination) {
    const ValueType type = instruction_.type(0);
    if (!is_bits(type)) {
      tokens_.error_at(o.location, 1, "only the .b types of 'mov' can be put together from parts");
      return false;
    }
    if (!is_destination && instruction_.operands[0].kind == Operand::Kind::vector) {
      return operand_error(o, number, fmt::format("a register for .{}", name_of(type)));
    }
    const int size = size_of(type) / std::max<int>(o.count, 1);
    if (o.count < 2 || o.count > 8 || size * o.count != size_of(type)) {
      return operand_error(o, number, fmt::format("parts that make a .{}", name_of(type)));
    }
    const ValueType part = size == 1   ? ValueType::b8
                           : size == 2 ? ValueType::b16
                           : size == 4 ? ValueType::b32
                                       : ValueType::b64;
    for (std::size_t i = 0; i < o.count; ++i) {
      const Operand element = function().elements(o)[i];
      if (!check_element(element, number, part, false, is_destination)) return false;
    }
    return true;
  }

  /// Checks the target of a call, and its results and arguments against the signature.
  bool check_call() {
    const Operand target = instruction_.operands[1];
    const std::vector<VariableIndex>* returns = nullptr;
    const std::vector<VariableIndex>* parameters = nullptr;
    if (target.kind == Operand::Kind::function) {
      const Function& callee = context_.module.functions[target.index];
      if (callee.is_kernel) return operand_error(target, 1, "a .func, not an .entry");
      returns = &callee.returns;
      parameters = &callee.parameters;
    } else {
      if (instruction_.operands.size() < 4) {
        return instruction_error(
            "a call through a register needs a .callprototype or .calltargets as last operand");
      }
      if (!fits(ValueType::u64, type_of_register(target), false)) {
        return operand_error(target, 1, "a function or a 64-bit register");
      }
      const Prototype& prototype = function().prototypes[instruction_.operands[3].index];
      returns = &prototype.returns;
      parameters = &prototype.parameters;
    }
    return check_arguments(instruction_.operands[0], *returns, "result") &&
           check_arguments(instruction_.operands[2], *parameters, "argument");
  }

  bool check_arguments(const Operand& list, const std::vector<VariableIndex>& expected,
                       std::string_view what) {
    if (list.count != expected.size()) {
      tokens_.error_at(list.location, 1, "this call needs {} {}{}, not {}", expected.size(), what,
                       expected.size() == 1 ? "" : "s", list.count);
      return false;
    }
    for (std::size_t i = 0; i < list.count; ++i) {
      const Operand& argument = function().elements(list)[i];
      const Variable& parameter = context_.module.variables[expected[i]];
      if (argument_fits(argument, parameter)) continue;
      tokens_.error_at(argument.location, length_of(argument),
                       "{} {} has {} bytes where '{}' has {}", what, i + 1,
                       size_of_argument(argument), printable(parameter.name), parameter.size);
      return false;
    }
    return true;
  }

  std::uint64_t size_of_argument(const Operand& argument) const {
    if (argument.kind == Operand::Kind::variable) {
      return context_.module.variables[argument.index].size;
    }
    if (argument.kind == Operand::Kind::reg) {
      return static_cast<std::uint64_t>(size_of(type_of_register(argument)));
    }
    return 0;
  }

  bool argument_fits(const Operand& argument, const Variable& parameter) const {
    switch (argument.kind) {
      case Operand::Kind::reg:
      case Operand::Kind::variable:
        return size_of_argument(argument) == parameter.size;
      default:
        return true;
    }
  }

  Context& context_;
  TokenStream& tokens_;
  Instruction& instruction_;
  const Form& form_;
};

}  // namespace

bool check_instruction(Context& context, Instruction& instruction) {
  const Form* form = form_of(instruction);
  return form == nullptr || Checker(context, instruction, *form).check();
}

}  // namespace heddle::ptx
