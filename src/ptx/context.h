#pragma once

#include <string_view>

#include "ptx/module.h"
#include "ptx/symbol_table.h"
#include "ptx/token_stream.h"

namespace heddle::ptx {

/// The state that the parts of the parser share: the module being built, the remaining tokens, and
/// the declared names.
struct Context {
  Module& module;
  TokenStream& tokens;
  SymbolTable symbols;
  /// The function whose head or body is being parsed.
  FunctionIndex function = kNoIndex;
  /// The SourceLine that the last `.loc` named.
  std::uint32_t source = kNoIndex;

  Function& current() { return module.functions[function]; }
  std::string_view text_of(const Token& token) const { return tokens.text_of(token); }
};

/// Takes a name. If the next token is not a name, reports "expected WHAT" and returns nothing.
std::optional<Token> take_name(TokenStream& tokens, std::string_view what);
/// Declares a name, or reports that the scope already has it and returns false.
bool declare(Context& context, const Token& name, Symbol symbol);
/// Reports an undeclared name, and suggests the most similar declared one.
void report_unknown(Context& context, const Token& name, std::string_view what);

/// Parses items separated by commas. `item` returns false to stop.
template <class Item>
bool parse_list(TokenStream& tokens, Item item) {
  do {
    if (!item()) return false;
  } while (tokens.accept(','));
  return true;
}

}  // namespace heddle::ptx
