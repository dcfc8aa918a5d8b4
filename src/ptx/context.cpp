#include "ptx/context.h"

namespace heddle::ptx {

std::optional<Token> take_name(TokenStream& tokens, std::string_view what) {
  if (tokens.peek().kind == TokenKind::identifier) return tokens.take();
  tokens.error_expected(what);
  return std::nullopt;
}

bool declare(Context& context, const Token& name, Symbol symbol) {
  symbol.location = name.location;
  const Symbol* other = context.symbols.declare(context.text_of(name), symbol);
  if (other == nullptr) return true;
  context.tokens.error(name, "'{}' is already declared in line {}",
                       printable(context.text_of(name)), other->location.line);
  return false;
}

void report_unknown(Context& context, const Token& name, std::string_view what) {
  const std::string_view text = context.text_of(name);
  std::string_view nearest;
  if (context.tokens.wants_messages()) nearest = context.symbols.nearest(text);
  if (nearest.empty()) {
    context.tokens.error(name, "unknown {} '{}'", what, printable(text));
  } else {
    context.tokens.error(name, "unknown {} '{}'; did you mean '{}'?", what, printable(text),
                         printable(nearest));
  }
}

}  // namespace heddle::ptx
