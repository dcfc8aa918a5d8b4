#include "base/nearest.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(Nearest, CountsEdits) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("abc", ""), 3);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("ab", "ba"), 1) << "a swap of neighbours is one edit";
}

TEST(Nearest, SuggestsSimilarName) {
  EXPECT_EQ(suggestion("redution", {"scan", "reduction"}), "; did you mean 'reduction'?");
}

TEST(Nearest, SuggestsNoNameOfVeryDifferentLength) {
  const std::vector<std::string> known(9, std::string(12, 'a'));
  EXPECT_EQ(suggestion(std::string(8, 'a'), known), "; did you mean 'aaaaaaaaaaaa'?");
  EXPECT_EQ(suggestion(std::string(7, 'a'), known), "");
  EXPECT_EQ(suggestion(std::string(18, 'a'), known), "; did you mean 'aaaaaaaaaaaa'?");
  EXPECT_EQ(suggestion(std::string(19, 'a'), known), "");
}

TEST(Nearest, ListsKnownNamesIfNoneIsSimilar) {
  EXPECT_EQ(suggestion("xyzzy", {"scan", "reduction"}), "; choose one of: scan, reduction");
  EXPECT_EQ(suggestion("xyzzy", {}), "");
  EXPECT_EQ(suggestion("xyzzy", std::vector<std::string>(9, "reduction")), "");
}

}  // namespace
}  // namespace heddle
