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

/// Codes in Token::punctuation for operators of two characters. Others are coded as themselves.
inline constexpr char kShiftLeft = 'L';
inline constexpr char kShiftRight = 'R';
inline constexpr char kLessOrEqual = 'l';
inline constexpr char kGreaterOrEqual = 'g';
inline constexpr char kEqual = 'e';
inline constexpr char kNotEqual = 'n';
inline constexpr char kLogicalAnd = 'a';
inline constexpr char kLogicalOr = 'o';

struct Token {
  TokenKind kind = TokenKind::end;
  char punctuation = 0;
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
  TextLocation location;

  bool is(char p) const { return kind == TokenKind::punctuation && punctuation == p; }
  std::uint32_t end() const { return offset + length; }
};

/// Splits a text into tokens. It accepts any text; the last token has the kind `end`.
class Lexer {
 public:
  /// Texts of this size or larger are not supported: offsets have 32 bits.
  static constexpr std::uint64_t kTooLarge = 0xffff0000;

  explicit Lexer(std::string_view text);

  Token next();
  std::string_view text_of(const Token& token) const {
    return text_.substr(token.offset, token.length);
  }
  std::string_view text() const { return text_; }
  /// The start of a comment that the text never closes; line 0 if there is none.
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
  char at(std::uint32_t offset) const { return offset < end_ ? text_[offset] : '\0'; }
  TextLocation location_of(std::uint32_t offset) const { return {line_, offset - line_start_ + 1}; }

  std::string_view text_;
  std::uint32_t end_;
  std::uint32_t offset_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t line_start_ = 0;
  TextLocation unfinished_comment_;
};

/// True for characters that can begin a PTX name, and for those that can follow.
bool is_name_start(char c);
bool is_name_part(char c);

}  // namespace heddle::ptx
