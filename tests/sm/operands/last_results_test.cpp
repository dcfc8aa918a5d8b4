// An entry for the last result above a cache of registers, under short sequences of instructions
// whose every access is counted by hand (Gebhart's dissertation on on-chip storage for throughput
// processors, section 6.5.2).

#include <gtest/gtest.h>

#include "sm/operands/issued_code.h"

namespace heddle::sm::test {
namespace {

constexpr LaneMask kFirstQuarter(0x000000ffU);
constexpr LaneMask kSecondQuarter(0x0000ff00U);

IssuedCode above_a_cache(std::vector<Instruction> instructions, const char* entries = "entries=2") {
  return {{"policy=register-cache", "main=flat", entries, "last_results=1", "checked=yes"},
          std::move(instructions)};
}
/// Of the special-function unit, whose results go to the cache.
Instruction sine(std::uint32_t to) {
  Instruction sine = instruction_of(Operation::sin, {Operand::reg(to)}, {Operand::constant(0)});
  sine.type = ValueType::f32;
  return sine;
}

TEST(LastResult, IsReadUntilTheNextOneComes) {
  IssuedCode code = above_a_cache({set(0), compare(0), set(1), compare(0), compare(1)});
  code.issue_all(0, 4);
  code.expect({{"last_writes", 2},
               {"last_reads", 2},
               {"fallen", 1},
               {"upper_reads_private", 1},
               {"upper_writes_private", 0},
               {"reads", 0},
               {"writes", 0},
               {"wrong_values", 0}});
}

TEST(LastResult, ThatIsDeadFallsNowhere) {
  IssuedCode code = above_a_cache({set(0), compare(0, true), set(1)});
  code.issue_all(0, 2);
  code.expect({{"last_reads", 1}, {"fallen", 0}});
}

TEST(LastResult, ThatIsDeadForSomeFallsForTheOthers) {
  IssuedCode code = above_a_cache({set(0), compare(0, true), set(1)});
  code.issue(0).issue(1, kLow).issue(2);
  code.expect({{"fallen", 1}});
  // Now it is dead for those, too, for whom it fell.
  code.issue(1, kHigh).suspend();
  code.expect({{"upper_reads_private", 1}, {"written_back", 0}, {"last_written_back", 1}});
  code.expect({{"wrong_values", 0}});
}

TEST(LastResult, FallsToTheCacheAsASharedUnitReadsIt) {
  IssuedCode code = above_a_cache({set(0), store(0), compare(0)});
  code.issue_all(0, 1);
  code.expect({{"fallen", 1}, {"last_reads", 0}, {"upper_reads_shared", 1}});
  code.issue(2);
  code.expect({{"last_reads", 0}, {"upper_reads_private", 1}, {"reads", 0}, {"wrong_values", 0}});
}

TEST(LastResult, IsNoneAnyMoreWhereTheRegisterIsWrittenToTheCache) {
  IssuedCode code = above_a_cache({set(0), sine(0), compare(0)});
  code.issue_all(0, 2);
  code.expect({{"upper_writes_shared", 1},
               {"last_reads", 0},
               {"upper_reads_private", 1},
               {"wrong_values", 0}});
}

TEST(LastResult, IsNoneAnyMoreWhereTheRegisterIsLoaded) {
  IssuedCode code = above_a_cache({set(0), load(0), compare(0)});
  code.issue_all(0, 2);
  code.expect({{"last_reads", 0}, {"reads", 1}, {"wrong_values", 0}});
}

TEST(LastResult, FreesTheRegistersEntryInTheCache) {
  // R0 falls as 1 comes; 2 makes it anew, and so R1 finds the one entry free.
  IssuedCode code = above_a_cache({set(0), set(1), set(0), compare(1), compare(0)}, "entries=1");
  code.issue_all(0, 4);
  code.expect({{"fallen", 2},
               {"written_back", 0},
               {"writes", 0},
               {"upper_reads_private", 1},
               {"last_reads", 1},
               {"wrong_values", 0}});
}

TEST(LastResult, IsWrittenBackAsTheWarpIsSuspended) {
  IssuedCode code = above_a_cache({set(0), set(1), add(2, 0, 1)});
  code.issue_all(0, 1).suspend();
  code.expect({{"last_written_back", 1}, {"written_back", 1}, {"writes", 2}});
  code.issue(2);
  code.expect({{"last_reads", 0}, {"upper_reads_private", 0}, {"reads", 2}, {"wrong_values", 0}});
}

TEST(LastResult, OfPartedThreadsMayHaveARegisterInThreeLevels) {
  IssuedCode code = above_a_cache({set(0), set(1), compare(0)});
  // The first quarter's R0 falls to the cache; the second's is the last result of its threads, and
  // R1 falls; the rest have R0 in the main file.
  code.issue(0, kFirstQuarter).issue(1, kFirstQuarter).issue(0, kSecondQuarter);
  code.expect({{"fallen", 2}, {"last_writes", 3}});
  code.issue(2);
  code.expect({{"last_reads", 1}, {"upper_reads_private", 1}, {"reads", 1}, {"split_reads", 2}});
  code.expect({{"written_back", 0}, {"wrong_values", 0}});
}

}  // namespace
}  // namespace heddle::sm::test
