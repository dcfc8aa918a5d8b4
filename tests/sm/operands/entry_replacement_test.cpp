#include "sm/operands/entry_replacement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::sm {
namespace {

TEST(EntryReplacement, HasNameForEachPolicy) {
  EXPECT_THAT(entry_replacement_names(), testing::ElementsAre("fifo", "lru"));
  EXPECT_EQ(entry_replacement_of("fifo"), EntryReplacement::fifo);
  EXPECT_EQ(entry_replacement_of("lru"), EntryReplacement::lru);
}

}  // namespace
}  // namespace heddle::sm
