#include "base/diagnostic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle {
namespace {

using testing::HasSubstr;

TEST(Diagnostic, RendersLocationSourceLineAndCaret) {
  const Diagnostic diagnostic{.location = {2, 5}, .length = 3, .message = "unknown register"};
  EXPECT_EQ(render(diagnostic, "a.ptx", "first\nadd foo, bar;\nlast\n"),
            "a.ptx:2:5: error: unknown register\n"
            "    2 | add foo, bar;\n"
            "      |     ^~~\n");
}

TEST(Diagnostic, RendersOneLineWithoutLocation) {
  const Diagnostic diagnostic{.location = {}, .message = "no .version"};
  EXPECT_EQ(render(diagnostic, "a.ptx", "text"), "a.ptx: error: no .version\n");
}

TEST(Diagnostic, AlignsCaretAfterTabsAndControlCharacters) {
  const Diagnostic diagnostic{.location = {1, 3}, .message = "here"};
  EXPECT_EQ(render(diagnostic, "a", "\t\x01x"), "a:1:3: error: here\n    1 |  ?x\n      |   ^\n");
}

TEST(Diagnostic, ShowsRelevantPartOfVeryLongLine) {
  const std::string line = std::string(5000, 'a') + "WRONG" + std::string(5000, 'b');
  const Diagnostic diagnostic{.location = {1, 5001}, .length = 5, .message = "here"};
  const std::string text = render(diagnostic, "a", line);
  EXPECT_THAT(text, HasSubstr("WRONG"));
  EXPECT_LT(text.size(), 600u);
}

TEST(Diagnostic, ToleratesLocationBeyondText) {
  EXPECT_EQ(render({.location = {99, 1}, .message = "m"}, "a", "x\n"), "a:99:1: error: m\n");
  EXPECT_EQ(render({.location = {1, 99}, .message = "m"}, "a", "x\n"), "a:1:99: error: m\n");
}

TEST(Diagnostics, KeepsFirstFiftyErrorsAndCountsRest) {
  Diagnostics diagnostics;
  for (int i = 0; i < 60; ++i) diagnostics.error({1, 1}, 1, "again");
  EXPECT_EQ(diagnostics.entries().size(), Diagnostics::kMaxKept);
  EXPECT_EQ(diagnostics.error_count(), 60u);
  EXPECT_THAT(render(diagnostics, "a.ptx", "x"), HasSubstr("a.ptx: 10 more errors\n"));
}

}  // namespace
}  // namespace heddle
