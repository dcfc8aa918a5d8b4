#include "ptx/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <vector>

namespace heddle::ptx {
namespace {

/// A HEDDLE_PTX_FORM of rules.def.
struct FormRow {
  Opcode opcode;
  std::string_view selecting_suffixes;
  std::string_view operands;
  std::string_view types;
  std::string_view suffixes;
};

constexpr FormRow kFormRows[] = {
#define HEDDLE_PTX_FORM(opcode, when, operands, types, suffixes) \
  {Opcode::opcode, when, operands, types, suffixes},
#include "ptx/rules.def"
};

constexpr bool has_form(Opcode opcode) {
  return std::any_of(std::begin(kFormRows), std::end(kFormRows),
                     [&](const FormRow& row) { return row.opcode == opcode; });
}

constexpr bool all_have_forms() {
  for (std::size_t i = 0; i < kOpcodeCount; ++i) {
    const auto opcode = static_cast<Opcode>(i);
    if (opcode != Opcode::unknown && !has_form(opcode)) return false;
  }
  return true;
}
static_assert(all_have_forms(), "an opcode of opcode.def has no form in rules.def");

/// A HEDDLE_PTX_NEEDS of rules.def.
struct RequirementRow {
  Opcode opcode;
  std::string_view types;
  std::string_view alternatives;
};

constexpr RequirementRow kRequirementRows[] = {
#define HEDDLE_PTX_NEEDS(opcode, types, alternatives) {Opcode::opcode, types, alternatives},
#include "ptx/rules.def"
};

/// Calls `use` with each word of a text; words are separated by spaces.
template <class Use>
void for_each_word(std::string_view text, Use use) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) use(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

OperandRule rule_of(char letter) {
  switch (letter) {
    case 'D':
      return {Role::destination};
    case 'W':
      return {Role::wide_destination};
    case 'a':
      return {Role::source};
    case 'b':
      return {Role::source, 1};
    case 'w':
      return {Role::wide_source};
    case 'I':
      return {Role::int32_destination};
    case 'i':
      return {Role::int32_source};
    case 'k':
      return {Role::constant};
    case 'f':
      return {Role::f32_source};
    case 'P':
      return {Role::predicate_result};
    case 'p':
      return {Role::predicate};
    case 'm':
      return {Role::memory};
    case 'L':
      return {Role::load_destination};
    case 's':
      return {Role::store_source};
    case 'V':
      return {Role::vector};
    case 't':
      return {Role::texture};
    case 'l':
      return {Role::label};
    case 'T':
      return {Role::branch_targets};
    case 'M':
      return {Role::mov_destination};
    case 'n':
      return {Role::mov_source};
    case 'C':
      return {Role::cvt_destination};
    case 'v':
      return {Role::cvt_source, 1};
    default:
      assert(letter == 'x');
      return {};
  }
}

std::uint32_t set_of_types(std::string_view names) {
  std::uint32_t set = 0;
  for_each_word(names, [&](std::string_view word) {
    assert(find_type(word).has_value());
    set |= type_bit(*find_type(word));
  });
  return set;
}

std::bitset<kModifierCount> set_of_suffixes(std::string_view names) {
  std::bitset<kModifierCount> set;
  for_each_word(names, [&](std::string_view word) {
    assert(find_modifier(word) != Modifier::unknown);
    set.set(static_cast<std::size_t>(find_modifier(word)));
  });
  return set;
}

Form make_form(const FormRow& row) {
  Form form;
  form.opcode = row.opcode;
  for_each_word(row.selecting_suffixes, [&](std::string_view word) {
    assert(find_modifier(word) != Modifier::unknown);
    form.selecting_suffixes.push_back(find_modifier(word));
  });
  form.is_unchecked = row.operands == "*";
  if (form.is_unchecked) return form;
  bool is_optional = false;
  for (std::size_t i = 0; i < row.operands.size(); ++i) {
    if (row.operands[i] == '?') {
      is_optional = true;
    } else if (row.operands[i] == '|') {
      form.operands.back().may_be_pair = true;
      ++i;
    } else {
      form.operands.push_back(rule_of(row.operands[i]));
      if (!is_optional) ++form.min_operands;
    }
  }
  for (std::string_view rest = row.types; !rest.empty();) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    form.types.push_back(set_of_types(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  form.modifiers = set_of_suffixes(row.suffixes);
  for (const RequirementRow& requirement : kRequirementRows) {
    if (requirement.opcode != row.opcode) continue;
    const std::uint32_t types =
        requirement.types.empty() ? ~std::uint32_t{0} : set_of_types(requirement.types);
    form.requirements.push_back({types, set_of_suffixes(requirement.alternatives)});
  }
  return form;
}

/// All forms, sorted by opcode. Forms of one opcode keep their order in rules.def.
struct Table {
  std::vector<Form> forms;
  /// The index of each opcode's first form; the forms of an opcode are consecutive.
  std::array<std::uint16_t, kOpcodeCount + 1> first_form{};

  Table() {
    for (const FormRow& row : kFormRows) forms.push_back(make_form(row));
    std::stable_sort(forms.begin(), forms.end(),
                     [](const Form& a, const Form& b) { return a.opcode < b.opcode; });
    for (std::size_t i = 0; i <= kOpcodeCount; ++i) {
      const auto found = std::find_if(forms.begin(), forms.end(), [&](const Form& form) {
        return static_cast<std::size_t>(form.opcode) >= i;
      });
      first_form[i] = static_cast<std::uint16_t>(found - forms.begin());
    }
  }
};

const Table& table() {
  static const Table instance;
  return instance;
}

/// True for a suffix that is a type, but not one of ValueType.
bool is_foreign_type(Modifier modifier) {
  return modifier >= Modifier::f32x2 && modifier <= Modifier::b1024;
}

/// True for add.f32.f16 and similar: f32 arithmetic with sources of a narrower type.
bool is_mixed_precision(const Instruction& instruction) {
  const bool has_mixed_forms = instruction.opcode == Opcode::add ||
                               instruction.opcode == Opcode::sub ||
                               instruction.opcode == Opcode::fma;
  return has_mixed_forms && instruction.types.size() == 2 &&
         instruction.type(0) == ValueType::f32 &&
         (instruction.type(1) == ValueType::f16 || instruction.type(1) == ValueType::bf16);
}

}  // namespace

const Form* form_of(const Instruction& instruction) {
  for (const Modifier m : instruction.modifiers) {
    if (is_foreign_type(m)) return nullptr;
  }
  if (is_mixed_precision(instruction)) return nullptr;
  const Table& t = table();
  const auto opcode = static_cast<std::size_t>(instruction.opcode);
  for (std::size_t i = t.first_form[opcode]; i < t.first_form[opcode + 1]; ++i) {
    const Form& form = t.forms[i];
    const bool matches = std::all_of(form.selecting_suffixes.begin(), form.selecting_suffixes.end(),
                                     [&](Modifier m) { return instruction.has(m); });
    if (matches) return form.is_unchecked ? nullptr : &form;
  }
  return nullptr;
}

bool takes_any_suffix(Opcode opcode) {
  const Table& t = table();
  const auto i = static_cast<std::size_t>(opcode);
  return std::all_of(t.forms.begin() + t.first_form[i], t.forms.begin() + t.first_form[i + 1],
                     [](const Form& form) { return form.is_unchecked; });
}

bool is_video(Opcode opcode) {
  return opcode >= Opcode::vabsdiff && opcode <= Opcode::vsub4 && opcode != Opcode::vote;
}

std::string describe_operands(const Form& form) {
  std::string out;
  char letter = 'a';
  std::size_t position = 0;
  for (const OperandRule& rule : form.operands) {
    std::string name;
    switch (rule.role) {
      case Role::destination:
      case Role::wide_destination:
      case Role::int32_destination:
      case Role::predicate_result:
      case Role::load_destination:
      case Role::mov_destination:
      case Role::cvt_destination:
        name = "d";
        break;
      case Role::memory:
        name = fmt::format("[{}]", letter++);
        break;
      case Role::texture:
        name = "[t, {coordinates}]";
        break;
      case Role::label:
        name = "label";
        break;
      case Role::branch_targets:
        name = "targets";
        break;
      default:
        // The results of atom and tex have roles that do not say whether they are destinations.
        name = position == 0 && form.operands.size() > 1 && form.opcode != Opcode::red &&
                       (rule.role == Role::vector || rule.role == Role::anything)
                   ? "d"
                   : std::string(1, letter++);
        break;
    }
    if (rule.may_be_pair) name += "{|p}";
    const bool is_optional = position >= form.min_operands;
    if (position > 0) name.insert(0, ", ");
    out += is_optional ? "{" + name + "}" : name;
    ++position;
  }
  return out;
}

std::string describe_alternatives(const std::bitset<kModifierCount>& suffixes) {
  std::string out = suffixes.count() == 1 ? "" : "one of ";
  bool is_first = true;
  for (std::size_t i = 0; i < kModifierCount; ++i) {
    if (!suffixes.test(i)) continue;
    out += fmt::format("{}.{}", is_first ? "" : ", ", spelling_of(static_cast<Modifier>(i)));
    is_first = false;
  }
  return out;
}

std::string describe_types(std::uint32_t set) {
  std::vector<std::string_view> names;
  for (int i = 0; i < 32; ++i) {
    if ((set >> i & 1) != 0) names.push_back(name_of(static_cast<ValueType>(i)));
  }
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) out += i + 1 == names.size() ? " or " : ", ";
    out += fmt::format(".{}", names[i]);
  }
  return out;
}

}  // namespace heddle::ptx
