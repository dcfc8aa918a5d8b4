#include "ptx/function.h"

#include <algorithm>
#include <iterator>

#include "ptx/expression.h"

namespace heddle::ptx {
namespace {

constexpr std::uint64_t kMaxNumber = 0xffffffff;
constexpr std::size_t kMaxParameters = 4096;

/// Whether a directive begins a new declaration of the module, and so ends one without ';'.
bool begins_declaration(std::string_view directive) {
  constexpr std::string_view kOthers[] = {".entry",  ".func", ".visible", ".extern", ".weak",
                                          ".common", ".file", ".section", ".alias"};
  return state_space_of(directive) != StateSpace::none ||
         std::find(std::begin(kOthers), std::end(kOthers), directive) != std::end(kOthers);
}

}  // namespace

Pragmas parse_pragma(Context& context) {
  TokenStream& tokens = context.tokens;
  Pragmas pragmas;
  const int brace_depth = tokens.brace_depth();
  const bool ok = parse_list(tokens, [&] {
    if (tokens.peek().kind != TokenKind::string) {
      tokens.error_expected("a pragma in quotes");
      return false;
    }
    if (context.text_of(tokens.take()) == "\"nounroll\"") pragmas.nounroll = true;
    return true;
  });
  if (!ok || !tokens.expect_semicolon("after the pragma")) tokens.skip_statement(brace_depth);
  return pragmas;
}

void FunctionParser::parse(bool is_kernel, Linkage linkage) {
  Function head;
  head.is_kernel = is_kernel;
  head.linkage = linkage;
  Token name;
  Declarators returns;
  Declarators parameters;
  const int brace_depth = tokens_.brace_depth();
  if (!parse_head(head, name, returns, parameters)) {
    while (!tokens_.at_end() && !tokens_.at('{') && !tokens_.at(';')) tokens_.take();
    if (tokens_.at('{')) {
      tokens_.skip_block();
    } else {
      tokens_.skip_statement(brace_depth);
    }
    return;
  }
  const bool has_body = tokens_.at('{');
  // The declaration of a device function needs no ';': until PTX 2.3, nvcc wrote none.
  const Token next = tokens_.peek();
  const bool may_end_here =
      !is_kernel && (tokens_.at_end() || next.kind == TokenKind::suffix || next.is('@'));
  if (!has_body && !tokens_.accept(';') && !may_end_here &&
      !tokens_.expect_semicolon("or '{' after the head of a function")) {
    tokens_.skip_statement(brace_depth);
    return;
  }
  if (!declare_function(std::move(head), name, returns, parameters, has_body)) {
    if (has_body) tokens_.skip_block();
    return;
  }
  registers_.clear();
  source_lines_.begin_function();
  context_.symbols.enter_scope();
  std::vector<VariableIndex> return_variables = add_parameters(std::move(returns), has_body);
  std::vector<VariableIndex> parameter_variables = add_parameters(std::move(parameters), has_body);
  context_.current_function().returns = std::move(return_variables);
  context_.current_function().parameters = std::move(parameter_variables);
  if (has_body) parse_body();
  context_.symbols.leave_scope();
  context_.function = kNoIndex;
  context_.source_line = kNoIndex;
}

bool FunctionParser::parse_head(Function& head, Token& name, Declarators& returns,
                                Declarators& parameters) {
  if (!parse_function_directives(head)) return false;
  if (!head.is_kernel && tokens_.at('(') && !parse_parameters(returns)) return false;
  const std::optional<Token> taken =
      take_name(tokens_, head.is_kernel ? "the name of the kernel" : "the name of the function");
  if (!taken) return false;
  name = *taken;
  head.name = std::string(context_.text_of(name));
  head.location = name.location;
  if (tokens_.at('(') && !parse_parameters(parameters)) return false;
  return parse_function_directives(head);
}

bool FunctionParser::parse_parameters(Declarators& parameters) {
  tokens_.take();
  if (tokens_.accept(')')) return true;
  const bool ok = parse_list(tokens_, [&] {
    const Token at = tokens_.peek();
    const StateSpace space =
        at.kind == TokenKind::suffix ? state_space_of(context_.text_of(at)) : StateSpace::none;
    if (space != StateSpace::param && space != StateSpace::reg) {
      tokens_.error_expected("a parameter: .param or .reg");
      return false;
    }
    tokens_.take();
    const std::optional<DeclaredType> type = parse_declared_type(tokens_, space);
    if (!type) return false;
    std::optional<Declarator> declarator = parse_declarator(context_, space, *type);
    if (!declarator) return false;
    if (parameters.size() >= kMaxParameters) {
      tokens_.error(at, "more than {} parameters", kMaxParameters);
      return false;
    }
    if (space == StateSpace::reg && declarator->variable.dimensions > 0) {
      tokens_.error(declarator->name, "a .reg parameter cannot be an array");
      return false;
    }
    parameters.push_back(std::move(*declarator));
    return true;
  });
  return ok && tokens_.expect(')', "after the parameters");
}

bool FunctionParser::parse_extents(std::uint32_t (&extents)[3]) {
  std::size_t given_count = 0;
  for (std::uint32_t& extent : extents) extent = 1;
  return parse_list(tokens_, [&] {
    const Token at = tokens_.peek();
    const auto value = parse_count(tokens_, "the extent of a block", 1, kMaxNumber);
    if (!value) return false;
    if (given_count == 3) {
      tokens_.error(at, "a block has three extents at most");
      return false;
    }
    extents[given_count++] = static_cast<std::uint32_t>(*value);
    return true;
  });
}

bool FunctionParser::parse_amount(std::uint32_t* amount) {
  const auto value = parse_count(tokens_, "the number", 0, kMaxNumber);
  if (value && amount != nullptr) *amount = static_cast<std::uint32_t>(*value);
  return value.has_value();
}

bool FunctionParser::parse_function_directives(Function& head) {
  std::uint32_t ignored_extents[3];
  while (tokens_.peek().kind == TokenKind::suffix) {
    const bool may_end_here = !head.is_kernel && !head.name.empty();
    if (may_end_here && begins_declaration(context_.text_of(tokens_.peek()))) return true;
    const Token token = tokens_.take();
    const std::string_view text = context_.text_of(token);
    bool ok = true;
    bool ignored_managed = false;
    if (text == ".maxntid") {
      ok = parse_extents(head.max_threads);
    } else if (text == ".reqntid") {
      ok = parse_extents(head.required_threads);
    } else if (text == ".minnctapersm") {
      ok = parse_amount(&head.min_blocks_per_sm);
    } else if (text == ".maxnreg") {
      ok = parse_amount(&head.max_registers);
    } else if (text == ".maxnctapersm" || text == ".maxclusterrank" || text == ".abi_preserve" ||
               text == ".abi_preserve_control") {
      ok = parse_amount(nullptr);
    } else if (text == ".reqnctapercluster") {
      ok = parse_extents(ignored_extents);
    } else if (text == ".noreturn") {
      head.no_return = true;
    } else if (text == ".pragma") {
      head.nounroll |= parse_pragma(context_).nounroll;
    } else if (text == ".attribute") {
      ok = parse_attribute(tokens_, ignored_managed);
    } else if (text != ".explicitcluster" && text != ".blocksareclusters") {
      tokens_.error(token, "'{}' is not allowed in the head of a function", printable(text));
      ok = false;
    }
    if (!ok) return false;
  }
  return true;
}

bool FunctionParser::has_same_parameters(const std::vector<VariableIndex>& before,
                                         const Declarators& now) const {
  if (before.size() != now.size()) return false;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const Variable& variable = context_.module.variables[before[i]];
    if (variable.size != now[i].variable.size) return false;
  }
  return true;
}

bool FunctionParser::declare_function(Function&& head, const Token& name,
                                      const Declarators& returns, const Declarators& parameters,
                                      bool has_body) {
  const Symbol* symbol = context_.symbols.find(head.name);
  head.is_declaration = !has_body;
  if (symbol == nullptr || symbol->kind != Symbol::Kind::function) {
    const auto index = static_cast<FunctionIndex>(context_.module.functions.size());
    if (!declare(context_, name, {.kind = Symbol::Kind::function, .index = index})) return false;
    context_.function = index;
    context_.module.functions.push_back(std::move(head));
    return true;
  }
  Function& before = context_.module.functions[symbol->index];
  if (before.is_kernel != head.is_kernel || !has_same_parameters(before.returns, returns) ||
      !has_same_parameters(before.parameters, parameters)) {
    tokens_.error(name, "'{}' is declared in line {} with other parameters", printable(head.name),
                  before.location.line);
    return false;
  }
  if (!has_body) return false;  // A repeated declaration adds nothing.
  if (!before.is_declaration) {
    tokens_.error(name, "'{}' is already defined in line {}", printable(head.name),
                  before.location.line);
    return false;
  }
  // `.visible` and `.weak` of the declaration apply to the definition too.
  if (head.linkage == Linkage::internal && before.linkage != Linkage::external) {
    head.linkage = before.linkage;
  }
  head.no_return |= before.no_return;
  context_.function = symbol->index;
  before = std::move(head);
  return true;
}

std::vector<VariableIndex> FunctionParser::add_parameters(Declarators&& parameters,
                                                          bool declares_names) {
  std::vector<VariableIndex> indices;
  for (Declarator& declarator : parameters) {
    Variable& variable = declarator.variable;
    const auto index = static_cast<VariableIndex>(context_.module.variables.size());
    variable.owner = context_.function;
    if (declares_names && variable.name != "_") {
      Symbol symbol{.kind = Symbol::Kind::variable, .index = index};
      if (variable.space == StateSpace::reg) {
        symbol = {
            .kind = Symbol::Kind::reg,
            .vector = static_cast<std::uint8_t>(variable.vector),
            .type = variable.type,
            .index = static_cast<std::uint32_t>(context_.current_function().registers.size())};
        variable.reg = symbol.index;
        registers_.make(context_.text_of(declarator.name), variable.type, variable.vector);
      }
      declare(context_, declarator.name, symbol);
    }
    indices.push_back(index);
    context_.module.variables.push_back(std::move(variable));
  }
  return indices;
}

}  // namespace heddle::ptx
