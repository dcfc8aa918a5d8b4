#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "configure.h"
#include "sm/instructions/issue_table.h"
#include "sm/operands/operands.h"

namespace heddle::sm {
namespace {

class File {
 public:
  /// `settings`: the parameters of the policy.
  File(std::initializer_list<std::string_view> settings) : operands_(make(settings)) {}

  Cycle read(WarpSlot warp, std::initializer_list<std::uint16_t> registers, std::uint64_t now) {
    return operands_->read(warp, {registers.begin(), registers.size()}, Cycle(now));
  }
  Cycle write(WarpSlot warp, std::initializer_list<std::uint16_t> registers, std::uint64_t done) {
    return operands_->write(warp, {registers.begin(), registers.size()}, Cycle(done));
  }
  Cycle free_from(std::uint64_t now) const { return operands_->free_from(Cycle(now)); }
  std::uint64_t counter_value(std::string_view name) const {
    CounterList list;
    operands_->declare(list);
    for (const Counter& counter : list.all()) {
      if (counter.name == name) return *counter.value;
    }
    ADD_FAILURE() << "no counter " << name;
    return 0;
  }

 private:
  static std::unique_ptr<Operands> make(std::initializer_list<std::string_view> settings) {
    auto description = configure<OperandDescription>(settings);
    description.policy = "banked";
    return make_operands(description);
  }
  std::unique_ptr<Operands> operands_;
};

TEST(BankedOperands, ReadsDifferentBanksInOneCycle) {
  File file{"banks=4", "layout=register", "read_cycles=1"};
  EXPECT_EQ(file.read(0, {0, 1, 2}, 10), Cycle(11));
  EXPECT_EQ(file.counter_value("reads"), 3u);
  EXPECT_EQ(file.counter_value("read_conflict_cycles"), 0u);
}

TEST(BankedOperands, ReadsOneRegisterPerCycleFromABank) {
  File file{"banks=4", "layout=register", "read_cycles=1"};
  EXPECT_EQ(file.read(0, {0, 4, 1}, 10), Cycle(12));
  EXPECT_EQ(file.read(0, {2, 6, 10}, 20), Cycle(23));
  EXPECT_EQ(file.counter_value("read_conflict_cycles"), 3u);
}

TEST(BankedOperands, PipelinesReadsOfABank) {
  File file{"banks=4", "layout=register", "read_cycles=3"};
  EXPECT_EQ(file.read(0, {0}, 10), Cycle(13));
  EXPECT_EQ(file.read(0, {0, 4}, 11), Cycle(15));
}

TEST(BankedOperands, ReadsWaitForEarlierInstructionsReads) {
  File file{"banks=4", "layout=register"};
  EXPECT_EQ(file.read(0, {0, 4, 8}, 10), Cycle(13));
  EXPECT_EQ(file.read(1, {0}, 10), Cycle(14));
  EXPECT_EQ(file.read(2, {1}, 10), Cycle(11)) << "another bank is free";
  EXPECT_EQ(file.read(3, {0}, 14), Cycle(15));
}

TEST(BankedOperands, LayoutSelectsBankByRegisterOrByRegisterAndWarp) {
  File by_register{"banks=4", "layout=register"};
  by_register.read(0, {4}, 10);
  EXPECT_EQ(by_register.read(1, {4}, 10), Cycle(12));

  File by_both{"banks=4", "layout=register-and-warp"};
  by_both.read(0, {4}, 10);
  EXPECT_EQ(by_both.read(1, {4}, 10), Cycle(11));
  EXPECT_EQ(by_both.read(1, {3}, 10), Cycle(12)) << "warp 0 has its register 4 in that bank";
  EXPECT_EQ(by_both.read(63, {255}, 20), Cycle(21));
  EXPECT_EQ(by_both.read(2, {0}, 20), Cycle(22)) << "318 is in bank 2";
}

TEST(BankedOperands, PredicatesUseNoBank) {
  File file{"banks=1", "layout=register"};
  EXPECT_EQ(file.read(0, {kFirstPredicate, 3, kFirstPredicate + 1}, 10), Cycle(11));
  EXPECT_EQ(file.write(0, {kFirstPredicate, kFirstPredicate + 1}, 20), Cycle(20));
  EXPECT_EQ(file.write(0, {3}, 20), Cycle(20)) << "the predicates left the bank free";
  EXPECT_EQ(file.counter_value("reads"), 1u);
  EXPECT_EQ(file.counter_value("writes"), 1u);
}

TEST(BankedOperands, InstructionWithoutOperandsNeedsNoCollector) {
  File file{"banks=4", "collectors=1"};
  EXPECT_EQ(file.read(0, {}, 10), Cycle(10));
  EXPECT_EQ(file.read(0, {kFirstPredicate}, 10), Cycle(10));
  EXPECT_EQ(file.free_from(10), Cycle(10));
}

TEST(BankedOperands, CollectorIsBusyUntilLastOperandIsRead) {
  File file{"banks=4", "layout=register", "collectors=2", "read_cycles=2"};
  EXPECT_EQ(file.read(0, {0, 4}, 10), Cycle(13));
  EXPECT_EQ(file.free_from(10), Cycle(10));
  EXPECT_EQ(file.read(1, {1}, 10), Cycle(12));
  EXPECT_EQ(file.free_from(10), Cycle(12));
  EXPECT_EQ(file.free_from(12), Cycle(12));
  EXPECT_EQ(file.read(1, {1}, 12), Cycle(14));
  EXPECT_EQ(file.free_from(12), Cycle(13));
}

TEST(BankedOperands, WritesOneResultPerCycleToABank) {
  File file{"banks=4", "layout=register"};
  EXPECT_EQ(file.write(0, {0, 1}, 10), Cycle(10));
  EXPECT_EQ(file.write(0, {4, 2}, 10), Cycle(11));
  EXPECT_EQ(file.write(0, {8}, 10), Cycle(12));
  EXPECT_EQ(file.counter_value("writes"), 5u);
  EXPECT_EQ(file.counter_value("write_conflict_cycles"), 3u);
}

TEST(BankedOperands, WriteBookedAheadLeavesEarlierCyclesFree) {
  File file{"banks=4", "layout=register"};
  EXPECT_EQ(file.write(0, {0}, 1000), Cycle(1000));
  EXPECT_EQ(file.write(0, {0}, 999), Cycle(999));
  EXPECT_EQ(file.write(0, {0}, 999), Cycle(1001));
}

TEST(BankedOperands, SeparatePortsDoNotConflict) {
  File file{"banks=4", "layout=register", "ports=1r1w"};
  EXPECT_EQ(file.write(0, {0}, 10), Cycle(10));
  EXPECT_EQ(file.read(1, {0}, 10), Cycle(11));
}

TEST(BankedOperands, SharedPortServesAccessesInOrderOfBooking) {
  File file{"banks=4", "layout=register", "ports=1rw"};
  EXPECT_EQ(file.write(0, {0}, 10), Cycle(10));
  EXPECT_EQ(file.read(1, {0, 4}, 9), Cycle(12)) << "at 9 and 11, as the write has 10";
  EXPECT_EQ(file.write(0, {8}, 9), Cycle(12));
  EXPECT_EQ(file.read(1, {1}, 10), Cycle(11)) << "another bank";
}

TEST(BankedOperands, WithinInstructionConflictCostsACyclePerFurtherAccess) {
  File file{"banks=4", "layout=register", "conflicts=within-instruction"};
  EXPECT_EQ(file.read(0, {0, 1, 2}, 10), Cycle(11));
  EXPECT_EQ(file.read(0, {0, 4, 1}, 10), Cycle(12));
  EXPECT_EQ(file.read(0, {2, 6, 10}, 20), Cycle(23));
  EXPECT_EQ(file.read(0, {0, 1, 4, 5}, 30), Cycle(32)) << "two banks work side by side";
  EXPECT_EQ(file.counter_value("read_conflict_cycles"), 1u + 2u + 1u);
  EXPECT_EQ(file.write(0, {0, 4, 8}, 40), Cycle(42));
  EXPECT_EQ(file.counter_value("write_conflict_cycles"), 2u);
}

TEST(BankedOperands, WithinInstructionConflictsIgnoreOtherInstructions) {
  File file{"banks=4", "layout=register", "conflicts=within-instruction", "ports=1rw"};
  EXPECT_EQ(file.read(0, {0, 4, 8}, 10), Cycle(13));
  EXPECT_EQ(file.read(1, {0}, 10), Cycle(11));
  EXPECT_EQ(file.read(2, {4}, 11), Cycle(12));
  EXPECT_EQ(file.write(0, {0}, 10), Cycle(10));
  EXPECT_EQ(file.write(1, {0}, 10), Cycle(10));
  EXPECT_EQ(file.counter_value("read_conflict_cycles"), 2u);
}

TEST(BankedOperands, WithinInstructionConflictsIgnorePredicates) {
  File file{"banks=1", "conflicts=within-instruction"};
  EXPECT_EQ(file.read(0, {kFirstPredicate, 3, kFirstPredicate + 1}, 10), Cycle(11));
  EXPECT_EQ(file.write(0, {kFirstPredicate, kFirstPredicate + 1, 3}, 20), Cycle(20));
}

TEST(BankedOperands, RejectsInvalidParameters) {
  EXPECT_THROW(File{"banks=0"}, InputError);
  EXPECT_THROW(File{"banks=65"}, InputError);
  EXPECT_THROW(File{"collectors=0"}, InputError);
}

}  // namespace
}  // namespace heddle::sm
