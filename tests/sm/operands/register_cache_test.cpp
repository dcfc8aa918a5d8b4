// A cache of registers under short sequences of instructions, whose every access is counted by hand
// (Gebhart's dissertation on on-chip storage for throughput processors, section 5.2).

#include <gtest/gtest.h>

#include "sm/operands/issued_code.h"

namespace heddle::sm::test {
namespace {

// -- which entry makes room -----------------------------------------------------------------------

IssuedCode with_replacement(const char* replacement, std::vector<Instruction> instructions) {
  return {{"policy=register-cache", "main=flat", "entries=2", "checked=yes", replacement},
          std::move(instructions)};
}

TEST(RegisterCacheReplacement, OfTheOldestGoesByWhenItWasMade) {
  // 3 drives R0 out, which 2 has read; 4 and 5 read it from the main file.
  with_replacement("replacement=fifo",
                   {set(0), set(1), compare(0), set(2), compare(0), compare(0), compare(1)})
      .issue_all(0, 6)
      .expect({{"upper_reads_private", 2},
               {"reads", 2},
               {"written_back", 1},
               {"writes", 1},
               {"wrong_values", 0}});
}

TEST(RegisterCacheReplacement, OfTheLeastRecentlyUsedGoesByItsReads) {
  // 3 drives R1 out, as 2 has read R0.
  with_replacement("replacement=lru",
                   {set(0), set(1), compare(0), set(2), compare(0), compare(0), compare(1)})
      .issue_all(0, 6)
      .expect({{"upper_reads_private", 3},
               {"reads", 1},
               {"written_back", 1},
               {"writes", 1},
               {"wrong_values", 0}});
}

TEST(RegisterCacheReplacement, GoesByWritesWhereItGoesByUse) {
  const std::vector<Instruction> instructions{set(0),     set(1),     set(0),    set(2),
                                              compare(0), compare(0), compare(1)};
  // 3 drives R0 out, though 2 has written it again.
  with_replacement("replacement=fifo", instructions)
      .issue_all(0, 6)
      .expect({{"upper_reads_private", 1}, {"reads", 2}, {"wrong_values", 0}});
  with_replacement("replacement=lru", instructions)
      .issue_all(0, 6)
      .expect({{"upper_reads_private", 2}, {"reads", 1}, {"wrong_values", 0}});
}

// -- threads that have parted, and guards ---------------------------------------------------------

IssuedCode of_one_entry(std::vector<Instruction> instructions) {
  return {{"policy=register-cache", "main=flat", "entries=1", "checked=yes"},
          std::move(instructions)};
}

TEST(RegisterCacheOfPartedThreads, HasOnEachSideWhatThatSideWrote) {
  IssuedCode code = of_one_entry({set(0), set(1), set(2), compare(1), compare(2)});
  code.issue(0).issue(1, kLow);
  code.expect({{"written_back", 1}, {"writes", 1}});
  // The other side needs the entry: what the first one wrote goes to the main file.
  code.issue(2, kHigh);
  code.expect({{"written_back", 2}, {"writes", 2}, {"upper_writes_private", 3}});
  code.issue(3, kLow);
  code.expect({{"upper_reads_private", 0}, {"reads", 1}});
  code.issue(4, kHigh);
  code.expect({{"upper_reads_private", 1}, {"reads", 1}});
  code.issue(4, kLow);
  code.expect({{"upper_reads_private", 1}, {"reads", 2}, {"split_reads", 0}});
  // Together again, they have the register half here, half there.
  code.issue(4);
  code.expect({{"upper_reads_private", 2}, {"reads", 3}, {"split_reads", 1}, {"wrong_values", 0}});
}

TEST(RegisterCacheOfPartedThreads, LosesOfAnEntryWhatOneSideLoads) {
  IssuedCode code = of_one_entry({set(0), load(0), compare(0), set(1)});
  code.issue(0).issue(1, kLow).issue(2);
  code.expect({{"upper_reads_private", 1}, {"reads", 1}, {"split_reads", 1}, {"writes", 1}});
  // The other half is still to be written back.
  code.issue(3);
  code.expect({{"written_back", 1}, {"writes", 2}});
  code.issue(2);
  code.expect({{"upper_reads_private", 1}, {"reads", 2}, {"split_reads", 1}, {"wrong_values", 0}});
}

TEST(RegisterCacheOfPartedThreads, LoadsNothingOverAValueThatOneSideLoadsWhole) {
  IssuedCode code = of_one_entry({set(0), load(0), set(1)});
  code.issue(0).issue(1).issue(2);
  code.expect({{"written_back", 0}, {"writes", 1}});
}

TEST(RegisterCacheOfPartedThreads, WritesBackWhatOneSideMayStillRead) {
  for (const bool both_are_done : {false, true}) {
    IssuedCode code = of_one_entry({set(0), compare(0, true), set(1), compare(0)});
    code.issue(0).issue(1, kLow);
    if (both_are_done) code.issue(1, kHigh);
    code.issue(2);
    code.expect({{"written_back", both_are_done ? 0 : 1}, {"writes", both_are_done ? 0 : 1}});
    if (!both_are_done) code.issue(3, kHigh);
    code.expect({{"wrong_values", 0}});
  }
}

TEST(RegisterCacheUnderAGuard, HasTheLanesThatWereWritten) {
  IssuedCode code = of_one_entry({set(0), compare(0), store(0)});
  code.issue(0, kAll, kLow).issue(1);
  code.expect({{"upper_reads_private", 1}, {"reads", 1}, {"split_reads", 1}});
  code.suspend();
  code.expect({{"written_back", 1}, {"writes", 1}});
  code.issue(2);
  code.expect({{"upper_reads_shared", 0}, {"reads", 2}, {"split_reads", 1}, {"wrong_values", 0}});
}

TEST(RegisterCacheUnderAGuard, MergesWhatSomeLanesWriteIntoTheEntry) {
  IssuedCode code = of_one_entry({set(0), compare(0)});
  code.issue(0).issue(0, kAll, kLow).issue(1).suspend().issue(1);
  code.expect({{"upper_writes_private", 2},
               {"upper_reads_private", 1},
               {"split_reads", 0},
               {"written_back", 1},
               {"reads", 1},
               {"wrong_values", 0}});
}

TEST(RegisterCacheUnderAGuard, GivesNoEntryToWhatNobodyWrites) {
  IssuedCode code = of_one_entry({set(0), set(1), compare(0)});
  code.issue(0).issue(1, kAll, kNone).issue(2);
  code.expect(
      {{"upper_reads_private", 1}, {"reads", 0}, {"written_back", 0}, {"upper_writes_private", 2}});
}

TEST(RegisterCacheUnderAGuard, ReadsTheOperandsOfWhatNobodyExecutesWhereTheyAre) {
  IssuedCode code = of_one_entry({set(0), compare(0), compare(1)});
  code.issue(0).issue(1, kAll, kNone).issue(2, kAll, kNone);
  code.expect({{"upper_reads_private", 1}, {"reads", 1}, {"split_reads", 0}});
}

// -- what is read gets an entry -------------------------------------------------------------------

IssuedCode that_keeps_reads(std::vector<Instruction> instructions) {
  return {{"policy=register-cache", "main=flat", "entries=2", "allocate=results-and-reads",
           "checked=yes"},
          std::move(instructions)};
}

TEST(RegisterCacheFills, AreOfLanesThatReadFromTheMainFile) {
  IssuedCode code = that_keeps_reads({compare(0), set(1)});
  // A guard that holds all threads back lets nothing be kept.
  code.issue(0, kAll, kNone);
  code.expect({{"reads", 1}, {"fills_private", 0}});
  code.issue(0, kLow);
  code.expect({{"reads", 2}, {"fills_private", 1}, {"upper_reads_private", 0}});
  code.issue(0);
  code.expect({{"reads", 3}, {"fills_private", 2}, {"upper_reads_private", 1}, {"split_reads", 1}});
  code.issue(0);
  code.expect({{"reads", 3}, {"fills_private", 2}, {"upper_reads_private", 2}, {"split_reads", 1}});
}

TEST(RegisterCacheFills, AreNotWrittenBack) {
  IssuedCode code = that_keeps_reads({compare(0), set(1), set(2), compare(0)});
  code.issue_all(0, 3).suspend();
  code.expect({{"fills_private", 2}, {"reads", 2}, {"written_back", 2}, {"writes", 2}});
}

// -- branches back --------------------------------------------------------------------------------

/// 0 is ahead of a loop; 1 to 3 are two rounds of it, 4 is behind it, 5 goes on ahead.
IssuedCode loop(const char* flush) {
  IssuedCode code{{"policy=register-cache", "main=flat", "entries=3", "checked=yes", flush},
                  {set(0), add(1, 0, 0), add(0, 1, 1), jump(1), add(2, 0, 0), jump(6), compare(2)}};
  code.issue_all(0, 3).issue_all(1, 3).issue_all(4, 6);
  return code;
}

TEST(RegisterCacheFlushes, AtABranchBackWhereItIsToldTo) {
  // Each round writes R0 and R1, which are not marked as dead, back; the jump ahead writes nothing.
  loop("flush_at_backward_branches=yes")
      .expect({{"upper_reads_private", 1 + 1 + 0 + 1 + 0 + 1},
               {"reads", 0 + 0 + 1 + 0 + 1 + 0},
               {"written_back", 2 + 2},
               {"writes", 4},
               {"suspensions", 0},
               {"wrong_values", 0}});
}

TEST(RegisterCacheFlushes, AtNoBranchOtherwise) {
  loop("flush_at_backward_branches=no")
      .expect({{"upper_reads_private", 6}, {"reads", 0}, {"written_back", 0}, {"writes", 0}});
}

// -- marks that are wrong -------------------------------------------------------------------------

TEST(RegisterCacheCheck, CatchesAValueThatWasMarkedAsReadForTheLastTime) {
  for (const bool is_marked : {false, true}) {
    IssuedCode code = of_one_entry({set(0), compare(0, is_marked), set(1), compare(0)});
    code.issue_all(0, 3);
    code.expect({{"written_back", is_marked ? 0 : 1}, {"wrong_values", is_marked ? 32 : 0}});
  }
}

}  // namespace
}  // namespace heddle::sm::test
