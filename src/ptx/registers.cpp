#include "ptx/registers.h"

#include "ptx/expression.h"
#include "ptx/variables.h"

namespace heddle::ptx {
namespace {

constexpr std::string_view kElementNames[] = {".x", ".y", ".z", ".w"};
constexpr std::uint64_t kLargestFamily = 0xffffffff;

}  // namespace

void Registers::clear() {
  families_ = 0;
  members_.clear();
}

RegisterIndex Registers::make(std::string_view name, ValueType type, std::uint32_t vector) {
  std::vector<Register>& registers = context_.current().registers;
  const auto first = static_cast<RegisterIndex>(registers.size());
  if (vector == 1) {
    registers.push_back({std::string(name), type});
    return first;
  }
  for (std::uint32_t i = 0; i < vector; ++i) {
    registers.push_back({std::string(name).append(kElementNames[i]), type});
  }
  return first;
}

void Registers::parse_declaration() {
  TokenStream& tokens = context_.tokens;
  const int braces = tokens.braces();
  const std::optional<DeclaredType> type = parse_declared_type(tokens, StateSpace::reg);
  if (!type || !parse_list(tokens, [&] { return parse_one(type->type, type->vector); }) ||
      !tokens.expect_semicolon("after the registers")) {
    tokens.skip_statement(braces);
  }
}

bool Registers::parse_one(ValueType type, std::uint32_t vector) {
  TokenStream& tokens = context_.tokens;
  const std::optional<Token> name = take_name(tokens, "a register's name");
  if (!name) return false;
  const std::string_view text = context_.text_of(*name);
  Symbol symbol{
      .kind = Symbol::Kind::reg, .vector = static_cast<std::uint8_t>(vector), .type = type};
  if (tokens.accept('<')) {
    const std::optional<std::uint64_t> count =
        parse_plain_count(tokens, "the number of registers", 1, kLargestFamily);
    if (!count || !tokens.expect('>', "after the number of registers")) return false;
    symbol.kind = Symbol::Kind::family;
    symbol.count = static_cast<std::uint32_t>(*count);
    symbol.index = families_++;
    declare(context_, *name, symbol);
    return true;
  }
  // A register of this name may already be part of a family declared in the same scope.
  const SymbolTable::Member member = context_.symbols.find_member(text);
  if (member.in_range() && context_.symbols.declared_here(*member.family)) {
    tokens.error(*name, "'{}' is already declared in line {}", shown(text),
                 member.family->location.line);
    return true;
  }
  symbol.index = static_cast<RegisterIndex>(context_.current().registers.size());
  if (declare(context_, *name, symbol)) make(text, type, vector);
  return true;
}

std::optional<Registers::Found> Registers::find(const Token& name, bool& reported) {
  const std::string_view text = context_.text_of(name);
  const SymbolTable::Member member = context_.symbols.find_member(text);
  if (member.family == nullptr) {
    const Symbol* symbol = context_.symbols.find(text);
    if (symbol == nullptr || symbol->kind != Symbol::Kind::reg) return std::nullopt;
    return Found{symbol->index, symbol->vector};
  }
  if (!member.in_range()) {
    reported = true;
    const std::string_view prefix = text.substr(0, text.find_last_not_of("0123456789") + 1);
    context_.tokens.error(name, "unknown register '{}': line {} declares {}0 to {}{}", shown(text),
                          member.family->location.line, shown(prefix), shown(prefix),
                          member.family->count - 1);
    return std::nullopt;
  }
  const std::uint64_t key = std::uint64_t{member.family->index} << 32 | member.number;
  const auto next = static_cast<RegisterIndex>(context_.current().registers.size());
  const auto [place, is_new] = members_.try_emplace(key, next);
  if (is_new) make(text, member.family->type, member.family->vector);
  return Found{place->second, member.family->vector};
}

}  // namespace heddle::ptx
