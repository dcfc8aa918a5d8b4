// The register cache (Gebhart's dissertation on on-chip storage for throughput processors, section
// 5.2) with short instruction sequences. Their accesses were counted by hand.

#include <gtest/gtest.h>

#include "sm/operands/issued_code.h"

namespace heddle::sm::test {
namespace {

// -- replacement ----------------------------------------------------------------------------------

IssuedCode with_replacement(const char* replacement, std::vector<Instruction> instructions) {
  return {{"policy=register-cache", "main=flat", "entries=2", "check_values=yes", replacement},
          std::move(instructions)};
}

TEST(RegisterCacheReplacement, FifoEvictsOldestEntry) {
  // Instruction 3 evicts R0, which 2 has read; 4 and 5 read it from the main file.
  with_replacement("replacement=fifo",
                   {set(0), set(1), compare(0), set(2), compare(0), compare(0), compare(1)})
      .issue_all(0, 6)
      .expect({{"operand_file_reads_private", 2},
               {"reads", 2},
               {"written_back", 1},
               {"writes", 1},
               {"wrong_values", 0}});
}

TEST(RegisterCacheReplacement, LruCountsReadsAsUses) {
  // Instruction 3 evicts R1, because 2 has read R0.
  with_replacement("replacement=lru",
                   {set(0), set(1), compare(0), set(2), compare(0), compare(0), compare(1)})
      .issue_all(0, 6)
      .expect({{"operand_file_reads_private", 3},
               {"reads", 1},
               {"written_back", 1},
               {"writes", 1},
               {"wrong_values", 0}});
}

TEST(RegisterCacheReplacement, LruCountsWritesAsUses) {
  const std::vector<Instruction> instructions{set(0),     set(1),     set(0),    set(2),
                                              compare(0), compare(0), compare(1)};
  // FIFO: instruction 3 evicts R0, although 2 has written it again.
  with_replacement("replacement=fifo", instructions)
      .issue_all(0, 6)
      .expect({{"operand_file_reads_private", 1}, {"reads", 2}, {"wrong_values", 0}});
  with_replacement("replacement=lru", instructions)
      .issue_all(0, 6)
      .expect({{"operand_file_reads_private", 2}, {"reads", 1}, {"wrong_values", 0}});
}

// -- suspension -----------------------------------------------------------------------------------

TEST(RegisterCacheSuspension, KeepsEntriesAtBarriersOnRequest) {
  for (const bool is_kept : {false, true}) {
    const char* const keep = is_kept ? "keep_at_barriers=yes" : "keep_at_barriers=no";
    IssuedCode code = with_replacement(keep, {set(0), compare(0)});
    code.issue(0).suspend(WaitReason::barrier).activate();
    code.expect({{"suspensions", is_kept ? 0 : 1}, {"written_back", is_kept ? 0 : 1}});
    code.issue(1);
    code.expect({{"operand_file_reads_private", is_kept ? 1 : 0}, {"wrong_values", 0}});
  }
}

TEST(RegisterCacheSuspension, WritesKeptEntriesBackWhenWarpWaitsForMemory) {
  IssuedCode code = with_replacement("keep_at_barriers=yes", {set(0), compare(0)});
  code.issue(0).suspend(WaitReason::barrier).wait_again(WaitReason::barrier);
  code.expect({{"suspensions", 0}, {"written_back", 0}});
  code.wait_again(WaitReason::long_latency_result).wait_again(WaitReason::fence).issue(1);
  code.expect({{"suspensions", 1}, {"written_back", 1}, {"reads", 1}, {"wrong_values", 0}});
}

// -- divergence and guards ------------------------------------------------------------------------

IssuedCode with_one_entry(std::vector<Instruction> instructions) {
  return {{"policy=register-cache", "main=flat", "entries=1", "check_values=yes"},
          std::move(instructions)};
}

TEST(RegisterCacheDivergence, EachSideHitsOnItsOwnWritesOnly) {
  IssuedCode code = with_one_entry({set(0), set(1), set(2), compare(1), compare(2)});
  code.issue(0).issue(1, kLow);
  code.expect({{"written_back", 1}, {"writes", 1}});
  // The other side needs the entry, so the first side's value is written back.
  code.issue(2, kHigh);
  code.expect({{"written_back", 2}, {"writes", 2}, {"operand_file_writes_private", 3}});
  code.issue(3, kLow);
  code.expect({{"operand_file_reads_private", 0}, {"reads", 1}});
  code.issue(4, kHigh);
  code.expect({{"operand_file_reads_private", 1}, {"reads", 1}});
  code.issue(4, kLow);
  code.expect({{"operand_file_reads_private", 1}, {"reads", 2}, {"split_reads", 0}});
  // After reconvergence, half of the lanes are in the cache and half in the main file.
  code.issue(4);
  code.expect(
      {{"operand_file_reads_private", 2}, {"reads", 3}, {"split_reads", 1}, {"wrong_values", 0}});
}

TEST(RegisterCacheDivergence, LoadInvalidatesItsLanesOnly) {
  IssuedCode code = with_one_entry({set(0), load(0), compare(0), set(1)});
  code.issue(0).issue(1, kLow).issue(2);
  code.expect({{"operand_file_reads_private", 1}, {"reads", 1}, {"split_reads", 1}, {"writes", 1}});
  // The other half is still to be written back.
  code.issue(3);
  code.expect({{"written_back", 1}, {"writes", 2}});
  code.issue(2);
  code.expect(
      {{"operand_file_reads_private", 1}, {"reads", 2}, {"split_reads", 1}, {"wrong_values", 0}});
}

TEST(RegisterCacheDivergence, LoadOfAllLanesDropsDirtyValue) {
  IssuedCode code = with_one_entry({set(0), load(0), set(1)});
  code.issue(0).issue(1).issue(2);
  code.expect({{"written_back", 0}, {"writes", 1}});
}

TEST(RegisterCacheDivergence, WritesBackUntilValueIsDeadOnBothSides) {
  for (const bool is_dead_on_both_sides : {false, true}) {
    IssuedCode code = with_one_entry({set(0), compare(0, true), set(1), compare(0)});
    code.issue(0).issue(1, kLow);
    if (is_dead_on_both_sides) code.issue(1, kHigh);
    code.issue(2);
    code.expect({{"written_back", is_dead_on_both_sides ? 0 : 1},
                 {"writes", is_dead_on_both_sides ? 0 : 1}});
    if (!is_dead_on_both_sides) code.issue(3, kHigh);
    code.expect({{"wrong_values", 0}});
  }
}

TEST(RegisterCacheGuards, OnlyWrittenLanesAreValid) {
  IssuedCode code = with_one_entry({set(0), compare(0), store(0)});
  code.issue(0, kAll, kLow).issue(1);
  code.expect({{"operand_file_reads_private", 1}, {"reads", 1}, {"split_reads", 1}});
  code.suspend();
  code.expect({{"written_back", 1}, {"writes", 1}});
  code.issue(2);
  code.expect(
      {{"operand_file_reads_shared", 0}, {"reads", 2}, {"split_reads", 1}, {"wrong_values", 0}});
}

TEST(RegisterCacheGuards, PartialWriteMergesIntoEntry) {
  IssuedCode code = with_one_entry({set(0), compare(0)});
  code.issue(0).issue(0, kAll, kLow).issue(1).suspend().issue(1);
  code.expect({{"operand_file_writes_private", 2},
               {"operand_file_reads_private", 1},
               {"split_reads", 0},
               {"written_back", 1},
               {"reads", 1},
               {"wrong_values", 0}});
}

TEST(RegisterCacheGuards, WriteOfNoLanesGetsNoEntry) {
  IssuedCode code = with_one_entry({set(0), set(1), compare(0)});
  code.issue(0).issue(1, kAll, kNone).issue(2);
  code.expect({{"operand_file_reads_private", 1},
               {"reads", 0},
               {"written_back", 0},
               {"operand_file_writes_private", 2}});
}

TEST(RegisterCacheGuards, ReadsOperandsOfInstructionWithoutActiveLanes) {
  IssuedCode code = with_one_entry({set(0), compare(0), compare(1)});
  code.issue(0).issue(1, kAll, kNone).issue(2, kAll, kNone);
  code.expect({{"operand_file_reads_private", 1}, {"reads", 1}, {"split_reads", 0}});
}

// -- allocation on reads --------------------------------------------------------------------------

IssuedCode allocating_on_reads(std::vector<Instruction> instructions) {
  return {{"policy=register-cache", "main=flat", "entries=2", "allocate=results-and-reads",
           "check_values=yes"},
          std::move(instructions)};
}

TEST(RegisterCacheFills, FillLanesThatReadFromMainFile) {
  IssuedCode code = allocating_on_reads({compare(0), set(1)});
  // Without active lanes, nothing is filled.
  code.issue(0, kAll, kNone);
  code.expect({{"reads", 1}, {"fills_private", 0}});
  code.issue(0, kLow);
  code.expect({{"reads", 2}, {"fills_private", 1}, {"operand_file_reads_private", 0}});
  code.issue(0);
  code.expect(
      {{"reads", 3}, {"fills_private", 2}, {"operand_file_reads_private", 1}, {"split_reads", 1}});
  code.issue(0);
  code.expect(
      {{"reads", 3}, {"fills_private", 2}, {"operand_file_reads_private", 2}, {"split_reads", 1}});
}

TEST(RegisterCacheFills, AreNotWrittenBack) {
  IssuedCode code = allocating_on_reads({compare(0), set(1), set(2), compare(0)});
  code.issue_all(0, 3).suspend();
  code.expect({{"fills_private", 2}, {"reads", 2}, {"written_back", 2}, {"writes", 2}});
}

// -- backward branches ----------------------------------------------------------------------------

/// Instruction 0 comes before a loop, instructions 1 to 3 are the loop (two iterations), and 4 to 6
/// come after it. Instruction 5 is a forward branch.
IssuedCode loop(const char* flush) {
  IssuedCode code{{"policy=register-cache", "main=flat", "entries=3", "check_values=yes", flush},
                  {set(0), add(1, 0, 0), add(0, 1, 1), jump(1), add(2, 0, 0), jump(6), compare(2)}};
  code.issue_all(0, 3).issue_all(1, 3).issue_all(4, 6);
  return code;
}

TEST(RegisterCacheFlushes, AtBackwardBranchIfEnabled) {
  // Each iteration writes back R0 and R1, which are not marked as dead. The forward branch writes
  // nothing back.
  loop("flush_at_backward_branches=yes")
      .expect({{"operand_file_reads_private", 1 + 1 + 0 + 1 + 0 + 1},
               {"reads", 0 + 0 + 1 + 0 + 1 + 0},
               {"written_back", 2 + 2},
               {"writes", 4},
               {"suspensions", 0},
               {"wrong_values", 0}});
}

TEST(RegisterCacheFlushes, AtNoBranchByDefault) {
  loop("flush_at_backward_branches=no")
      .expect(
          {{"operand_file_reads_private", 6}, {"reads", 0}, {"written_back", 0}, {"writes", 0}});
}

// -- wrong marks ----------------------------------------------------------------------------------

TEST(RegisterCacheCheck, FindsReadAfterMarkedLastRead) {
  for (const bool is_marked : {false, true}) {
    IssuedCode code = with_one_entry({set(0), compare(0, is_marked), set(1), compare(0)});
    code.issue_all(0, 3);
    code.expect({{"written_back", is_marked ? 0 : 1}, {"wrong_values", is_marked ? 32 : 0}});
  }
}

}  // namespace
}  // namespace heddle::sm::test
