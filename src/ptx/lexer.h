#pragma once

#include <cstdint>
#include <string_view>

#include "base/diagnostic.h"

namespace heddle::ptx {

enum class TokenKind : std::uint8_t {
  end,
  identifier,   ///< add, %r1, $L__BB0_1, _Z3foo
  suffix,       ///< .global, .2d, .L1::evict_last; the dot is part of it
  integer,      ///< 12, 0x1F, 0b101, 017, 3U
  floating,     ///< 1.5, 2e10
  f32_bits,     ///< 0f3F800000
  f64_bits,     ///< 0d3FF0000000000000
  string,       ///< the quotes are part of it
  punctuation,  ///< see Token::punctuation
  invalid,      ///< characters that PTX does not use, or a malformed number or string
};

/// Codes in Token::punctuation for operators of two characters. An operator of one character is its
/// own code.
inline constexpr char kShiftLeft = 'L';
inline constexpr char kShiftRight = 'R';
inline constexpr char kLessOrEqual = 'l';
inline constexpr char kGreaterOrEqual = 'g';
inline constexpr char kEqual = 'e';
inline constexpr char kNotEqual = 'n';
inline constexpr char kLogicalAnd = 'a';
inline constexpr char kLogicalOr = 'o';

/// A piece of the text.
struct Token {
  TokenKind kind = TokenKind::end;
  char punctuation = 0;      ///< The operator's code; 0 if the kind is not `punctuation`.
  std::uint32_t offset = 0;  ///< In bytes from the beginning of the text.
  std::uint32_t length = 0;  ///< In bytes.
  TextLocation location;

  bool is(char p) const { return kind == TokenKind::punctuation && punctuation == p; }
  std::uint32_t end() const { return offset + length; }
};

/// Splits a text into tokens. It accepts any text.
class Lexer {
 public:
  /// Texts of this many bytes or more are not supported, because offsets have 32 bits.
  static constexpr std::uint64_t kTooLarge = 0xffff0000;

  explicit Lexer(std::string_view text);

  /// Returns the next token; at the end of the text always a token of the kind `end`.
  Token next();
  std::string_view text_of(const Token& token) const {
    return text_.substr(token.offset, token.length);
  }
  std::string_view text() const { return text_; }
  /// The beginning of a comment that the text never closes. Its line is 0 if there is no such
  /// comment.
  TextLocation unfinished_comment() const { return unfinished_comment_; }

 private:
  void skip_blanks();
  void skip_block_comment();
  void lex_identifier();
  void lex_suffix();
  bool lex_prefixed_number(Token& token);
  void lex_number(Token& token);
  void lex_string(Token& token);
  void lex_punctuation(Token& token);
  /// The character at the offset; 0 beyond the end.
  char at(std::uint32_t offset) const { return offset < end_ ? text_[offset] : '\0'; }
  /// The location of an offset in the current line.
  TextLocation location_of(std::uint32_t offset) const { return {line_, offset - line_start_ + 1}; }

  std::string_view text_;
  std::uint32_t end_;
  std::uint32_t offset_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t line_start_ = 0;
  TextLocation unfinished_comment_;
};

/// True for characters that can begin a PTX name.
bool is_name_start(char c);
/// True for characters that can follow in a PTX name.
bool is_name_part(char c);

}  // namespace heddle::ptx
