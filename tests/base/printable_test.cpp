#include "base/printable.h"

#include <gtest/gtest.h>

#include <string>

namespace heddle {
namespace {

TEST(PrintableText, EscapesControlCharactersAndKeepsLines) {
  EXPECT_EQ(printable_text("a\x1b[2Jb\x07\x7f\r"), "a\\x1b[2Jb\\x07\\x7f\\x0d");
  EXPECT_EQ(printable_text(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable_text("one\n\ttwo"), "one\n\ttwo");
  EXPECT_EQ(printable_line("one\n\ttwo"), "one\\n\\ttwo");
}

TEST(PrintableText, KeepsUnicodeLettersAndEscapesUnicodeControls) {
  EXPECT_EQ(printable_text("caché ─ 漢字"), "caché ─ 漢字");
  EXPECT_EQ(printable_text("\xc2\x9b"
                           "2J"),
            "\\x9b2J");
  EXPECT_EQ(printable_text("\xc2\xa0\xc2"), "\xc2\xa0\xc2");
}

TEST(Shortened, EndsWithDotsIfTextWasCut) {
  EXPECT_EQ(shortened("ipc"), "ipc");
  const std::string cut = shortened(std::string(400'000, 'a'));
  EXPECT_EQ(cut, std::string(120, 'a') + "...");
  // The cut must not split a letter.
  EXPECT_EQ(shortened(std::string(119, 'a') + "éé"), std::string(119, 'a') + "...");
}

TEST(ShortLines, KeepBeginningAndEndOfLongLines) {
  EXPECT_EQ(with_short_lines("one\ntwo\n"), "one\ntwo\n");
  const std::string text = "first\n'" + std::string(400'000, 'a') + "' is no number\nlast";
  const std::string cut = with_short_lines(text);
  EXPECT_LT(cut.size(), 1600U);
  EXPECT_TRUE(cut.starts_with("first\n'aaa"));
  EXPECT_NE(cut.find("aaa ... aaa"), std::string::npos);
  EXPECT_TRUE(cut.ends_with("aaa' is no number\nlast"));
}

}  // namespace
}  // namespace heddle
