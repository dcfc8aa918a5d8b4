#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "base/diagnostic.h"
#include "ptx/lexer.h"

namespace heddle::ptx {

/// A piece of the text as shown in a message: shortened, and with '?' for unprintable characters.
std::string shown(std::string_view text);

/// The tokens of one text with one token of lookahead. It also reports errors at tokens.
class TokenStream {
 public:
  TokenStream(std::string_view text, Diagnostics& diagnostics)
      : lexer_(text), diagnostics_(diagnostics) {
    advance();
  }

  const Token& peek() const { return current_; }
  /// The token after the next one.
  Token peek_second() const {
    Lexer ahead = lexer_;
    return ahead.next();
  }
  Token take() {
    const Token taken = current_;
    advance();
    return taken;
  }
  bool at_end() const { return current_.kind == TokenKind::end; }
  bool at(char punctuation) const { return current_.is(punctuation); }
  bool accept(char punctuation) {
    if (!current_.is(punctuation)) return false;
    advance();
    return true;
  }
  /// Takes the next token and returns true if it is this suffix, dot included.
  bool accept_suffix(std::string_view suffix) {
    if (current_.kind != TokenKind::suffix || text_of(current_) != suffix) return false;
    advance();
    return true;
  }
  bool accept_word(std::string_view word) {
    if (current_.kind != TokenKind::identifier || text_of(current_) != word) return false;
    advance();
    return true;
  }
  /// Like accept(), but reports an error if the token is another. `where` completes its text:
  /// "expected ';' after the operands".
  bool expect(char punctuation, std::string_view where);
  /// Takes the ';' of a statement. If it is missing at the end of a line, reports that and returns
  /// true, so that parsing continues with the next line.
  bool expect_semicolon(std::string_view where);

  std::string_view text_of(const Token& token) const { return lexer_.text_of(token); }
  std::string_view text() const { return lexer_.text(); }
  /// The last token taken.
  const Token& previous() const { return previous_; }

  /// The number of open braces before the next token.
  int braces() const { return braces_; }
  /// Skips past the next ';', or up to the '}' that closes the block at depth `braces`.
  void skip_statement(int braces);
  /// Takes a '{' and all up to its matching '}'. False if the text ends before.
  bool skip_block();

  template <class... Arguments>
  void error(const Token& at, fmt::format_string<Arguments...> message, Arguments&&... arguments) {
    error_at(at.location, at.length, message, std::forward<Arguments>(arguments)...);
  }
  template <class... Arguments>
  void error_at(TextLocation at, std::uint32_t length, fmt::format_string<Arguments...> message,
                Arguments&&... arguments) {
    // Errors beyond the limit are only counted.
    diagnostics_.error(at, length,
                       wants_messages()
                           ? fmt::format(message, std::forward<Arguments>(arguments)...)
                           : std::string());
  }
  /// Reports "expected WHAT, found TOKEN" at the next token.
  void error_expected(std::string_view what);
  /// False once the limit of kept messages is reached: further texts need not be composed.
  bool wants_messages() const { return diagnostics_.entries().size() < Diagnostics::kMostKept; }
  Diagnostics& diagnostics() { return diagnostics_; }

 private:
  void advance();

  Lexer lexer_;
  Diagnostics& diagnostics_;
  Token current_;
  Token previous_;
  int braces_ = 0;
  bool comment_reported_ = false;
};

}  // namespace heddle::ptx
