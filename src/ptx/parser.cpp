#include "ptx/parser.h"

#include "ptx/context.h"
#include "ptx/expression.h"
#include "ptx/function.h"
#include "ptx/source_lines.h"
#include "ptx/variables.h"

namespace heddle::ptx {
namespace {

/// Parses a module. FunctionParser parses the functions in it.
class ModuleParser {
 public:
  explicit ModuleParser(Context& context)
      : context_(context),
        tokens_(context.tokens),
        source_lines_(context),
        functions_(context, source_lines_) {}

  void parse() {
    parse_version();
    parse_target();
    while (!tokens_.at_end()) parse_top_level();
  }

 private:
  // Parses .version 9.0.
  void parse_version() {
    if (!tokens_.accept_suffix(".version")) {
      tokens_.error_expected("'.version' at the beginning of the module");
      return;
    }
    const Token number = tokens_.peek();
    const std::string_view text = context_.text_of(number);
    const std::size_t dot = text.find('.');
    if (number.kind != TokenKind::floating || dot == 0 || dot > 3 || text.size() - dot > 4 ||
        text.size() - dot < 2 || text.find_first_not_of("0123456789.") != std::string_view::npos) {
      tokens_.error_expected("a version, such as 9.0");
      if (number.kind == TokenKind::floating || number.kind == TokenKind::integer) tokens_.take();
      return;
    }
    for (const char c : text.substr(0, dot)) {
      context_.module.version_major =
          context_.module.version_major * 10 + static_cast<std::uint32_t>(c - '0');
    }
    for (const char c : text.substr(dot + 1)) {
      context_.module.version_minor =
          context_.module.version_minor * 10 + static_cast<std::uint32_t>(c - '0');
    }
    tokens_.take();
  }

  // Parses .target sm_90a, texmode_independent, debug.
  void parse_target() {
    if (!tokens_.accept_suffix(".target")) {
      tokens_.error_expected("'.target' after '.version'");
      return;
    }
    parse_list(tokens_, [&] {
      const std::optional<Token> name = take_name(tokens_, "a target, such as sm_75");
      if (!name) return false;
      const std::string_view text = context_.text_of(*name);
      if (text.starts_with("sm_")) return set_target(*name, text);
      constexpr std::string_view kOptions[] = {"texmode_unified", "texmode_independent", "debug",
                                               "map_f64_to_f32"};
      for (const std::string_view option : kOptions) {
        if (text == option) return true;
      }
      tokens_.error(*name, "unknown target '{}'; expected one such as sm_75", printable(text));
      return true;
    });
  }

  /// Sets the module's target from `sm_75` or `sm_90a`. Returns true, so that parsing continues.
  bool set_target(const Token& name, std::string_view text) {
    std::string_view digits = text.substr(3);
    if (digits.ends_with('a') || digits.ends_with('f')) digits.remove_suffix(1);
    if (digits.empty() || digits.size() > 4 ||
        digits.find_first_not_of("0123456789") != std::string_view::npos) {
      tokens_.error(name, "unknown target '{}'; expected one such as sm_75", printable(text));
      return true;
    }
    context_.module.sm = 0;
    for (const char c : digits) {
      context_.module.sm = context_.module.sm * 10 + static_cast<std::uint32_t>(c - '0');
    }
    context_.module.target = std::string(text);
    return true;
  }

  void parse_top_level() {
    const Token token = tokens_.peek();
    if (token.kind == TokenKind::suffix) {
      tokens_.take();
      parse_directive(token);
    } else if (token.is('@')) {
      skip_debug_line();
    } else if (!tokens_.accept(';')) {
      tokens_.error_expected("a directive, such as .entry or .global");
      skip();
    }
  }

  /// Skips text after an error, up to the next ';' or the end of the next block.
  void skip() {
    while (!tokens_.at_end()) {
      if (tokens_.accept(';')) return;
      if (tokens_.at('{')) {
        tokens_.skip_block();
        return;
      }
      const Token token = tokens_.take();
      if (token.is('}')) return;
    }
  }

  // Skips a line such as @@DWARF .b8 1, 2, 3.
  void skip_debug_line() {
    const Token at = tokens_.take();
    if (!tokens_.accept('@')) {
      tokens_.error(at, "an instruction outside of a function");
      skip();
      return;
    }
    while (!tokens_.at_end() && tokens_.peek().location.line == at.location.line) tokens_.take();
  }

  void parse_directive(const Token& directive) {
    const std::string_view text = context_.text_of(directive);
    const StateSpace space = state_space_of(text);
    if (text == ".entry" || text == ".func") {
      functions_.parse(text == ".entry", Linkage::internal);
    } else if (text == ".visible") {
      parse_linked(Linkage::visible);
    } else if (text == ".extern") {
      parse_linked(Linkage::external);
    } else if (text == ".weak") {
      parse_linked(Linkage::weak);
    } else if (text == ".common") {
      parse_linked(Linkage::common);
    } else if (space != StateSpace::none) {
      parse_module_variables(directive, space, Linkage::internal);
    } else if (text == ".file") {
      source_lines_.parse_file();
    } else if (text == ".loc") {
      source_lines_.parse_location();
    } else if (text == ".section") {
      parse_section();
    } else if (text == ".pragma") {
      context_.module.nounroll |= parse_pragma(context_).nounroll;
    } else if (text == ".alias") {
      parse_alias();
    } else if (text == ".address_size") {
      parse_address_size();
    } else if (text == ".version" || text == ".target") {
      tokens_.error(directive, "'{}' is allowed only at the beginning of a module", text);
      skip_line(directive);
    } else {
      tokens_.error(directive, "unknown directive '{}'", printable(text));
      skip();
    }
  }

  /// Skips the rest of the line of `first`.
  void skip_line(const Token& first) {
    while (!tokens_.at_end() && tokens_.peek().location.line == first.location.line) {
      tokens_.take();
    }
  }

  /// Parses a function or variables after .visible, .extern, .weak or .common.
  void parse_linked(Linkage linkage) {
    const Token token = tokens_.peek();
    const std::string_view text = context_.text_of(token);
    const StateSpace space =
        token.kind == TokenKind::suffix ? state_space_of(text) : StateSpace::none;
    if (tokens_.accept_suffix(".entry")) {
      functions_.parse(true, linkage);
    } else if (tokens_.accept_suffix(".func")) {
      functions_.parse(false, linkage);
    } else if (space != StateSpace::none) {
      tokens_.take();
      parse_module_variables(token, space, linkage);
    } else {
      tokens_.error_expected(".entry, .func or a state space such as .global");
      skip();
    }
  }

  void parse_module_variables(const Token& directive, StateSpace space, Linkage linkage) {
    if (space == StateSpace::reg || space == StateSpace::sreg || space == StateSpace::param) {
      tokens_.error(directive, "{} variables can only be declared in a function",
                    context_.text_of(directive));
      skip();
      return;
    }
    parse_variables(context_, space, linkage);
  }

  // Skips .section .debug_str { ... }.
  void parse_section() {
    if (tokens_.peek().kind != TokenKind::suffix) {
      tokens_.error_expected("the name of a section");
      skip();
      return;
    }
    tokens_.take();
    const Token brace = tokens_.peek();
    if (!tokens_.at('{')) {
      tokens_.error_expected("'{' of the section");
      skip();
    } else if (!tokens_.skip_block()) {
      tokens_.error(brace, "the '}}' that closes this section is missing");
    }
  }

  // Parses .alias name, function;
  void parse_alias() {
    const int brace_depth = tokens_.brace_depth();
    const std::optional<Token> alias = take_name(tokens_, "the name of a function");
    if (!alias || !tokens_.expect(',', "between the names")) {
      tokens_.skip_statement(brace_depth);
      return;
    }
    const std::optional<Token> target = take_name(tokens_, "the name of a function");
    if (!target || !tokens_.expect_semicolon("after the names")) {
      tokens_.skip_statement(brace_depth);
      return;
    }
    FunctionIndex indices[2] = {};
    for (std::size_t i = 0; i < 2; ++i) {
      const Token& name = i == 0 ? *alias : *target;
      const Symbol* symbol = context_.symbols.find(context_.text_of(name));
      if (symbol == nullptr || symbol->kind != Symbol::Kind::function) {
        report_unknown(context_, name, "function");
        return;
      }
      indices[i] = symbol->index;
    }
    Function& function = context_.module.functions[indices[0]];
    const Function& other = context_.module.functions[indices[1]];
    if (!function.is_declaration || function.alias_of != kNoIndex) {
      tokens_.error(*alias, "'{}' is already defined in line {}", printable(function.name),
                    function.location.line);
    } else if (other.is_declaration) {
      tokens_.error(*target, "'{}' is not defined", printable(other.name));
    } else {
      function.alias_of = indices[1];
    }
  }

  void parse_address_size() {
    const Token at = tokens_.peek();
    const auto size = parse_count(tokens_, "the size of addresses", 32, 64);
    if (size && *size != 64) {
      tokens_.error(at, "only addresses of 64 bits are supported");
    }
  }

  Context& context_;
  TokenStream& tokens_;
  SourceLines source_lines_;
  FunctionParser functions_;
};

}  // namespace

ParseResult parse(std::string text, std::string_view file) {
  ParseResult result;
  result.module.file = std::string(file);
  if (text.size() >= Lexer::kTooLarge) {
    result.diagnostics.error({}, 1, "the text is too large: 4 GiB or more");
    return result;
  }
  result.module.text = std::make_shared<const std::string>(std::move(text));
  TokenStream tokens(*result.module.text, result.diagnostics);
  Context context{.module = result.module, .tokens = tokens, .symbols = {}};
  ModuleParser(context).parse();
  return result;
}

}  // namespace heddle::ptx
