#include "sm/lookahead/ahead_registers.h"

#include <gtest/gtest.h>

#include <array>

namespace heddle::sm {
namespace {

constexpr std::array<std::uint16_t, 3> kThree{4, 9, kFirstPredicate + 2};

TEST(AheadRegisters, KnowEntriesThatAreSet) {
  AheadRegisters registers;
  EXPECT_TRUE(registers.are_known(kThree));
  registers.make_unknown(std::span(kThree).first(1));
  EXPECT_FALSE(registers.is_known(4));
  EXPECT_TRUE(registers.is_known(9));
  EXPECT_FALSE(registers.are_known(kThree));
  registers.set(4, Cycle(20));
  EXPECT_TRUE(registers.are_known(kThree));
  registers.set(kFirstPredicate + 2, Cycle::never());
  EXPECT_FALSE(registers.are_known(kThree));
}

TEST(AheadRegisters, AreReadyWithTheLatestKnownEntry) {
  AheadRegisters registers;
  EXPECT_EQ(registers.ready(kThree), Cycle(0));
  registers.set(4, Cycle(20));
  registers.set(9, Cycle(30));
  registers.set(10, Cycle(40));
  EXPECT_EQ(registers.ready(kThree), Cycle(30));
  registers.make_unknown(kThree);
  EXPECT_EQ(registers.ready(kThree), Cycle(0)) << "an unknown entry is not waited for";
}

}  // namespace
}  // namespace heddle::sm
