// Accesses of scratchpad and L1 to banks that registers use, with cycles worked out by hand.

#include "sm/memory/bank_arbiter.h"

#include <gtest/gtest.h>

#include <string>

namespace heddle::sm {
namespace {

class BankArbiterTest : public testing::Test {
 protected:
  std::uint64_t counter(const std::string& name) {
    CounterList counters;
    arbiter.declare(counters);
    for (const Counter& each : counters.all()) {
      if (each.name == name) return *each.value;
    }
    ADD_FAILURE() << "no counter " << name;
    return 0;
  }

  BankPorts ports{4, BankPorts::Ports::read_and_write};
  BankArbiter arbiter{SharedBanks{}, 128, ports};
};

TEST_F(BankArbiterTest, LinesFollowEachOtherInTheBanks) {
  EXPECT_EQ(arbiter.bank_of_line(0), 1U);
  EXPECT_EQ(arbiter.bank_of_line(3), 8U);
  EXPECT_EQ(arbiter.bank_of_line(4), 1U);
}

TEST_F(BankArbiterTest, ReadWaitsWhileRegistersAreReadFromItsBank) {
  ports.reads()[2].book(Cycle(10));
  ports.reads()[2].book(Cycle(11));
  EXPECT_TRUE(arbiter.read(0b0100, Cycle(9)));
  EXPECT_FALSE(arbiter.read(0b0100, Cycle(10)));
  EXPECT_TRUE(arbiter.read(0b1011, Cycle(10))) << "other banks are free";
  EXPECT_FALSE(arbiter.read(0b0100, Cycle(11)));
  EXPECT_TRUE(arbiter.read(0b0100, Cycle(12)));
  EXPECT_EQ(counter("accesses"), 3U);
  EXPECT_EQ(counter("conflict_cycles"), 2U);
}

TEST_F(BankArbiterTest, PassNeedsAllItsBanksInOneCycle) {
  ports.reads()[0].book(Cycle(10));
  ports.reads()[1].book(Cycle(11));
  EXPECT_FALSE(arbiter.read(0b0011, Cycle(10)));
  EXPECT_TRUE(ports.reads()[1].is_free(Cycle(10))) << "the pass that waits books nothing";
  EXPECT_FALSE(arbiter.read(0b0011, Cycle(11)));
  EXPECT_TRUE(arbiter.read(0b0011, Cycle(12)));
}

TEST_F(BankArbiterTest, ReadsAndWritesHaveSeparatePorts) {
  ports.reads()[0].book(Cycle(10));
  EXPECT_TRUE(arbiter.write(0b0001, Cycle(10)));
  ports.writes()[0].book(Cycle(11));
  EXPECT_FALSE(arbiter.write(0b0001, Cycle(11)));
  EXPECT_TRUE(arbiter.read(0b0001, Cycle(11)));
}

TEST_F(BankArbiterTest, FillIsWrittenInTheNextFreeCycleAndBeforeStores) {
  ports.writes()[1].book(Cycle(11));  // A register.
  arbiter.fill(5, Cycle(10));         // Line 5 is in bank 1; its data would be written at 11.
  EXPECT_TRUE(arbiter.write(0b0010, Cycle(10))) << "the data are not yet written";
  EXPECT_FALSE(arbiter.write(0b0010, Cycle(11))) << "the register is written";
  EXPECT_FALSE(arbiter.write(0b0010, Cycle(12))) << "the fill is written";
  EXPECT_TRUE(arbiter.write(0b0010, Cycle(13)));
  EXPECT_EQ(counter("buffered_writes"), 1U);
  EXPECT_EQ(counter("buffer_conflict_cycles"), 1U);
}

TEST_F(BankArbiterTest, FillsThatNobodyWaitsForTakeOneCycleEach) {
  for (std::uint64_t at = 10; at < 30; ++at) arbiter.fill(0, Cycle(10));
  EXPECT_FALSE(arbiter.write(0b0001, Cycle(30))) << "the last of 20 fills";
  EXPECT_TRUE(arbiter.write(0b0001, Cycle(31)));
  EXPECT_EQ(counter("buffer_conflict_cycles"), 19U * 20 / 2);
}

TEST_F(BankArbiterTest, AtomicWritesAfterItHasRead) {
  EXPECT_TRUE(arbiter.read_and_write_later(0b0001, Cycle(10)));
  EXPECT_FALSE(arbiter.read(0b0001, Cycle(10)));
  EXPECT_TRUE(arbiter.write(0b0001, Cycle(10)));
  EXPECT_FALSE(arbiter.write(0b0001, Cycle(11))) << "the atomic's result";
  EXPECT_TRUE(arbiter.write(0b0001, Cycle(12)));
}

TEST(BankArbiter, OnePortServesReadsAndWrites) {
  BankPorts ports(4, BankPorts::Ports::shared);
  BankArbiter arbiter(SharedBanks{}, 128, ports);
  ports.writes()[0].book(Cycle(10));
  EXPECT_FALSE(arbiter.read(0b0001, Cycle(10)));
  EXPECT_TRUE(arbiter.write(0b0001, Cycle(11)));
  EXPECT_FALSE(arbiter.read(0b0001, Cycle(11)));
}

}  // namespace
}  // namespace heddle::sm
