// Tests of the lexer: how it divides PTX into tokens, and the kind of each token.

#include "ptx/lexer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace heddle::ptx {
namespace {

/// The tokens of a text, without the one that marks its end.
std::vector<Token> lex(std::string_view text) {
  Lexer lexer(text);
  std::vector<Token> tokens;
  do {
    tokens.push_back(lexer.next());
  } while (tokens.back().kind != TokenKind::end && tokens.size() < 1000);
  tokens.pop_back();
  return tokens;
}

/// The text of each token.
std::vector<std::string> texts_of(std::string_view text) {
  std::vector<std::string> out;
  for (const Token& t : lex(text)) out.emplace_back(text.substr(t.offset, t.length));
  return out;
}

/// The kind of a text that is a single token; TokenKind::end for other texts.
TokenKind kind_of(std::string_view text) {
  const std::vector<Token> tokens = lex(text);
  if (tokens.size() != 1 || tokens[0].length != text.size()) return TokenKind::end;
  return tokens[0].kind;
}

using Texts = std::vector<std::string>;

TEST(Lexer, SplitsInstructionIntoTokens) {
  EXPECT_EQ(texts_of("@!%p1 ld.global.v2.f32 {%f1,%f2},[%rd1+-4];"),
            (Texts{"@",   "!", "%p1", "ld", ".global", ".v2", ".f32", "{", "%f1", ",",
                   "%f2", "}", ",",   "[",  "%rd1",    "+",   "-",    "4", "]",   ";"}));
}

TEST(Lexer, NeedsNoBlanks) {
  EXPECT_EQ(texts_of(".reg.b32%r<3>;add.u32%r1,%r2,1;$L:bra$L;"),
            (Texts{".reg", ".b32", "%r", "<", "3", ">", ";", "add", ".u32", "%r1", ",", "%r2", ",",
                   "1", ";", "$L", ":", "bra$L", ";"}));
}

TEST(Lexer, KeepsColonsInSuffix) {
  EXPECT_EQ(texts_of("cp.async.bulk.mbarrier::complete_tx::bytes.L2::cache_hint x::y"),
            (Texts{"cp", ".async", ".bulk", ".mbarrier::complete_tx::bytes", ".L2::cache_hint", "x",
                   ":", ":", "y"}));
}

TEST(Lexer, DistinguishesDimensionFromFraction) {
  EXPECT_EQ(texts_of("tex.2d.v4 x, .5"), (Texts{"tex", ".2d", ".v4", "x", ",", ".5"}));
  EXPECT_EQ(kind_of(".5"), TokenKind::floating);
  EXPECT_EQ(kind_of(".b32"), TokenKind::suffix);
}

TEST(Lexer, RecognisesNumberKinds) {
  for (const auto* text :
       {"0", "7", "123", "123U", "0x1F", "0X1fU", "0b101", "0B1U", "017", "0U"}) {
    EXPECT_EQ(kind_of(text), TokenKind::integer) << text;
  }
  for (const auto* text : {"1.0", "1.", "1e5", "1E+5", "1.5e-3", "0.5", "9.0"}) {
    EXPECT_EQ(kind_of(text), TokenKind::floating) << text;
  }
  EXPECT_EQ(kind_of("0f3F800000"), TokenKind::f32_bits);
  EXPECT_EQ(kind_of("0F3f80000A"), TokenKind::f32_bits);
  EXPECT_EQ(kind_of("0d3FF0000000000000"), TokenKind::f64_bits);
  EXPECT_EQ(kind_of("0D3ff0000000000000"), TokenKind::f64_bits);
}

TEST(Lexer, RejectsMalformedNumbers) {
  for (const auto* text : {"08", "0x", "0b", "0b2", "0f3F80000", "0f3F8000000", "0d3FF", "12ab",
                           "1u", "0x1G", "1.5f", "1e5x"}) {
    EXPECT_EQ(kind_of(text), TokenKind::invalid) << text;
  }
}

TEST(Lexer, RecognisesNames) {
  for (const auto* text : {"a", "_", "_a$1", "$L__BB0_1", "%r1", "%_x", "%$y", "a1", "WARP_SZ"}) {
    EXPECT_EQ(kind_of(text), TokenKind::identifier) << text;
  }
  EXPECT_EQ(texts_of("7%3"), (Texts{"7", "%", "3"}));
}

TEST(Lexer, RecognisesTwoCharacterPunctuation) {
  const std::vector<Token> tokens = lex("<< >> <= >= == != && || < > ! & |");
  std::string meanings;
  for (const Token& t : tokens) meanings += t.punctuation;
  EXPECT_EQ(meanings, std::string({kShiftLeft, kShiftRight, kLessOrEqual, kGreaterOrEqual, kEqual,
                                   kNotEqual, kLogicalAnd, kLogicalOr}) +
                          "<>!&|");
}

TEST(Lexer, SkipsCommentsAndCountsTheirLines) {
  const std::vector<Token> tokens = lex("a // b\n/* c\n d */ e\n  f/**/g");
  ASSERT_EQ(tokens.size(), 4U);
  EXPECT_EQ(tokens[0].location, (TextLocation{1, 1}));
  EXPECT_EQ(tokens[1].location, (TextLocation{3, 7}));
  EXPECT_EQ(tokens[2].location, (TextLocation{4, 3}));
  EXPECT_EQ(tokens[3].location, (TextLocation{4, 8}));
}

TEST(Lexer, AcceptsWindowsLineEnds) {
  const std::vector<Token> tokens = lex("a\r\n b // c\r\nd");
  ASSERT_EQ(tokens.size(), 3U);
  EXPECT_EQ(tokens[1].location, (TextLocation{2, 2}));
  EXPECT_EQ(tokens[2].location, (TextLocation{3, 1}));
}

TEST(Lexer, ReadsStrings) {
  EXPECT_EQ(kind_of("\"a b\""), TokenKind::string);
  EXPECT_EQ(kind_of("\"a \\\" b\""), TokenKind::string);
  EXPECT_EQ(lex("\"abc\n d")[0].kind, TokenKind::invalid)
      << "expected the string to end with its line";
  EXPECT_EQ(texts_of("\"abc\nd"), (Texts{"\"abc", "d"}));
  EXPECT_EQ(lex("\"\\")[0].kind, TokenKind::invalid);
}

TEST(Lexer, ReportsUnterminatedComment) {
  Lexer lexer("a\n  /* b");
  EXPECT_EQ(lexer.next().kind, TokenKind::identifier);
  EXPECT_EQ(lexer.unfinished_comment().line, 0U);
  EXPECT_EQ(lexer.next().kind, TokenKind::end);
  EXPECT_EQ(lexer.unfinished_comment(), (TextLocation{2, 3}));
}

TEST(Lexer, IgnoresOnlyTrailingZeroBytes) {
  EXPECT_EQ(lex(std::string_view("a\0\0", 3)).size(), 1U);
  const std::vector<Token> tokens = lex(std::string_view("a\0b", 3));
  ASSERT_EQ(tokens.size(), 3U);
  EXPECT_EQ(tokens[1].kind, TokenKind::invalid);
}

TEST(Lexer, MergesRunOfNonAsciiCharacters) { EXPECT_EQ(lex("\xc3\xa4\xc3\xb6 x").size(), 2U); }

}  // namespace
}  // namespace heddle::ptx
