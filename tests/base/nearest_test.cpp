#include "base/nearest.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(Nearest, CountsEdits) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("abc", ""), 3);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("ab", "ba"), 1) << "neighbours that changed places are one edit";
}

TEST(Nearest, SuggestsWhatIsClose) {
  EXPECT_EQ(suggestion("redution", {"scan", "reduction"}), "; did you mean 'reduction'?");
}

TEST(Nearest, ListsWhatThereIsWhereNothingIsClose) {
  EXPECT_EQ(suggestion("xyzzy", {"scan", "reduction"}), "; there are: scan, reduction");
  EXPECT_EQ(suggestion("xyzzy", {}), "");
  EXPECT_EQ(suggestion("xyzzy", std::vector<std::string>(9, "reduction")), "");
}

}  // namespace
}  // namespace heddle
