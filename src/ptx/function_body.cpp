#include "ptx/expression.h"
#include "ptx/function.h"

namespace heddle::ptx {
namespace {

constexpr std::size_t kMaxScopeDepth = 256;

/// True for directives that cannot occur in a body. After one, the '}' of the body is probably
/// missing.
bool begins_function(std::string_view directive) {
  return directive == ".entry" || directive == ".func" || directive == ".visible" ||
         directive == ".extern" || directive == ".weak" || directive == ".version";
}

}  // namespace

void FunctionParser::enter_scope() {
  context_.symbols.enter_scope();
  labels_.enter_scope();
}

void FunctionParser::leave_scope() {
  labels_.leave_scope();
  context_.symbols.leave_scope();
}

void FunctionParser::parse_body() {
  const Token brace = tokens_.take();
  const std::size_t outer_depth = context_.symbols.depth();
  enter_scope();
  is_body_done_ = false;
  while (!is_body_done_ && context_.symbols.depth() > outer_depth) {
    if (tokens_.at_end()) {
      tokens_.error(brace, "the '}}' that closes this body is missing");
      break;
    }
    if (tokens_.accept('}')) {
      leave_scope();
    } else if (tokens_.at('{')) {
      if (context_.symbols.depth() - outer_depth > kMaxScopeDepth) {
        tokens_.error(tokens_.peek(), "scopes are nested more than {} deep", kMaxScopeDepth);
        tokens_.skip_block();
      } else {
        tokens_.take();
        enter_scope();
      }
    } else {
      parse_statement();
    }
  }
  while (context_.symbols.depth() > outer_depth) leave_scope();
}

void FunctionParser::parse_statement() {
  const Token& token = tokens_.peek();
  switch (token.kind) {
    case TokenKind::suffix:
      parse_body_directive(tokens_.take());
      return;
    case TokenKind::identifier:
      parse_after_name(tokens_.take());
      return;
    case TokenKind::punctuation:
      if (token.is(';')) {
        tokens_.take();
        return;
      }
      if (token.is('@')) {
        instructions_.parse();
        return;
      }
      break;
    default:
      break;
  }
  const int brace_depth = tokens_.brace_depth();
  tokens_.error_expected("an instruction or a declaration");
  tokens_.skip_statement(brace_depth);
}

void FunctionParser::parse_body_directive(const Token& directive) {
  const std::string_view text = context_.text_of(directive);
  const int brace_depth = tokens_.brace_depth();
  const StateSpace space = state_space_of(text);
  if (space == StateSpace::reg) {
    registers_.parse_declaration();
  } else if (space == StateSpace::tex || space == StateSpace::sreg) {
    tokens_.error(directive, "a function cannot declare variables of {}", text);
    tokens_.skip_statement(brace_depth);
  } else if (space != StateSpace::none) {
    parse_variables(context_, space, Linkage::internal);
  } else if (text == ".loc") {
    source_lines_.parse_location();
  } else if (text == ".file") {
    source_lines_.parse_file();
  } else if (text == ".pragma") {
    if (parse_pragma(context_).nounroll) labels_.keep_loop_rolled();
  } else if (begins_function(text)) {
    tokens_.error(directive, "'{}' in the body of '{}': is a '}}' missing before it?", text,
                  printable(context_.current_function().name));
    is_body_done_ = true;
    tokens_.skip_statement(brace_depth);
  } else {
    tokens_.error(directive, "'{}' is not allowed in a function", printable(text));
    tokens_.skip_statement(brace_depth);
  }
}

void FunctionParser::parse_after_name(const Token& name) {
  if (!tokens_.accept(':')) {
    instructions_.parse_after(name);
    return;
  }
  if (tokens_.accept_suffix(".branchtargets")) {
    parse_branch_targets(name);
  } else if (tokens_.accept_suffix(".calltargets")) {
    parse_call_targets(name);
  } else if (tokens_.accept_suffix(".callprototype")) {
    parse_call_prototype(name);
  } else {
    labels_.define(name);
  }
}

void FunctionParser::parse_branch_targets(const Token& name) {
  std::vector<BranchTable>& tables = context_.current_function().branch_tables;
  const auto index = static_cast<std::uint32_t>(tables.size());
  const int brace_depth = tokens_.brace_depth();
  declare(context_, name, {.kind = Symbol::Kind::branch_table, .index = index});
  tables.push_back({std::string(context_.text_of(name)), {}});
  const bool ok = parse_list(tokens_, [&] {
    const std::optional<Token> target = take_name(tokens_, "a label");
    if (target) labels_.use_as_target(*target, index);
    return target.has_value();
  });
  if (!ok || !tokens_.expect_semicolon("after the labels")) tokens_.skip_statement(brace_depth);
}

void FunctionParser::parse_call_targets(const Token& name) {
  Prototype prototype{
      .name = std::string(context_.text_of(name)), .returns = {}, .parameters = {}, .targets = {}};
  const int brace_depth = tokens_.brace_depth();
  const bool ok = parse_list(tokens_, [&] {
    const std::optional<Token> target = take_name(tokens_, "a function");
    if (!target) return false;
    const Symbol* symbol = context_.symbols.find(context_.text_of(*target));
    if (symbol != nullptr && symbol->kind == Symbol::Kind::function) {
      prototype.targets.push_back(symbol->index);
    } else {
      report_unknown(context_, *target, "function");
    }
    return true;
  });
  if (!prototype.targets.empty()) {
    const Function& first = context_.module.functions[prototype.targets.front()];
    prototype.returns = first.returns;
    prototype.parameters = first.parameters;
  }
  std::vector<Prototype>& prototypes = context_.current_function().prototypes;
  const auto index = static_cast<std::uint32_t>(prototypes.size());
  declare(context_, name, {.kind = Symbol::Kind::prototype, .index = index});
  prototypes.push_back(std::move(prototype));
  if (!ok || !tokens_.expect_semicolon("after the functions")) tokens_.skip_statement(brace_depth);
}

// name: .callprototype (results) _ (parameters) .noreturn;
void FunctionParser::parse_call_prototype(const Token& name) {
  Declarators returns;
  Declarators parameters;
  Function ignored_head;
  const int brace_depth = tokens_.brace_depth();
  const bool ok = (!tokens_.at('(') || parse_parameters(returns)) &&
                  take_name(tokens_, "'_' between the results and the parameters").has_value() &&
                  (!tokens_.at('(') || parse_parameters(parameters)) &&
                  parse_function_directives(ignored_head);
  std::vector<Prototype>& prototypes = context_.current_function().prototypes;
  const auto index = static_cast<std::uint32_t>(prototypes.size());
  declare(context_, name, {.kind = Symbol::Kind::prototype, .index = index});
  prototypes.push_back({.name = std::string(context_.text_of(name)),
                        .returns = add_parameters(std::move(returns), false),
                        .parameters = add_parameters(std::move(parameters), false),
                        .targets = {}});
  if (!ok || !tokens_.expect_semicolon("after the prototype")) tokens_.skip_statement(brace_depth);
}

}  // namespace heddle::ptx
