// Registers that an instruction does not access, because a redundancy policy excludes them.

#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>
#include <string_view>

#include "configure.h"
#include "sm/operands/issued_code.h"
#include "sm/operands/operand_access.h"

namespace heddle::sm::test {
namespace {

constexpr RegisterSelection kNoRegister = RegisterSelection::none();

/// Only the element of a list of registers at this position.
RegisterSelection only(std::size_t position) {
  RegisterSelection others = RegisterSelection::all();
  for (std::size_t i = 0; i < 64; ++i) {
    if (i != position) others = others.without(i);
  }
  return others;
}

/// R0 = R4 + R8: in a file with four banks, all three registers are in bank 0.
constexpr std::uint32_t kSum = 0;
const std::initializer_list<std::string_view> kFourBanks{"policy=banked", "banks=4",
                                                         "layout=register", "read_cycles=1"};

class OneInstruction {
 public:
  explicit OneInstruction(std::initializer_list<std::string_view> settings)
      : table_(program()),
        operands_(make_operands(configure<OperandDescription>(settings))),
        access_(*operands_) {}

  Cycle read(RegisterSelection reads, std::uint64_t now) {
    const IssuedInstruction issued{0, table_, table_[kSum], {.reads = reads}};
    return access_.read_sources(issued, {}, Pass{}, 0, Cycle(now));
  }
  Cycle write(RegisterSelection writes, std::uint64_t done) {
    return access_.write_results({0, table_, table_[kSum], {.writes = writes}}, Cycle(done));
  }
  Cycle free_from(std::uint64_t now) const { return access_.free_from(Cycle(now)); }
  std::uint64_t counter_value(std::string_view name) {
    CounterList list;
    operands_->declare(list);
    for (const Counter& counter : list.all()) {
      if (counter.name == name) return *counter.value;
    }
    ADD_FAILURE() << "no counter " << name;
    return 0;
  }

 private:
  static code::Program program() {
    code::Program program;
    program.instructions = {add(0, 4, 8)};
    return program;
  }

  IssueTable table_;
  std::unique_ptr<Operands> operands_;
  OperandAccess access_;
};

TEST(RegisterSelection, ContainsWhatWasNotExcluded) {
  EXPECT_TRUE(RegisterSelection::all().has_all());
  const RegisterSelection selection = RegisterSelection::all().without(3);
  EXPECT_FALSE(selection.has_all());
  EXPECT_FALSE(selection.contains(3));
  EXPECT_TRUE(selection.contains(2));
  EXPECT_TRUE((selection | only(3)).has_all());
  EXPECT_EQ(only(3) | kNoRegister, only(3));
}

TEST(SkippedAccesses, BookNoBank) {
  OneInstruction sum(kFourBanks);
  EXPECT_EQ(sum.read(RegisterSelection::all(), 10), Cycle(12));
  // The bank is busy until 12. A skipped read does not book it for 12.
  EXPECT_EQ(sum.read(kNoRegister, 12), Cycle(12));
  EXPECT_EQ(sum.read(only(1), 12), Cycle(13));
  EXPECT_EQ(sum.write(kNoRegister, 20), Cycle(20));
  EXPECT_EQ(sum.write(RegisterSelection::all(), 20), Cycle(20));
  EXPECT_EQ(sum.write(RegisterSelection::all(), 20), Cycle(21));
  EXPECT_EQ(sum.counter_value("read_conflict_cycles"), 1u);
  EXPECT_EQ(sum.counter_value("write_conflict_cycles"), 1u);
}

TEST(SkippedAccesses, OccupyNoCollectorIfNothingIsRead) {
  OneInstruction sum({"policy=banked", "banks=1", "collectors=1", "read_cycles=5"});
  EXPECT_EQ(sum.read(kNoRegister, 10), Cycle(10));
  EXPECT_EQ(sum.free_from(10), Cycle(10));
  EXPECT_EQ(sum.read(only(0), 10), Cycle(15));
  EXPECT_EQ(sum.free_from(10), Cycle(15));
}

TEST(SkippedAccesses, AreNotCounted) {
  for (const std::string_view policy : {"policy=flat", "policy=banked", "policy=value-use"}) {
    OneInstruction sum({policy, "watched=flat"});
    sum.read(only(1), 10);
    sum.read(kNoRegister, 20);
    sum.write(RegisterSelection::all(), 30);
    sum.write(kNoRegister, 40);
    EXPECT_EQ(sum.counter_value("reads"), 1u) << policy;
    EXPECT_EQ(sum.counter_value("writes"), 1u) << policy;
  }
}

TEST(SkippedAccesses, AccessNoLevelOfARegisterCache) {
  IssuedCode code({"policy=register-cache", "main=flat", "entries=2", "check_values=yes"},
                  {set(4), set(8), add(0, 4, 8), compare(0)});
  code.issue_all(0, 1);
  code.issue_accessing(2, {.reads = only(0), .writes = kNoRegister});
  code.expect(
      {{"reads", 0}, {"operand_file_reads_private", 1}, {"operand_file_writes_private", 2}});
}

TEST(SkippedAccesses, InvalidateOlderValueInARegisterCache) {
  IssuedCode code({"policy=register-cache", "main=flat", "entries=2", "check_values=yes"},
                  {set(0), add(0, 4, 8), compare(0), compare(0)});
  code.issue(0);
  code.issue_accessing(1, {.reads = kNoRegister, .writes = kNoRegister});
  code.issue(2);
  code.expect({{"operand_file_reads_private", 0}, {"reads", 1}, {"wrong_values", 0}});
}

TEST(SkippedAccesses, AccessNoLevelOfAManagedFile) {
  std::vector<code::InstructionPlacement> placement(3);
  placement[0].begins_strand = true;
  const code::UpperPlace entry{.level = code::RegisterLevel::operand, .entry = 0};
  placement[0].writes.push_back({.word = 4, .main = false, .upper = entry});
  placement[1].reads.push_back({.word = 4, .from = entry});
  placement[1].reads.push_back({.word = 8});
  placement[1].writes.push_back({.word = 0, .upper = entry});
  placement[2].reads.push_back({.word = 4, .from = entry});
  placement[2].reads.push_back({.word = 8});
  placement[2].writes.push_back({.word = 0, .upper = entry});
  IssuedCode code({"policy=managed", "main=flat"}, {set(4), add(0, 4, 8), add(0, 4, 8)}, placement);
  code.issue(0);
  code.issue_accessing(1, {.reads = only(1), .writes = kNoRegister});
  code.expect({{"reads", 1},
               {"writes", 0},
               {"operand_file_reads_private", 0},
               {"operand_file_writes_private", 1},
               {"duplicate_writes", 0}});
  code.issue(2);
  code.expect({{"reads", 2},
               {"writes", 1},
               {"operand_file_reads_private", 1},
               {"operand_file_writes_private", 2},
               {"duplicate_writes", 1}});
}

}  // namespace
}  // namespace heddle::sm::test
