#include "ptx/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <vector>

namespace heddle::ptx {
namespace {

struct Row {
  Opcode opcode;
  std::string_view when;
  std::string_view operands;
  std::string_view types;
  std::string_view suffixes;
};

constexpr Row kRows[] = {
#define HEDDLE_PTX_FORM(opcode, when, operands, types, suffixes) \
  {Opcode::opcode, when, operands, types, suffixes},
#include "ptx/rules.def"
};

constexpr bool has_a_form(Opcode opcode) {
  return std::any_of(std::begin(kRows), std::end(kRows),
                     [&](const Row& row) { return row.opcode == opcode; });
}

constexpr bool all_have_forms() {
  for (std::size_t i = 0; i < kOpcodeCount; ++i) {
    const auto opcode = static_cast<Opcode>(i);
    if (opcode != Opcode::unknown && !has_a_form(opcode)) return false;
  }
  return true;
}
static_assert(all_have_forms(), "an opcode of opcode.def has no form in rules.def");

struct Need {
  Opcode opcode;
  std::string_view types;
  std::string_view alternatives;
};

constexpr Need kNeeds[] = {
#define HEDDLE_PTX_NEEDS(opcode, types, alternatives) {Opcode::opcode, types, alternatives},
#include "ptx/rules.def"
};

/// Calls `use` with each word of a text.
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
      return {Role::word_destination};
    case 'i':
      return {Role::word};
    case 'k':
      return {Role::constant};
    case 'f':
      return {Role::single};
    case 'P':
      return {Role::predicate_result};
    case 'p':
      return {Role::predicate};
    case 'm':
      return {Role::memory};
    case 'L':
      return {Role::loaded};
    case 's':
      return {Role::stored};
    case 'V':
      return {Role::vector};
    case 't':
      return {Role::texture};
    case 'l':
      return {Role::label};
    case 'T':
      return {Role::targets};
    case 'M':
      return {Role::moved_to};
    case 'n':
      return {Role::moved_from};
    case 'C':
      return {Role::converted};
    case 'v':
      return {Role::convertible, 1};
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

Form make_form(const Row& row) {
  Form form;
  form.opcode = row.opcode;
  for_each_word(row.when, [&](std::string_view word) {
    assert(find_modifier(word) != Modifier::unknown);
    form.selecting_suffixes.push_back(find_modifier(word));
  });
  form.unchecked = row.operands == "*";
  if (form.unchecked) return form;
  bool optional = false;
  for (std::size_t i = 0; i < row.operands.size(); ++i) {
    if (row.operands[i] == '?') {
      optional = true;
    } else if (row.operands[i] == '|') {
      form.operands.back().pair = true;
      ++i;
    } else {
      form.operands.push_back(rule_of(row.operands[i]));
      if (!optional) ++form.min_operands;
    }
  }
  for (std::string_view rest = row.types; !rest.empty();) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    form.types.push_back(set_of_types(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  form.modifiers = set_of_suffixes(row.suffixes);
  for (const Need& need : kNeeds) {
    if (need.opcode != row.opcode) continue;
    const std::uint32_t types = need.types.empty() ? ~std::uint32_t{0} : set_of_types(need.types);
    form.required.push_back({types, set_of_suffixes(need.alternatives)});
  }
  return form;
}

struct Table {
  std::vector<Form> forms;
  /// The index of each opcode's first form; the forms of an opcode are consecutive.
  std::array<std::uint16_t, kOpcodeCount + 1> first{};

  Table() {
    for (const Row& row : kRows) forms.push_back(make_form(row));
    std::stable_sort(forms.begin(), forms.end(),
                     [](const Form& a, const Form& b) { return a.opcode < b.opcode; });
    for (std::size_t i = 0; i <= kOpcodeCount; ++i) {
      const auto found = std::find_if(forms.begin(), forms.end(), [&](const Form& form) {
        return static_cast<std::size_t>(form.opcode) >= i;
      });
      first[i] = static_cast<std::uint16_t>(found - forms.begin());
    }
  }
};

const Table& table() {
  static const Table instance;
  return instance;
}

/// True for a suffix that is a type which ValueType does not have.
bool is_foreign_type(Modifier modifier) {
  return modifier >= Modifier::f32x2 && modifier <= Modifier::b1024;
}

/// True for add.f32.f16 and similar: f32 arithmetic with sources of a narrower type.
bool is_mixed_precision(const Instruction& instruction) {
  const bool can_be = instruction.opcode == Opcode::add || instruction.opcode == Opcode::sub ||
                      instruction.opcode == Opcode::fma;
  return can_be && instruction.types.size() == 2 && instruction.type(0) == ValueType::f32 &&
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
  for (std::size_t i = t.first[opcode]; i < t.first[opcode + 1]; ++i) {
    const Form& form = t.forms[i];
    const bool matches = std::all_of(form.selecting_suffixes.begin(), form.selecting_suffixes.end(),
                                     [&](Modifier m) { return instruction.has(m); });
    if (matches) return form.unchecked ? nullptr : &form;
  }
  return nullptr;
}

bool takes_any_suffix(Opcode opcode) {
  const Table& t = table();
  const auto i = static_cast<std::size_t>(opcode);
  return std::all_of(t.forms.begin() + t.first[i], t.forms.begin() + t.first[i + 1],
                     [](const Form& form) { return form.unchecked; });
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
      case Role::word_destination:
      case Role::predicate_result:
      case Role::loaded:
      case Role::moved_to:
      case Role::converted:
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
      case Role::targets:
        name = "targets";
        break;
      default:
        // The results of atom and tex do not have a role that marks a destination.
        name = position == 0 && form.operands.size() > 1 && form.opcode != Opcode::red &&
                       (rule.role == Role::vector || rule.role == Role::anything)
                   ? "d"
                   : std::string(1, letter++);
        break;
    }
    if (rule.pair) name += "{|p}";
    const bool optional = position >= form.min_operands;
    if (position > 0) name.insert(0, ", ");
    out += optional ? "{" + name + "}" : name;
    ++position;
  }
  return out;
}

std::string describe_alternatives(const std::bitset<kModifierCount>& suffixes) {
  std::string out = suffixes.count() == 1 ? "" : "one of ";
  bool first = true;
  for (std::size_t i = 0; i < kModifierCount; ++i) {
    if (!suffixes.test(i)) continue;
    out += fmt::format("{}.{}", first ? "" : ", ", spelling_of(static_cast<Modifier>(i)));
    first = false;
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
