#include "ptx/token_stream.h"

namespace heddle::ptx {

std::string printable(std::string_view text) {
  constexpr std::size_t kMaxLength = 60;
  std::string out;
  for (const char c : text.substr(0, kMaxLength)) out += c >= 0x20 && c < 0x7f ? c : '?';
  if (text.size() > kMaxLength) out += "...";
  return out;
}

void TokenStream::advance() {
  if (current_.is('{')) ++brace_depth_;
  if (current_.is('}')) --brace_depth_;
  previous_ = current_;
  current_ = lexer_.next();
  if (at_end() && lexer_.unfinished_comment().line != 0 && !is_comment_reported_) {
    is_comment_reported_ = true;
    error_at(lexer_.unfinished_comment(), 2, "this comment is never closed");
  }
}

bool TokenStream::expect(char punctuation, std::string_view where) {
  if (accept(punctuation)) return true;
  if (wants_messages()) {
    error_expected(fmt::format("'{}'{}{}", punctuation, where.empty() ? "" : " ", where));
  } else {
    error(current_, "?");
  }
  return false;
}

bool TokenStream::expect_semicolon(std::string_view where) {
  if (accept(';')) return true;
  if (current_.location.line == previous_.location.line && !at_end() && !at('}')) {
    return expect(';', where);
  }
  error_at({previous_.location.line, previous_.location.column + previous_.length}, 1,
           "expected ';' {}", where);
  return true;
}

void TokenStream::error_expected(std::string_view what) {
  switch (current_.kind) {
    case TokenKind::end:
      error(current_, "expected {}, but the text ends here", what);
      break;
    case TokenKind::invalid: {
      const std::string_view text = text_of(current_);
      if (text.front() == '"') {
        error(current_, "this string is never closed");
      } else if (text.front() >= '0' && text.front() <= '9') {
        error(current_, "'{}' is not a number", printable(text));
      } else {
        error(current_, "expected {}, found a character that PTX does not use: '{}'", what,
              printable(text));
      }
      break;
    }
    default:
      error(current_, "expected {}, found '{}'", what, printable(text_of(current_)));
      break;
  }
}

void TokenStream::skip_statement(int brace_depth) {
  while (!at_end()) {
    if (at('}') && brace_depth_ <= brace_depth) return;
    if (accept(';')) return;
    advance();
  }
}

bool TokenStream::skip_block() {
  const int outer_depth = brace_depth_;
  advance();
  while (!at_end() && brace_depth_ > outer_depth) advance();
  return brace_depth_ <= outer_depth;
}

}  // namespace heddle::ptx
