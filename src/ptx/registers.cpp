#include "ptx/registers.h"

#include "ptx/expression.h"
#include "ptx/variables.h"

namespace heddle::ptx {
namespace {

constexpr std::string_view kElementNames[] = {".x", ".y", ".z", ".w"};
constexpr std::uint64_t kMaxFamilySize = 0xffffffff;

}  // namespace

void Registers::clear() {
  family_count_ = 0;
  members_.clear();
}

RegisterIndex Registers::make(std::string_view name, ValueType type, std::uint32_t vector) {
  std::vector<Register>& registers = context_.current_function().registers;
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
  const int brace_depth = tokens.brace_depth();
  const std::optional<DeclaredType> type = parse_declared_type(tokens, StateSpace::reg);
  if (!type || !parse_list(tokens, [&] { return parse_one(type->type, type->vector); }) ||
      !tokens.expect_semicolon("after the registers")) {
    tokens.skip_statement(brace_depth);
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
        parse_plain_count(tokens, "the number of registers", 1, kMaxFamilySize);
    if (!count || !tokens.expect('>', "after the number of registers")) return false;
    symbol.kind = Symbol::Kind::family;
    symbol.count = static_cast<std::uint32_t>(*count);
    symbol.index = family_count_++;
    declare(context_, *name, symbol);
    return true;
  }
  // The name may already belong to a family that is declared in the same scope.
  const SymbolTable::Member member = context_.symbols.find_member(text);
  if (member.is_in_range() && context_.symbols.is_in_current_scope(*member.family)) {
    tokens.error(*name, "'{}' is already declared in line {}", printable(text),
                 member.family->location.line);
    return true;
  }
  symbol.index = static_cast<RegisterIndex>(context_.current_function().registers.size());
  if (declare(context_, *name, symbol)) make(text, type, vector);
  return true;
}

std::optional<Registers::Range> Registers::find(const Token& name, bool& is_reported) {
  const std::string_view text = context_.text_of(name);
  const SymbolTable::Member member = context_.symbols.find_member(text);
  if (member.family == nullptr) {
    const Symbol* symbol = context_.symbols.find(text);
    if (symbol == nullptr || symbol->kind != Symbol::Kind::reg) return std::nullopt;
    return Range{symbol->index, symbol->vector};
  }
  if (!member.is_in_range()) {
    is_reported = true;
    const std::string_view prefix = text.substr(0, text.find_last_not_of("0123456789") + 1);
    context_.tokens.error(name, "unknown register '{}': line {} declares {}0 to {}{}",
                          printable(text), member.family->location.line, printable(prefix),
                          printable(prefix), member.family->count - 1);
    return std::nullopt;
  }
  const std::uint64_t key = std::uint64_t{member.family->index} << 32 | member.number;
  const auto next_index = static_cast<RegisterIndex>(context_.current_function().registers.size());
  const auto [member_entry, is_new] = members_.try_emplace(key, next_index);
  if (is_new) make(text, member.family->type, member.family->vector);
  return Range{member_entry->second, member.family->vector};
}

}  // namespace heddle::ptx
