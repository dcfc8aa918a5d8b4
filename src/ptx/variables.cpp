#include "ptx/variables.h"

#include <bit>

#include "ptx/expression.h"

namespace heddle::ptx {
namespace {

constexpr std::uint64_t kMaxAlignment = std::uint64_t{1} << 16;
constexpr std::size_t kMaxDimensions = 32;

/// True for references to textures, samplers and surfaces.
bool is_opaque(ValueType type) {
  return type == ValueType::texref || type == ValueType::samplerref || type == ValueType::surfref;
}

/// Parses the state space and the alignment of the memory that a pointer points to, which follow
/// `.ptr`.
bool parse_pointee(TokenStream& tokens) {
  for (;;) {
    if (tokens.peek().kind != TokenKind::suffix) return true;
    const StateSpace space = state_space_of(tokens.text_of(tokens.peek()));
    if (space != StateSpace::none || tokens.accept_suffix(".generic")) {
      if (space != StateSpace::none) tokens.take();
    } else if (tokens.accept_suffix(".align")) {
      if (!parse_count(tokens, "the alignment", 1, ~std::uint32_t{0})) return false;
    } else {
      return true;
    }
  }
}

}  // namespace

StateSpace state_space_of(std::string_view suffix) {
  if (suffix == ".reg") return StateSpace::reg;
  if (suffix == ".sreg") return StateSpace::sreg;
  if (suffix == ".const") return StateSpace::const_;
  if (suffix == ".global") return StateSpace::global;
  if (suffix == ".local") return StateSpace::local;
  if (suffix == ".param") return StateSpace::param;
  if (suffix == ".shared") return StateSpace::shared;
  if (suffix == ".tex") return StateSpace::tex;
  return StateSpace::none;
}

bool parse_attribute(TokenStream& tokens, bool& managed) {
  if (!tokens.expect('(', "after .attribute")) return false;
  const bool ok = parse_list(tokens, [&] {
    if (tokens.accept_suffix(".managed")) {
      managed = true;
      return true;
    }
    if (!tokens.accept_suffix(".unified")) {
      tokens.error_expected("the attribute .managed or .unified");
      return false;
    }
    return tokens.expect('(', "after .unified") && parse_integer(tokens).has_value() &&
           tokens.expect(',', "between the halves of the identifier") &&
           parse_integer(tokens).has_value() && tokens.expect(')', "after the identifier");
  });
  return ok && tokens.expect(')', "after the attribute");
}

std::optional<DeclaredType> parse_declared_type(TokenStream& tokens, StateSpace space) {
  DeclaredType declared;
  while (tokens.peek().kind == TokenKind::suffix) {
    const Token token = tokens.take();
    const std::string_view text = tokens.text_of(token);
    if (text == ".align") {
      const Token at = tokens.peek();
      const auto alignment = parse_count(tokens, "the alignment", 1, kMaxAlignment);
      if (!alignment) return std::nullopt;
      if (!std::has_single_bit(*alignment)) {
        tokens.error(at, "the alignment must be a power of two");
        return std::nullopt;
      }
      declared.alignment = static_cast<std::uint32_t>(*alignment);
    } else if (text == ".v2" || text == ".v4") {
      declared.vector = text == ".v2" ? 2 : 4;
    } else if (text == ".attribute") {
      if (!parse_attribute(tokens, declared.managed)) return std::nullopt;
    } else if (text == ".ptr" && space == StateSpace::param) {
      declared.pointer = true;
      if (!parse_pointee(tokens)) return std::nullopt;
    } else if (const std::optional<ValueType> type = find_type(text.substr(1))) {
      if (declared.type != ValueType::none) {
        tokens.error(token, "'{}' is a second type: the declaration already has '.{}'",
                     printable(text), name_of(declared.type));
        return std::nullopt;
      }
      declared.type = *type;
    } else {
      tokens.error(token, "'{}' is not allowed in a declaration", printable(text));
      return std::nullopt;
    }
  }
  if (declared.type == ValueType::none) {
    tokens.error_expected("a type, such as .b32");
    return std::nullopt;
  }
  if (declared.type == ValueType::pred && (space != StateSpace::reg || declared.vector != 1)) {
    tokens.error(tokens.previous(), "{}",
                 space == StateSpace::reg ? "a vector cannot have the type .pred"
                                          : "only registers can have the type .pred");
    return std::nullopt;
  }
  return declared;
}

std::optional<Declarator> parse_declarator(Context& context, StateSpace space,
                                           const DeclaredType& type) {
  TokenStream& tokens = context.tokens;
  const std::optional<Token> name = take_name(tokens, "a name");
  if (!name) return std::nullopt;
  Declarator declarator{.name = *name, .variable = {}, .extents = {}};
  Variable& v = declarator.variable;
  const std::uint64_t element_bytes = static_cast<std::uint64_t>(size_of(type.type)) * type.vector;
  v.name = std::string(context.text_of(*name));
  v.space = space;
  v.type = type.type;
  v.vector = type.vector;
  v.alignment = type.alignment != 0 ? type.alignment : static_cast<std::uint32_t>(element_bytes);
  v.managed = type.managed;
  v.pointer = type.pointer;
  v.location = name->location;
  v.size = element_bytes;
  while (tokens.at('[')) {
    const Token bracket = tokens.take();
    if (declarator.extents.size() >= kMaxDimensions) {
      tokens.error(bracket, "more than {} dimensions", kMaxDimensions);
      return std::nullopt;
    }
    if (tokens.at(']') && declarator.extents.empty()) {
      v.is_unsized = true;
      declarator.extents.push_back(0);
    } else {
      const Token at = tokens.peek();
      const auto extent = parse_count(tokens, "the size of an array", 1, kMaxVariableBytes);
      if (!extent) return std::nullopt;
      if (*extent > kMaxVariableBytes / v.size) {
        tokens.error(at, "'{}' is larger than {} bytes", printable(v.name), kMaxVariableBytes);
        return std::nullopt;
      }
      v.size *= *extent;
      declarator.extents.push_back(*extent);
    }
    if (!tokens.expect(']', "after the size")) return std::nullopt;
  }
  v.dimensions = static_cast<std::uint32_t>(declarator.extents.size());
  if (v.is_unsized) v.size = 0;
  return declarator;
}

namespace {

/// Adds a variable to the module. If one of the declarations is .extern, merges it with an earlier
/// declaration of the same variable.
void add_variable(Context& context, Declarator&& declarator) {
  Variable& v = declarator.variable;
  const Symbol* earlier = context.symbols.find(v.name);
  if (earlier != nullptr && earlier->kind == Symbol::Kind::variable &&
      context.symbols.is_in_current_scope(*earlier)) {
    Variable& other = context.module.variables[earlier->index];
    const bool is_either_external =
        other.linkage == Linkage::external || v.linkage == Linkage::external;
    if (is_either_external && other.space == v.space) {
      if (v.type != other.type || v.vector != other.vector ||
          (v.size != other.size && !v.is_unsized && !other.is_unsized)) {
        context.tokens.error(declarator.name, "'{}' is declared in line {} with another type",
                             printable(v.name), other.location.line);
      } else if (v.linkage != Linkage::external) {
        v.owner = other.owner;
        other = std::move(v);
      }
      return;
    }
  }
  const auto index = static_cast<VariableIndex>(context.module.variables.size());
  if (!declare(context, declarator.name, {.kind = Symbol::Kind::variable, .index = index})) return;
  v.owner = context.function;
  if (v.owner != kNoIndex) context.current_function().variables.push_back(index);
  context.module.variables.push_back(std::move(v));
}

bool parse_one_variable(Context& context, StateSpace space, Linkage linkage,
                        const DeclaredType& type) {
  TokenStream& tokens = context.tokens;
  std::optional<Declarator> declarator = parse_declarator(context, space, type);
  if (!declarator) return false;
  Variable& v = declarator->variable;
  v.linkage = linkage;
  if (tokens.at('=')) {
    const Token equals = tokens.take();
    if (is_opaque(type.type)) {
      // The initialiser of a texture reference is ignored: the host sets its properties.
      if (!tokens.at('{')) return tokens.expect('{', "of the initialiser");
      if (!tokens.skip_block()) return tokens.expect('}', "of the initialiser");
    } else if (space != StateSpace::global && space != StateSpace::const_) {
      tokens.error(equals, "only .global and .const variables can have initial values");
      return false;
    } else if (linkage == Linkage::external) {
      tokens.error(equals, "an .extern variable cannot have an initial value");
      return false;
    } else if (!parse_initialiser(context, *declarator)) {
      return false;
    }
  } else if (v.is_unsized && linkage != Linkage::external) {
    tokens.error(declarator->name,
                 "the size of '{}' is unknown: it is not .extern and has no "
                 "initial value",
                 printable(v.name));
    return true;
  }
  add_variable(context, std::move(*declarator));
  return true;
}

}  // namespace

void parse_variables(Context& context, StateSpace space, Linkage linkage) {
  TokenStream& tokens = context.tokens;
  const int brace_depth = tokens.brace_depth();
  const std::optional<DeclaredType> type = parse_declared_type(tokens, space);
  const auto parse_one = [&] { return parse_one_variable(context, space, linkage, *type); };
  if (!type || !parse_list(tokens, parse_one) ||
      !tokens.expect_semicolon("after the declaration")) {
    tokens.skip_statement(brace_depth);
  }
}

}  // namespace heddle::ptx
