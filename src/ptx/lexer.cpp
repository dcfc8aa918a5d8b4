#include "ptx/lexer.h"

#include <algorithm>
#include <array>

namespace heddle::ptx {
namespace {

// Classes of characters, as bits of a mask. As in PTX names, '_' and '$' are letters.
enum : std::uint8_t { kBlank = 1, kNamePart = 2, kLetter = 4, kDigit = 8, kHexDigit = 16 };

constexpr std::array<std::uint8_t, 256> make_classes() {
  std::array<std::uint8_t, 256> classes{};
  for (const char c : {' ', '\t', '\r', '\n', '\v', '\f'}) {
    classes[static_cast<unsigned char>(c)] = kBlank;
  }
  for (int c = '0'; c <= '9'; ++c)
    classes[static_cast<unsigned>(c)] = kNamePart | kDigit | kHexDigit;
  for (int i = 0; i < 26; ++i) {
    const std::uint8_t hex = i < 6 ? kHexDigit : 0;
    classes[static_cast<unsigned>('a' + i)] = kNamePart | kLetter | hex;
    classes[static_cast<unsigned>('A' + i)] = kNamePart | kLetter | hex;
  }
  classes['_'] = classes['$'] = kNamePart | kLetter;
  return classes;
}
constexpr std::array<std::uint8_t, 256> kClasses = make_classes();

constexpr bool has_class(char c, int character_class) {
  return (kClasses[static_cast<unsigned char>(c)] & character_class) != 0;
}

}  // namespace

bool is_name_start(char c) { return c == '%' || has_class(c, kLetter); }
bool is_name_part(char c) { return has_class(c, kNamePart); }

Lexer::Lexer(std::string_view text)
    : text_(text),
      end_(static_cast<std::uint32_t>(std::min<std::uint64_t>(text.size(), kTooLarge))) {
  // PTX embedded in other files is padded with zero bytes.
  while (end_ > 0 && text_[end_ - 1] == '\0') --end_;
}

void Lexer::skip_block_comment() {
  const TextLocation start = location_of(offset_);
  offset_ += 2;
  while (offset_ < end_) {
    const char c = text_[offset_];
    if (c == '*' && at(offset_ + 1) == '/') {
      offset_ += 2;
      return;
    }
    ++offset_;
    if (c == '\n') {
      ++line_;
      line_start_ = offset_;
    }
  }
  unfinished_comment_ = start;
}

void Lexer::skip_blanks() {
  while (offset_ < end_) {
    const char c = text_[offset_];
    if (c == '\n') {
      ++offset_;
      ++line_;
      line_start_ = offset_;
    } else if (has_class(c, kBlank)) {
      ++offset_;
    } else if (c == '/' && at(offset_ + 1) == '/') {
      while (offset_ < end_ && text_[offset_] != '\n') ++offset_;
    } else if (c == '/' && at(offset_ + 1) == '*') {
      skip_block_comment();
    } else {
      return;
    }
  }
}

void Lexer::lex_identifier() {
  ++offset_;
  while (is_name_part(at(offset_))) ++offset_;
}

void Lexer::lex_suffix() {
  ++offset_;
  for (;;) {
    while (is_name_part(at(offset_))) ++offset_;
    if (at(offset_) != ':' || at(offset_ + 1) != ':' || !is_name_part(at(offset_ + 2))) return;
    offset_ += 2;
  }
}

// Lexes 0x.., 0b.., 0f........ or 0d................; returns false for other numbers.
bool Lexer::lex_prefixed_number(Token& token) {
  if (at(offset_) != '0') return false;
  const char prefix = static_cast<char>(at(offset_ + 1) | 0x20);
  const std::uint32_t first_digit = offset_ + 2;
  std::uint32_t end = first_digit;
  while (has_class(at(end), kHexDigit)) ++end;
  switch (prefix) {
    case 'f':
      token.kind = end - first_digit == 8 ? TokenKind::f32_bits : TokenKind::invalid;
      break;
    case 'd':
      token.kind = end - first_digit == 16 ? TokenKind::f64_bits : TokenKind::invalid;
      break;
    case 'x':
      token.kind = end > first_digit ? TokenKind::integer : TokenKind::invalid;
      break;
    case 'b': {
      token.kind = TokenKind::integer;
      end = first_digit;
      while (at(end) == '0' || at(end) == '1') ++end;
      if (end == first_digit) token.kind = TokenKind::invalid;
      break;
    }
    default:
      return false;
  }
  if (token.kind == TokenKind::integer && at(end) == 'U') ++end;
  offset_ = end;
  return true;
}

void Lexer::lex_number(Token& token) {
  if (!lex_prefixed_number(token)) {
    token.kind = TokenKind::integer;
    while (has_class(at(offset_), kDigit)) ++offset_;
    if (at(offset_) == '.') {
      token.kind = TokenKind::floating;
      ++offset_;
      while (has_class(at(offset_), kDigit)) ++offset_;
    }
    if ((at(offset_) | 0x20) == 'e') {
      const std::uint32_t sign = at(offset_ + 1) == '+' || at(offset_ + 1) == '-' ? 1 : 0;
      if (has_class(at(offset_ + 1 + sign), kDigit)) {
        token.kind = TokenKind::floating;
        offset_ += 1 + sign;
        while (has_class(at(offset_), kDigit)) ++offset_;
      }
    }
    if (token.kind == TokenKind::integer) {
      const bool is_octal = text_[token.offset] == '0' && offset_ - token.offset > 1;
      for (std::uint32_t i = token.offset; is_octal && i < offset_; ++i) {
        if (text_[i] > '7') token.kind = TokenKind::invalid;
      }
      if (at(offset_) == 'U') ++offset_;
    }
  }
  if (is_name_part(at(offset_))) token.kind = TokenKind::invalid;
  while (is_name_part(at(offset_))) ++offset_;
}

void Lexer::lex_string(Token& token) {
  token.kind = TokenKind::invalid;
  ++offset_;
  while (offset_ < end_ && text_[offset_] != '\n') {
    const char c = text_[offset_++];
    if (c == '"') {
      token.kind = TokenKind::string;
      return;
    }
    if (c == '\\' && offset_ < end_ && text_[offset_] != '\n') ++offset_;
  }
}

void Lexer::lex_punctuation(Token& token) {
  token.kind = TokenKind::punctuation;
  const char c = text_[offset_];
  const char second = at(offset_ + 1);
  token.punctuation = c;
  const auto take_both = [&](char code) {
    token.punctuation = code;
    ++offset_;
  };
  switch (c) {
    case '<':
      if (second == '<') take_both(kShiftLeft);
      if (second == '=') take_both(kLessOrEqual);
      break;
    case '>':
      if (second == '>') take_both(kShiftRight);
      if (second == '=') take_both(kGreaterOrEqual);
      break;
    case '=':
      if (second == '=') take_both(kEqual);
      break;
    case '!':
      if (second == '=') take_both(kNotEqual);
      break;
    case '&':
      if (second == '&') take_both(kLogicalAnd);
      break;
    case '|':
      if (second == '|') take_both(kLogicalOr);
      break;
    case '{':
    case '}':
    case '(':
    case ')':
    case '[':
    case ']':
    case ';':
    case ',':
    case ':':
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
    case '?':
    case '~':
    case '^':
    case '@':
    case '.':
      break;
    default:
      token.kind = TokenKind::invalid;
      token.punctuation = 0;
      // Consecutive bytes outside of ASCII become one token, and so one message.
      while (offset_ + 1 < end_ && static_cast<unsigned char>(text_[offset_ + 1]) >= 0x80)
        ++offset_;
      break;
  }
  ++offset_;
}

Token Lexer::next() {
  skip_blanks();
  Token token;
  token.offset = offset_;
  token.location = location_of(offset_);
  if (offset_ >= end_) return token;
  const char c = text_[offset_];
  const char second = at(offset_ + 1);
  // A '%' begins a name only before a letter; elsewhere it is the remainder operator.
  if (has_class(c, kLetter) || (c == '%' && has_class(second, kLetter))) {
    token.kind = TokenKind::identifier;
    lex_identifier();
  } else if (c == '.' && is_name_part(second)) {
    // `.2d` after a name is a suffix; `.5` elsewhere is a number.
    const bool follows_name = offset_ > 0 && is_name_part(text_[offset_ - 1]);
    if (!has_class(second, kDigit) || follows_name) {
      token.kind = TokenKind::suffix;
      lex_suffix();
    } else {
      lex_number(token);
    }
  } else if (has_class(c, kDigit)) {
    lex_number(token);
  } else if (c == '"') {
    lex_string(token);
  } else {
    lex_punctuation(token);
  }
  token.length = offset_ - token.offset;
  return token;
}

}  // namespace heddle::ptx
