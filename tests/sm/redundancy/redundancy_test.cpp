#include "sm/redundancy/redundancy.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "configure.h"

namespace heddle::sm {
namespace {

TEST(Redundancy, HasNoPolicyByDefault) {
  EXPECT_EQ(make_redundancy({}), nullptr);
  EXPECT_EQ(make_redundancy(configure<RedundancyDescription>({"policy=none"})), nullptr);
}

TEST(Redundancy, ObservesValuesWithoutAPolicy) {
  const auto observed = configure<RedundancyDescription>({"observe=yes"});
  EXPECT_NE(make_redundancy(observed), nullptr);
  EXPECT_FALSE(observed.is_present()) << "nothing is skipped";
}

TEST(Redundancy, RejectsUnknownPolicyName) {
  EXPECT_THROW(configure<RedundancyDescription>({"policy=nobody"}), InputError);
}

}  // namespace
}  // namespace heddle::sm
