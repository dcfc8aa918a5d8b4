// A last-result file between the units and a register cache, both managed by hardware (Gebhart's
// dissertation on on-chip storage for throughput processors, section 6.5.2). The expected accesses
// of short instruction sequences were counted by hand.

#include <gtest/gtest.h>

#include "sm/operands/issued_code.h"

namespace heddle::sm::test {
namespace {

IssuedCode with_last_result(std::vector<Instruction> instructions) {
  return {{"policy=register-cache", "main=flat", "entries=2", "last_results=1", "check_values=yes"},
          std::move(instructions)};
}

TEST(LastResultFile, EvictsToCacheAndBothLevelsAreWrittenBack) {
  IssuedCode code = with_last_result({set(0), set(1), compare(1), compare(0)});
  code.issue_all(0, 1);
  code.expect({{"last_writes", 2}, {"operand_file_writes_private", 0}, {"demoted", 1}});
  code.issue_all(2, 3);
  code.expect({{"last_reads", 1}, {"operand_file_reads_private", 1}, {"reads", 0}});
  code.suspend();
  code.expect({{"written_back", 1}, {"last_written_back", 1}, {"writes", 2}});
  code.issue_all(2, 3);
  code.expect(
      {{"last_reads", 1}, {"operand_file_reads_private", 1}, {"reads", 2}, {"wrong_values", 0}});
}

TEST(LastResultFile, DropsDeadValue) {
  IssuedCode code = with_last_result({set(0), compare(0, true), set(1)});
  code.issue_all(0, 2).suspend();
  code.expect({{"demoted", 0}, {"written_back", 0}, {"last_written_back", 1}, {"writes", 1}});
}

TEST(LastResultFile, KeepsValueThatIsDeadInSomeLanesOnly) {
  IssuedCode code = with_last_result({set(0), compare(0, true), set(1)});
  code.issue(0).issue(1, kLow).issue(2);
  code.expect({{"demoted", 1}});
  // Now the value is dead in the other lanes as well.
  code.issue(1, kHigh).suspend();
  code.expect({{"operand_file_reads_private", 1}, {"written_back", 0}, {"last_written_back", 1}});
  code.expect({{"wrong_values", 0}});
}

TEST(LastResultFile, MovesToCacheWhenSharedUnitReads) {
  IssuedCode code = with_last_result({set(0), store(0), compare(0)});
  code.issue(0).issue(1);
  code.expect(
      {{"demoted", 1}, {"last_reads", 0}, {"operand_file_reads_shared", 1}, {"split_reads", 0}});
  code.issue(2);
  code.expect({{"last_reads", 0}, {"operand_file_reads_private", 1}, {"wrong_values", 0}});
}

TEST(LastResultFile, TracksLanesThatWroteTheValue) {
  IssuedCode code = with_last_result({set(0), set(1), compare(0), load(0)});
  code.issue(0).issue(1).issue(0, kLow);
  // The low lanes of R0 are in the last-result file and no longer in the cache; R1 has moved to the
  // cache.
  code.expect({{"demoted", 2}});
  code.issue(2, kLow);
  code.expect({{"last_reads", 1}, {"operand_file_reads_private", 0}, {"split_reads", 0}});
  code.issue(2, kHigh);
  code.expect({{"last_reads", 1}, {"operand_file_reads_private", 1}, {"split_reads", 0}});
  code.issue(2);
  code.expect(
      {{"last_reads", 2}, {"operand_file_reads_private", 2}, {"split_reads", 1}, {"reads", 0}});
  // Some lanes of both levels load R0 again, so that each of the three levels has R0 of some lanes.
  code.issue(3, LaneMask(0x00ffff00U)).issue(2);
  code.expect(
      {{"last_reads", 3}, {"operand_file_reads_private", 3}, {"split_reads", 3}, {"reads", 1}});
  code.suspend().issue(2);
  code.expect({{"last_written_back", 1}, {"written_back", 2}, {"reads", 2}, {"wrong_values", 0}});
}

TEST(LastResultFile, NewResultInvalidatesCacheEntry) {
  IssuedCode code = with_last_result({set(0), set(1)});
  code.issue(0).issue(1).issue(0).suspend();
  code.expect({{"demoted", 2}, {"written_back", 1}, {"last_written_back", 1}, {"writes", 2}});
}

TEST(LastResultFile, CacheWriteInvalidatesLastResult) {
  // A special function writes the cache. The last-result file's value of R0 is then older.
  Instruction sine = set(0);
  sine.operation = Operation::sin;
  IssuedCode code = with_last_result({set(0), sine, compare(0)});
  code.issue(0).issue(1, kHigh).issue(2, kHigh);
  code.expect(
      {{"operand_file_writes_shared", 1}, {"last_reads", 0}, {"operand_file_reads_private", 1}});
  code.issue(2, kLow);
  code.expect({{"last_reads", 1}, {"operand_file_reads_private", 1}, {"wrong_values", 0}});
}

}  // namespace
}  // namespace heddle::sm::test
