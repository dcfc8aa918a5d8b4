#pragma once

#include <string_view>

#include "ptx/module.h"
#include "ptx/symbol_table.h"
#include "ptx/token_stream.h"

namespace heddle::ptx {

/// The state that the classes of the parser share: the module being built, the remaining tokens,
/// and the declared names.
struct Context {
  Module& module;
  TokenStream& tokens;
  SymbolTable symbols;
  /// The function whose head or body is being parsed; kNoIndex outside of functions.
  FunctionIndex function = kNoIndex;
  /// The position that the last `.loc` of the function names: an index into Module::source_lines.
  std::uint32_t source_line = kNoIndex;

  Function& current_function() { return module.functions[function]; }
  std::string_view text_of(const Token& token) const { return tokens.text_of(token); }
};

/// Takes the next token if it is a name. Otherwise reports "expected WHAT" and returns nullopt.
std::optional<Token> take_name(TokenStream& tokens, std::string_view what);
/// Declares a name in the current scope. If the scope already has the name, reports that and
/// returns false.
bool declare(Context& context, const Token& name, Symbol symbol);
/// Reports that the name is not declared, and suggests the most similar declared name. `what` says
/// what was expected: "label".
void report_unknown(Context& context, const Token& name, std::string_view what);

/// Parses items separated by commas. `item` parses one and returns false after an error, which ends
/// the list. Returns whether there was no error.
template <class Item>
bool parse_list(TokenStream& tokens, Item item) {
  do {
    if (!item()) return false;
  } while (tokens.accept(','));
  return true;
}

}  // namespace heddle::ptx
