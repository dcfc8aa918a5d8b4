#pragma once

#include <string_view>

#include "ptx/module.h"
#include "ptx/symbol_table.h"
#include "ptx/token_stream.h"

namespace heddle::ptx {

/// What the parts of the parser share: the module that grows, the text that is left, and the names
/// that are known.
struct Context {
  Module& module;
  TokenStream& tokens;
  SymbolTable symbols;
  /// The function whose head or body is being read.
  FunctionIndex function = kNoIndex;
  /// The SourceLine that the last `.loc` named.
  std::uint32_t source = kNoIndex;

  Function& current() { return module.functions[function]; }
  std::string_view text_of(const Token& token) const { return tokens.text_of(token); }
};

/// Takes a name. Nothing, with "expected WHAT" reported, where there is none.
std::optional<Token> take_name(TokenStream& tokens, std::string_view what);
/// Declares a name, or reports that the scope has one already.
bool declare(Context& context, const Token& name, Symbol symbol);
/// Reports a name that is not known, with the known one that is nearest to it.
void report_unknown(Context& context, const Token& name, std::string_view what);

/// Reads something over and over, separated by commas. `item` returns false to give up.
template <class Item>
bool parse_list(TokenStream& tokens, Item item) {
  do {
    if (!item()) return false;
  } while (tokens.accept(','));
  return true;
}

}  // namespace heddle::ptx
