#include "sm/redundancy/redundancy.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "described.h"

namespace heddle::sm {
namespace {

TEST(Redundancy, HasNoPolicyByDefault) {
  EXPECT_EQ(make_redundancy({}), nullptr);
  EXPECT_EQ(make_redundancy(described<RedundancyDescription>({"policy=none"})), nullptr);
}

TEST(Redundancy, RejectsUnknownPolicyName) {
  EXPECT_THROW(described<RedundancyDescription>({"policy=nobody"}), InputError);
}

}  // namespace
}  // namespace heddle::sm
