#include "sm/stalls/wait_reason.h"

#include <gtest/gtest.h>

#include <set>

namespace heddle::sm {
namespace {

TEST(WaitReason, IsLongIfMemoryOrOtherWarpsHaveToAct) {
  const std::set<WaitReason> long_ones = {WaitReason::long_latency_result,
                                          WaitReason::chip_wide_instruction,
                                          WaitReason::overlapping_atomic,
                                          WaitReason::atomics_in_flight,
                                          WaitReason::fence,
                                          WaitReason::barrier,
                                          WaitReason::last_accesses,
                                          WaitReason::block_end};
  for (std::size_t i = 0; i < kWaitReasons; ++i) {
    const WaitReason reason = ByWaitReason<int>::index_at(i);
    EXPECT_EQ(is_long(reason), long_ones.count(reason) == 1) << i;
  }
}

}  // namespace
}  // namespace heddle::sm
