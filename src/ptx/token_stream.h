#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "base/diagnostic.h"
#include "ptx/lexer.h"

namespace heddle::ptx {

/// A piece of the text for a message: at most 60 characters, with '?' for unprintable ones.
std::string printable(std::string_view text);

/// The tokens of one text, of which the next can be examined before it is taken. Also reports
/// errors at tokens.
class TokenStream {
 public:
  TokenStream(std::string_view text, Diagnostics& diagnostics)
      : lexer_(text), diagnostics_(diagnostics) {
    advance();
  }

  /// The next token, which is not taken.
  const Token& peek() const { return current_; }
  /// The token after the next one.
  Token peek_second() const {
    Lexer ahead = lexer_;
    return ahead.next();
  }
  /// Takes the next token.
  Token take() {
    const Token taken = current_;
    advance();
    return taken;
  }
  bool at_end() const { return current_.kind == TokenKind::end; }
  /// Whether the next token is this operator or bracket.
  bool at(char punctuation) const { return current_.is(punctuation); }
  /// Takes the next token and returns true if it is this operator or bracket.
  bool accept(char punctuation) {
    if (!current_.is(punctuation)) return false;
    advance();
    return true;
  }
  /// Takes the next token and returns true if it is this suffix. `suffix` includes the dot.
  bool accept_suffix(std::string_view suffix) {
    if (current_.kind != TokenKind::suffix || text_of(current_) != suffix) return false;
    advance();
    return true;
  }
  /// Takes the next token and returns true if it is this identifier.
  bool accept_identifier(std::string_view identifier) {
    if (current_.kind != TokenKind::identifier || text_of(current_) != identifier) return false;
    advance();
    return true;
  }
  /// Like accept(), and reports an error if it returns false. `where` completes the message:
  /// "expected ';' after the operands".
  bool expect(char punctuation, std::string_view where);
  /// Takes the ';' of a statement. If it is missing, reports an error. Returns false only if other
  /// text follows on the same line; otherwise parsing can continue with the next token.
  bool expect_semicolon(std::string_view where);

  std::string_view text_of(const Token& token) const { return lexer_.text_of(token); }
  std::string_view text() const { return lexer_.text(); }
  /// The token that was taken last.
  const Token& previous() const { return previous_; }

  /// The number of open braces before the next token.
  int brace_depth() const { return brace_depth_; }
  /// Skips up to and including the next ';', or up to the '}' that closes the block whose depth is
  /// `brace_depth`.
  void skip_statement(int brace_depth);
  /// Takes a '{' and all tokens up to and including its '}'. Returns false if there is no such '}'.
  bool skip_block();

  /// Reports an error at a token. The message is formatted with the arguments.
  template <class... Arguments>
  void error(const Token& at, fmt::format_string<Arguments...> message, Arguments&&... arguments) {
    error_at(at.location, at.length, message, std::forward<Arguments>(arguments)...);
  }
  /// Reports an error at the `length` characters from `at` on.
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
  /// False if the diagnostics keep no further message, so that its text need not be composed.
  bool wants_messages() const { return diagnostics_.entries().size() < Diagnostics::kMaxKept; }
  Diagnostics& diagnostics() { return diagnostics_; }

 private:
  void advance();

  Lexer lexer_;
  Diagnostics& diagnostics_;
  Token current_;
  Token previous_;
  int brace_depth_ = 0;
  bool is_comment_reported_ = false;
};

}  // namespace heddle::ptx
