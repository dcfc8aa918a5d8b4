#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "base/diagnostic.h"
#include "ptx/lexer.h"

namespace heddle::ptx {

/// A part of the text for a message: clipped, and without characters that do not print.
std::string shown(std::string_view text);

/// The tokens of one text with one to look ahead, and a place for what is wrong with them.
class TokenStream {
 public:
  TokenStream(std::string_view text, Diagnostics& diagnostics)
      : lexer_(text), diagnostics_(diagnostics) {
    advance();
  }

  const Token& peek() const { return current_; }
  /// The one after it.
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
  /// True and taken where the next token is this suffix, dot included.
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
  /// As accept(), with an error where the token is another; `where` goes on the sentence:
  /// "expected ';' after the operands".
  bool expect(char punctuation, std::string_view where);
  /// Takes the ';' of a statement. Where it is missing at the end of a line, the next line is no
  /// worse for it.
  bool expect_semicolon(std::string_view where);

  std::string_view text_of(const Token& token) const { return lexer_.text_of(token); }
  std::string_view text() const { return lexer_.text(); }
  /// The token taken last.
  const Token& previous() const { return previous_; }

  /// Open braces up to the token in view.
  int braces() const { return braces_; }
  /// Goes on after the next ';', or to the brace that closes more than `braces`, or to the end.
  void skip_statement(int braces);
  /// Takes a '{' and all up to the '}' that belongs to it. False where the text ends before.
  bool skip_block();

  template <class... Arguments>
  void error(const Token& at, fmt::format_string<Arguments...> message, Arguments&&... arguments) {
    error_at(at.location, at.length, message, std::forward<Arguments>(arguments)...);
  }
  template <class... Arguments>
  void error_at(TextLocation at, std::uint32_t length, fmt::format_string<Arguments...> message,
                Arguments&&... arguments) {
    // Past the limit errors are only counted.
    diagnostics_.error(at, length,
                       wants_messages()
                           ? fmt::format(message, std::forward<Arguments>(arguments)...)
                           : std::string());
  }
  /// "expected WHAT, found TOKEN" at the token in view.
  void error_expected(std::string_view what);
  /// False when so many messages are kept that more would be lost: then do not think them up.
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
