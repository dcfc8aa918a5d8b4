// A file of last results above a cache of registers, both managed by hardware, under short
// sequences of instructions whose every access is counted by hand (Gebhart's dissertation on
// on-chip storage for throughput processors, section 6.5.2).

#include <gtest/gtest.h>

#include "sm/operands/issued_code.h"

namespace heddle::sm::test {
namespace {

IssuedCode with_last_result(std::vector<Instruction> instructions) {
  return {{"policy=register-cache", "main=flat", "entries=2", "last_results=1", "checked=yes"},
          std::move(instructions)};
}

TEST(LastResultsOfACache, FallAndAreWrittenBackFromBothLevels) {
  IssuedCode code = with_last_result({set(0), set(1), compare(1), compare(0)});
  code.issue_all(0, 1);
  code.expect({{"last_writes", 2}, {"upper_writes_private", 0}, {"fallen", 1}});
  code.issue_all(2, 3);
  code.expect({{"last_reads", 1}, {"upper_reads_private", 1}, {"reads", 0}});
  code.suspend();
  code.expect({{"written_back", 1}, {"last_written_back", 1}, {"writes", 2}});
  code.issue_all(2, 3);
  code.expect({{"last_reads", 1}, {"upper_reads_private", 1}, {"reads", 2}, {"wrong_values", 0}});
}

TEST(LastResultsOfACache, FallNowhereOnceTheyAreDead) {
  IssuedCode code = with_last_result({set(0), compare(0, true), set(1)});
  code.issue_all(0, 2).suspend();
  code.expect({{"fallen", 0}, {"written_back", 0}, {"last_written_back", 1}, {"writes", 1}});
}

TEST(LastResultsOfACache, FallForThoseForWhomTheyAreNotDead) {
  IssuedCode code = with_last_result({set(0), compare(0, true), set(1)});
  code.issue(0).issue(1, kLow).issue(2);
  code.expect({{"fallen", 1}});
  // Now it is dead for those, too, for whom it fell.
  code.issue(1, kHigh).suspend();
  code.expect({{"upper_reads_private", 1}, {"written_back", 0}, {"last_written_back", 1}});
  code.expect({{"wrong_values", 0}});
}

TEST(LastResultsOfACache, FallAsAUnitReadsThemThatCannotReachThem) {
  IssuedCode code = with_last_result({set(0), store(0), compare(0)});
  code.issue(0).issue(1);
  code.expect({{"fallen", 1}, {"last_reads", 0}, {"upper_reads_shared", 1}, {"split_reads", 0}});
  code.issue(2);
  code.expect({{"last_reads", 0}, {"upper_reads_private", 1}, {"wrong_values", 0}});
}

TEST(LastResultsOfACache, AreOfTheLanesThatMadeThem) {
  IssuedCode code = with_last_result({set(0), set(1), compare(0), load(0)});
  code.issue(0).issue(1).issue(0, kLow);
  // The low lanes of R0 are a last result, and no longer in the cache; R1 has fallen.
  code.expect({{"fallen", 2}});
  code.issue(2, kLow);
  code.expect({{"last_reads", 1}, {"upper_reads_private", 0}, {"split_reads", 0}});
  code.issue(2, kHigh);
  code.expect({{"last_reads", 1}, {"upper_reads_private", 1}, {"split_reads", 0}});
  code.issue(2);
  code.expect({{"last_reads", 2}, {"upper_reads_private", 2}, {"split_reads", 1}, {"reads", 0}});
  // Lanes of both load it anew, and all three levels have some.
  code.issue(3, LaneMask(0x00ffff00U)).issue(2);
  code.expect({{"last_reads", 3}, {"upper_reads_private", 3}, {"split_reads", 3}, {"reads", 1}});
  code.suspend().issue(2);
  code.expect({{"last_written_back", 1}, {"written_back", 2}, {"reads", 2}, {"wrong_values", 0}});
}

TEST(LastResultsOfACache, ReplaceWhatTheCacheHasOfTheRegister) {
  IssuedCode code = with_last_result({set(0), set(1)});
  code.issue(0).issue(1).issue(0).suspend();
  code.expect({{"fallen", 2}, {"written_back", 1}, {"last_written_back", 1}, {"writes", 2}});
}

TEST(LastResultsOfACache, MakeWayForTheSameRegisterInTheCache) {
  // A special function writes the cache: what the last-result file has of R0 is an older value.
  Instruction sine = set(0);
  sine.operation = Operation::sin;
  IssuedCode code = with_last_result({set(0), sine, compare(0)});
  code.issue(0).issue(1, kHigh).issue(2, kHigh);
  code.expect({{"upper_writes_shared", 1}, {"last_reads", 0}, {"upper_reads_private", 1}});
  code.issue(2, kLow);
  code.expect({{"last_reads", 1}, {"upper_reads_private", 1}, {"wrong_values", 0}});
}

}  // namespace
}  // namespace heddle::sm::test
