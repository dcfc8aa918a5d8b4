#include "ptx/operands.h"

#include <algorithm>
#include <array>

#include "ptx/expression.h"
#include "ptx/nearest_name.h"

namespace heddle::ptx {
namespace {

constexpr std::size_t kMaxElements = 255;  ///< Operand::count has 8 bits.

Operand constant_operand(const Constant& constant, TextLocation location) {
  Operand::Kind kind = Operand::Kind::integer;
  if (constant.kind == Constant::Kind::f32) kind = Operand::Kind::f32;
  if (constant.kind == Constant::Kind::f64) kind = Operand::Kind::f64;
  return {.kind = kind, .bits = constant.bits, .location = location};
}

/// The index of the element that `.x` or `.r` names; -1 for any other suffix.
int element_named(std::string_view suffix) {
  if (suffix.size() != 2) return -1;
  constexpr std::string_view kNames = "xyzwrgba";
  const std::size_t place = kNames.find(suffix[1]);
  return place == std::string_view::npos ? -1 : static_cast<int>(place % 4);
}

/// The selector of a video instruction's operand, such as `.b2`; empty for any other suffix.
std::optional<Operand::Selector> selector_of(std::string_view suffix) {
  if (suffix.size() < 3 || suffix.size() > 6) return std::nullopt;
  Operand::Selector selector{.halves = suffix[1] == 'h'};
  const char last = selector.halves ? '3' : '7';
  if (suffix[1] != 'h' && suffix[1] != 'b') return std::nullopt;
  for (const char c : suffix.substr(2)) {
    if (c < '0' || c > last) return std::nullopt;
    selector.parts[selector.count++] = static_cast<std::uint8_t>(c - '0');
  }
  if (selector.halves && selector.count > 2) return std::nullopt;
  return selector;
}

}  // namespace

Operand::Selector Operand::selector() const {
  Selector s;
  if (kind != Kind::reg) return s;
  s.count = static_cast<std::uint8_t>(bits & 7);
  s.halves = (bits >> 3 & 1) != 0;
  for (int i = 0; i < 4; ++i) s.parts[i] = static_cast<std::uint8_t>(bits >> (8 + 8 * i) & 0xff);
  return s;
}

std::uint64_t Operand::encode(const Selector& s) {
  std::uint64_t bits = s.count | (s.halves ? 8U : 0U);
  for (int i = 0; i < 4; ++i) bits |= std::uint64_t{s.parts[i]} << (8 + 8 * i);
  return bits;
}

Operand Operands::compose(Operand::Kind kind, TextLocation location, const Operand* elements,
                          std::size_t count) {
  std::vector<Operand>& lists = context_.current_function().operand_lists;
  const Operand composed{.kind = kind,
                         .count = static_cast<std::uint8_t>(count),
                         .index = static_cast<std::uint32_t>(lists.size()),
                         .location = location};
  lists.insert(lists.end(), elements, elements + count);
  return composed;
}

Operand Operands::empty_list(TextLocation location) const {
  return {.kind = Operand::Kind::list, .location = location};
}

Operand Operands::whole_register(const Registers::Range& range, TextLocation location) {
  if (range.vector == 1) {
    return {.kind = Operand::Kind::reg, .index = range.first, .location = location};
  }
  std::array<Operand, 4> elements;
  for (std::uint32_t i = 0; i < range.vector; ++i) {
    elements[i] = {.kind = Operand::Kind::reg, .index = range.first + i, .location = location};
  }
  return compose(Operand::Kind::vector, location, elements.data(), range.vector);
}

std::optional<Operand> Operands::parse() {
  const std::optional<Operand> first = parse_single();
  if (!first || !tokens_.at('|')) return first;
  tokens_.take();
  const std::optional<Operand> second = parse_scalar();
  if (!second) return std::nullopt;
  const std::array both = {*first, *second};
  for (const Operand& o : both) {
    const bool is_first_vector = o.kind == Operand::Kind::vector && &o == both.data();
    if (o.kind != Operand::Kind::reg && o.kind != Operand::Kind::sink && !is_first_vector) {
      tokens_.error_at(o.location, 1, "both sides of '|' must be registers or '_'");
      return std::nullopt;
    }
  }
  return compose(Operand::Kind::pair, first->location, both.data(), both.size());
}

std::optional<Operand> Operands::parse_single() {
  if (tokens_.at('{')) return parse_vector();
  if (tokens_.at('[')) return parse_memory();
  std::optional<Operand> operand = parse_scalar();
  const bool is_whole_register =
      operand && operand->kind == Operand::Kind::reg && !operand->negated && operand->bits == 0;
  if (!is_whole_register || !tokens_.at('+')) return operand;
  operand->kind = Operand::Kind::sum;
  if (!parse_offset(*operand)) return std::nullopt;
  return operand;
}

std::optional<Operand> Operands::parse_scalar() {
  const Token& token = tokens_.peek();
  if (token.is('!') || token.is('-')) return parse_negated();
  if (begins_constant(tokens_)) return parse_constant_operand();
  if (token.kind == TokenKind::identifier) return parse_name();
  tokens_.error_expected("an operand");
  return std::nullopt;
}

std::optional<Operand> Operands::parse_constant_operand() {
  const TextLocation location = tokens_.peek().location;
  const std::optional<Constant> value = parse_constant(tokens_);
  if (!value) return std::nullopt;
  return constant_operand(*value, location);
}

// Parses `!%p` or `-%r`. If the sign is not before a name, it belongs to a constant.
std::optional<Operand> Operands::parse_negated() {
  const Token name = tokens_.peek_second();
  if (name.kind != TokenKind::identifier || tokens_.text_of(name) == "WARP_SZ") {
    return parse_constant_operand();
  }
  const Token sign = tokens_.take();
  std::optional<Operand> operand = parse_name();
  if (!operand) return std::nullopt;
  if (operand->kind != Operand::Kind::reg) {
    tokens_.error(name, "only a register can follow '{}'", sign.punctuation);
    return std::nullopt;
  }
  operand->negated = true;
  operand->location = sign.location;
  return operand;
}

std::optional<Operand> Operands::parse_name() {
  const Token name = tokens_.take();
  const std::string_view text = context_.text_of(name);
  if (text == "_") return Operand{.kind = Operand::Kind::sink, .location = name.location};
  bool is_reported = false;
  if (const auto found = registers_.find(name, is_reported)) return parse_register(name, *found);
  if (is_reported) return std::nullopt;
  if (const Symbol* symbol = context_.symbols.find(text)) return parse_symbol(name, *symbol);
  if (text.front() == '%') return parse_special(name);
  report_unknown(context_, name, "name");
  return std::nullopt;
}

std::optional<Operand> Operands::parse_register(const Token& name, const Registers::Range& range) {
  if (tokens_.peek().kind != TokenKind::suffix) return whole_register(range, name.location);
  const Token suffix = tokens_.take();
  if (range.vector == 1) {
    return parse_selector(
        {.kind = Operand::Kind::reg, .index = range.first, .location = name.location}, suffix);
  }
  const int element = element_named(context_.text_of(suffix));
  if (element < 0 || element >= static_cast<int>(range.vector)) {
    tokens_.error(suffix, "'{}' is a vector of {}; it has no element '{}'",
                  printable(context_.text_of(name)), range.vector,
                  printable(context_.text_of(suffix)));
    return std::nullopt;
  }
  return Operand{.kind = Operand::Kind::reg,
                 .index = range.first + static_cast<std::uint32_t>(element),
                 .location = name.location};
}

std::optional<Operand> Operands::parse_selector(Operand operand, const Token& suffix) {
  const std::string_view text = context_.text_of(suffix);
  const std::optional<Operand::Selector> selector = selector_of(text);
  if (!selector) {
    tokens_.error(suffix, "'{}' does not select a part of a register", printable(text));
    return std::nullopt;
  }
  operand.bits = Operand::encode(*selector);
  return operand;
}

std::optional<Operand> Operands::parse_symbol(const Token& name, const Symbol& symbol) {
  Operand operand{.index = symbol.index, .location = name.location};
  switch (symbol.kind) {
    case Symbol::Kind::function:
      operand.kind = Operand::Kind::function;
      return operand;
    case Symbol::Kind::prototype:
      operand.kind = Operand::Kind::prototype;
      return operand;
    case Symbol::Kind::branch_table:
      operand.kind = Operand::Kind::branches;
      return operand;
    case Symbol::Kind::label:
      tokens_.error(name, "the label '{}' can only be branched to",
                    printable(context_.text_of(name)));
      return std::nullopt;
    default:
      break;
  }
  operand.kind = Operand::Kind::variable;
  if (tokens_.at('[')) {
    const Token bracket = tokens_.take();
    const Variable& variable = context_.module.variables[symbol.index];
    if (variable.dimensions != 1) {
      tokens_.error(bracket, "only arrays of one dimension can be indexed");
      return std::nullopt;
    }
    const std::optional<Constant> index = parse_integer(tokens_);
    if (!index || !tokens_.expect(']', "after the index")) return std::nullopt;
    operand.bits =
        index->bits * static_cast<std::uint64_t>(size_of(variable.type)) * variable.vector;
  }
  if (!parse_offset(operand)) return std::nullopt;
  return operand;
}

bool Operands::parse_offset(Operand& operand) {
  while (tokens_.at('+') || tokens_.at('-')) {
    const bool is_minus = tokens_.take().punctuation == '-';
    const Token at = tokens_.peek();
    const std::optional<Constant> value = parse_unary_constant(tokens_);
    if (!value) return false;
    if (!value->is_integer()) {
      tokens_.error(at, "expected an integer");
      return false;
    }
    operand.bits += is_minus ? 0 - value->bits : value->bits;
  }
  return true;
}

std::optional<Operand> Operands::parse_special(const Token& name) {
  const std::string_view text = context_.text_of(name);
  Operand operand{.kind = Operand::Kind::special, .location = name.location};
  if (const auto special = find_special_register(text)) {
    operand.index = static_cast<std::uint32_t>(*special);
    return operand;
  }
  // `%tid` is a vector of four elements. PTX defines the fourth as zero.
  std::array<Operand, 4> elements;
  elements.fill({.kind = Operand::Kind::integer, .location = name.location});
  constexpr std::string_view kElements[] = {".x", ".y", ".z"};
  std::string spelling;
  if (text.size() < 32) {
    for (std::size_t i = 0; i < 3; ++i) {
      const auto special = find_special_register(spelling.assign(text).append(kElements[i]));
      if (!special) break;
      elements[i].kind = Operand::Kind::special;
      elements[i].index = static_cast<std::uint32_t>(*special);
    }
  }
  if (elements[0].kind != Operand::Kind::special) {
    NearestName nearest(text);
    for (std::size_t i = 0; tokens_.wants_messages() && i < kSpecialRegisterCount; ++i) {
      nearest.consider(spelling_of(static_cast<SpecialRegister>(i)));
    }
    if (!nearest.best().empty()) {
      tokens_.error(name, "unknown register '{}'; did you mean '{}'?", printable(text),
                    nearest.best());
      return std::nullopt;
    }
    report_unknown(context_, name, "register");
    return std::nullopt;
  }
  if (tokens_.peek().kind != TokenKind::suffix) {
    return compose(Operand::Kind::vector, name.location, elements.data(), elements.size());
  }
  const Token suffix = tokens_.take();
  const int element = element_named(context_.text_of(suffix));
  if (element < 0) {
    tokens_.error(suffix, "'{}' has the elements .x, .y and .z, not '{}'", printable(text),
                  printable(context_.text_of(suffix)));
    return std::nullopt;
  }
  return elements[static_cast<std::size_t>(element)];
}

std::optional<Operand> Operands::parse_vector() {
  const Token brace = tokens_.take();
  scratch_.clear();
  const bool ok = parse_list(tokens_, [&] {
    const Token at = tokens_.peek();
    const std::optional<Operand> element = parse_scalar();
    if (!element) return false;
    if (element->kind == Operand::Kind::vector) {
      tokens_.error(at, "a vector cannot be an element of a vector");
      return false;
    }
    if (scratch_.size() >= kMaxElements) {
      tokens_.error(at, "more than {} elements", kMaxElements);
      return false;
    }
    scratch_.push_back(*element);
    return true;
  });
  if (!ok || !tokens_.expect('}', "after the elements")) return std::nullopt;
  return compose(Operand::Kind::vector, brace.location, scratch_.data(), scratch_.size());
}

std::optional<Operand> Operands::parse_call_list() {
  const Token parenthesis = tokens_.take();
  if (tokens_.accept(')')) return empty_list(parenthesis.location);
  scratch_.clear();
  const bool ok = parse_list(tokens_, [&] {
    const Token at = tokens_.peek();
    const std::optional<Operand> element = parse_scalar();
    if (!element) return false;
    if (scratch_.size() >= kMaxElements) {
      tokens_.error(at, "more than {} arguments", kMaxElements);
      return false;
    }
    scratch_.push_back(*element);
    return true;
  });
  if (!ok || !tokens_.expect(')', "after the arguments")) return std::nullopt;
  return compose(Operand::Kind::list, parenthesis.location, scratch_.data(), scratch_.size());
}

std::optional<Operand> Operands::parse_call_target() {
  const Token name = tokens_.peek();
  if (name.kind == TokenKind::identifier && context_.text_of(name).front() != '%' &&
      context_.symbols.find(context_.text_of(name)) == nullptr) {
    bool is_reported = false;
    if (!registers_.find(name, is_reported) && !is_reported) {
      report_unknown(context_, name, "function");
      return std::nullopt;
    }
  }
  const std::optional<Operand> target = parse_scalar();
  if (target && target->kind != Operand::Kind::function && target->kind != Operand::Kind::reg) {
    tokens_.error(name, "expected a function or a register with a function's address");
    return std::nullopt;
  }
  return target;
}

std::optional<Operand> Operands::parse_base() {
  const Token at = tokens_.peek();
  Operand address{.kind = Operand::Kind::address, .location = at.location};
  if (begins_constant(tokens_)) {
    const std::optional<Constant> value = parse_integer(tokens_);
    if (!value) return std::nullopt;
    address.bits = value->bits;
    return address;
  }
  if (at.kind != TokenKind::identifier) {
    tokens_.error_expected("an address");
    return std::nullopt;
  }
  const std::optional<Operand> base = parse_name();
  if (!base) return std::nullopt;
  if (base->kind == Operand::Kind::reg && base->bits == 0) {
    address.base = Operand::Base::reg;
  } else if (base->kind == Operand::Kind::variable) {
    address.base = Operand::Base::variable;
    address.bits = base->bits;
  } else {
    tokens_.error(at, "expected a register, a variable or a constant as the address");
    return std::nullopt;
  }
  address.index = base->index;
  if (!parse_offset(address)) return std::nullopt;
  return address;
}

std::optional<Operand> Operands::parse_memory() {
  const Token bracket = tokens_.take();
  std::optional<Operand> base = parse_base();
  if (!base) return std::nullopt;
  base->location = bracket.location;
  if (!tokens_.at(',')) {
    if (!tokens_.expect(']', "after the address")) return std::nullopt;
    return base;
  }
  // Parse [texture, coordinates] or [texture, sampler, coordinates].
  const auto as_value = [](Operand address) {
    if (address.base == Operand::Base::reg) address.kind = Operand::Kind::reg;
    if (address.base == Operand::Base::variable) address.kind = Operand::Kind::variable;
    if (address.base == Operand::Base::none) address.kind = Operand::Kind::integer;
    address.base = Operand::Base::none;
    return address;
  };
  std::array<Operand, 4> elements = {as_value(*base)};
  std::size_t count = 1;
  while (tokens_.accept(',')) {
    const Token at = tokens_.peek();
    if (count == elements.size()) {
      tokens_.error(at, "too many parts between the brackets");
      return std::nullopt;
    }
    const std::optional<Operand> element = parse_single();
    if (!element) return std::nullopt;
    elements[count++] = *element;
  }
  if (!tokens_.expect(']', "after the coordinates")) return std::nullopt;
  return compose(Operand::Kind::texture, bracket.location, elements.data(), count);
}

std::optional<Operand> Operands::parse_label(std::size_t number) {
  const std::optional<Token> name = take_name(tokens_, "a label");
  if (!name) return std::nullopt;
  labels_.use_as_operand(*name, number);
  return Operand{.kind = Operand::Kind::label, .index = kNoIndex, .location = name->location};
}

bool Operands::parse_guard(Guard& guard) {
  guard.negated = tokens_.accept('!');
  const std::optional<Token> name = take_name(tokens_, "a predicate");
  if (!name) return false;
  bool is_reported = false;
  const auto found = registers_.find(*name, is_reported);
  if (!found) {
    if (!is_reported) report_unknown(context_, *name, "predicate");
    return false;
  }
  if (context_.current_function().registers[found->first].type != ValueType::pred) {
    tokens_.error(*name, "'{}' is not a predicate", printable(context_.text_of(*name)));
    return false;
  }
  guard.reg = found->first;
  return true;
}

}  // namespace heddle::ptx
