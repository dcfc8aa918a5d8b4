#include "sm/lookahead/renaming_registers.h"

#include <gtest/gtest.h>

#include <set>

namespace heddle::sm {
namespace {

/// The last 128 of 1024 registers in four banks, as in the paper. Blocks use none of them.
RenamingRegisters paper_registers() {
  RenamingRegisters registers(128, 1024, 4);
  registers.set_free(1024);
  return registers;
}

TEST(RenamingRegisters, TakesTheFirstOfTheBank) {
  RenamingRegisters registers = paper_registers();
  EXPECT_EQ(registers.take(2, Cycle(0)), 2);
  EXPECT_EQ(registers.take(2, Cycle(0)), 6);
  EXPECT_EQ(registers.take(0, Cycle(0)), 0);
  EXPECT_EQ(registers.bank_of(6), 2U);
}

TEST(RenamingRegisters, TakesTheFirstOfAnyBankIfTheBankHasNone) {
  RenamingRegisters registers = paper_registers();
  for (int i = 0; i < 32; ++i) EXPECT_EQ(registers.take(1, Cycle(0)), 4 * i + 1);
  EXPECT_EQ(registers.take(1, Cycle(0)), 0);
  EXPECT_EQ(registers.take(1, Cycle(0)), 2);
}

TEST(RenamingRegisters, HasAsManyAsBlocksLeaveFree) {
  RenamingRegisters registers = paper_registers();
  EXPECT_TRUE(registers.has(128, Cycle(0)));
  EXPECT_FALSE(registers.has(129, Cycle(0)));
  registers.set_free(30);
  EXPECT_TRUE(registers.has(30, Cycle(0)));
  EXPECT_FALSE(registers.has(31, Cycle(0)));
  EXPECT_TRUE(registers.belongs_to_block(97));
  EXPECT_FALSE(registers.belongs_to_block(98));
  std::set<int> taken;
  for (int i = 0; i < 30; ++i) taken.insert(registers.take(0, Cycle(0)));
  EXPECT_EQ(*taken.begin(), 98) << "the last 30 registers";
  EXPECT_EQ(taken.size(), 30U);
  EXPECT_FALSE(registers.has(1, Cycle(0)));
  registers.set_free(0);
  EXPECT_TRUE(registers.belongs_to_block(127));
}

TEST(RenamingRegisters, FreesARegisterAfterItsLastUserAndItsResult) {
  RenamingRegisters registers(1, 8, 1);
  registers.set_free(8);
  const RenamingRegister only = registers.take(0, Cycle(10));
  registers.add_user(only);
  registers.set_written(only, Cycle(20));
  registers.release(only);
  EXPECT_FALSE(registers.has(1, Cycle(30))) << "it has another user";
  EXPECT_EQ(registers.next(Cycle(12)), Cycle::never());
  registers.release(only);
  EXPECT_EQ(registers.next(Cycle(12)), Cycle(20));
  EXPECT_FALSE(registers.has(1, Cycle(19))) << "its result has not been written";
  EXPECT_TRUE(registers.has(1, Cycle(20)));
}

TEST(RenamingRegisters, KeepsAReleasedRegisterUntilItsLoadArrives) {
  RenamingRegisters registers(1, 8, 1);
  registers.set_free(8);
  const RenamingRegister only = registers.take(0, Cycle(10));
  registers.release(only);
  EXPECT_FALSE(registers.has(1, Cycle(1000)));
  EXPECT_EQ(registers.next(Cycle(1000)), Cycle::never());
  registers.set_written(only, Cycle(1001));
  EXPECT_EQ(registers.next(Cycle(1000)), Cycle(1001));
  EXPECT_TRUE(registers.has(1, Cycle(1001)));
}

}  // namespace
}  // namespace heddle::sm
