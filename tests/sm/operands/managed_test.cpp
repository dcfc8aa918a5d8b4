// The compiler-managed operand file and last-result file (Gebhart's dissertation on on-chip storage
// for throughput processors, chapter 6). In short instruction sequences, values are placed by hand,
// correctly and wrongly.

#include <gtest/gtest.h>

#include "sm/operands/issued_code.h"

namespace heddle::sm::test {
namespace {

using code::InstructionPlacement;
using code::ReadPlace;
using code::RegisterLevel;
using code::UpperPlace;
using code::WritePlace;

constexpr UpperPlace kMain{};
constexpr UpperPlace operand(std::uint8_t entry) { return {RegisterLevel::operand, entry}; }
constexpr UpperPlace last_result(std::uint8_t slot) { return {RegisterLevel::last_result, slot}; }

InstructionPlacement placement_of(std::vector<ReadPlace> reads,
                                  std::vector<WritePlace> writes = {}) {
  InstructionPlacement placement;
  for (const ReadPlace& read : reads) placement.reads.push_back(read);
  for (const WritePlace& write : writes) placement.writes.push_back(write);
  return placement;
}
InstructionPlacement written_to(std::uint16_t word, UpperPlace upper, bool main = false) {
  return placement_of({}, {{.word = word, .main = main, .upper = upper}});
}
InstructionPlacement read_from(std::uint16_t word, UpperPlace from) {
  return placement_of({{.word = word, .from = from}});
}
InstructionPlacement in_new_strand(InstructionPlacement placement) {
  placement.begins_strand = true;
  return placement;
}

IssuedCode managed(std::vector<Instruction> instructions,
                   std::vector<InstructionPlacement> placement,
                   const char* lost = "active_only=yes") {
  return {{"policy=managed", "main=flat", "entries=2", "last_results=3", "check_values=yes", lost},
          std::move(instructions),
          std::move(placement)};
}

TEST(ManagedOperands, ReadAndWriteTheMarkedPlaces) {
  IssuedCode code =
      managed({set(0), add(1, 0, 2), store(1), store(0)},
              {written_to(0, last_result(2)),
               placement_of({{.word = 0, .from = last_result(2)}, {.word = 2}},
                            {{.word = 1, .main = true, .upper = operand(1), .live_out = true}}),
               read_from(1, operand(1)), read_from(0, last_result(2))});
  code.issue(0);
  code.expect(
      {{"last_writes", 1}, {"operand_file_writes_private", 0}, {"writes", 0}, {"live_outs", 0}});
  code.issue(1);
  code.expect({{"last_reads", 1}, {"reads", 1}, {"one_registers_from_main", 1}});
  code.expect({{"operand_file_writes_private", 1}, {"writes", 1}, {"duplicate_writes", 1}});
  code.expect({{"live_outs", 1}});
  code.issue(2).issue(3);
  code.expect(
      {{"operand_file_reads_shared", 1}, {"last_reads", 2}, {"reads", 1}, {"wrong_values", 0}});
}

TEST(ManagedOperands, FillUpperLevelsFromMainFile) {
  const std::vector<InstructionPlacement> placement{
      placement_of(
          {{.word = 0, .fill_place = operand(1)}, {.word = 2, .fill_place = last_result(0)}},
          {{.word = 1}}),
      placement_of({{.word = 0, .from = operand(1)}, {.word = 2, .from = last_result(0)}},
                   {{.word = 1}})};
  IssuedCode code = managed({add(1, 0, 2), add(1, 0, 2)}, placement);
  code.issue(0);
  code.expect(
      {{"fills_private", 1}, {"last_fills", 1}, {"reads", 2}, {"two_registers_from_main", 1}});
  code.issue(1);
  code.expect(
      {{"operand_file_reads_private", 1}, {"last_reads", 1}, {"reads", 2}, {"wrong_values", 0}});
}

TEST(ManagedOperands, AreLostWhenWarpIsSuspended) {
  for (const bool is_lost : {true, false}) {
    IssuedCode code =
        managed({set(0), compare(0)}, {written_to(0, operand(0)), read_from(0, operand(0))},
                is_lost ? "active_only=yes" : "active_only=no");
    code.issue(0).suspend().issue(1);
    code.expect({{"suspensions", 1}, {"wrong_values", is_lost ? 32 : 0}});
  }
}

TEST(ManagedOperands, AreKeptAtBarriersOnRequest) {
  const std::vector<InstructionPlacement> placement{written_to(0, operand(0)),
                                                    read_from(0, operand(0))};
  for (const bool is_kept : {false, true}) {
    const char* const keep = is_kept ? "keep_at_barriers=yes" : "keep_at_barriers=no";
    IssuedCode at_barrier = managed({set(0), compare(0)}, placement, keep);
    at_barrier.issue(0).suspend(WaitReason::barrier).issue(1);
    at_barrier.expect({{"suspensions", is_kept ? 0 : 1}, {"wrong_values", is_kept ? 0 : 32}});
    // The values are lost if the warp waits for memory before it is active again.
    IssuedCode at_load = managed({set(0), compare(0)}, placement, keep);
    at_load.issue(0).suspend(WaitReason::barrier).wait_again(WaitReason::barrier);
    at_load.wait_again(WaitReason::long_latency_result).issue(1);
    at_load.expect({{"suspensions", 1}, {"wrong_values", 32}});
  }
  // Once it is active, its next wait is a suspension.
  IssuedCode code = managed({set(0), compare(0)}, placement, "keep_at_barriers=yes");
  code.issue(0).suspend(WaitReason::barrier).activate().wait_again(WaitReason::fence).issue(1);
  code.expect({{"suspensions", 0}, {"wrong_values", 0}});
}

TEST(ManagedOperands, AreLostWhenStrandBegins) {
  IssuedCode code = managed({set(0), compare(0)},
                            {written_to(0, operand(0)), in_new_strand(read_from(0, operand(0)))});
  code.issue(0).issue(1, kLow);
  code.expect({{"wrong_values", 16}});
}

TEST(ManagedOperands, CheckFindsReadOfPlaceThatWasNotWritten) {
  const auto wrong = [](const InstructionPlacement& write, const InstructionPlacement& read) {
    IssuedCode code = managed({set(0), compare(0)}, {write, read});
    code.issue_all(0, 1);
    code.expect({{"checked_values", 32}, {"wrong_values", 32}});
  };
  wrong(written_to(0, operand(0)), read_from(0, kMain));
  wrong(written_to(0, operand(0)), read_from(0, operand(1)));
  wrong(written_to(0, last_result(0)), read_from(0, last_result(1)));
  wrong(written_to(0, kMain, true), read_from(0, operand(0)));
}

TEST(ManagedOperands, CheckFindsReadOfOverwrittenPlace) {
  IssuedCode code = managed(
      {set(0), set(1), compare(0)},
      {written_to(0, operand(0), true), written_to(1, operand(0)), read_from(0, operand(0))});
  code.issue(0).issue(1, kAll, kHigh).issue(2);
  code.expect({{"operand_file_reads_private", 1}, {"wrong_values", 16}});
}

// -- strands --------------------------------------------------------------------------------------

TEST(ManagedStrands, MayBeginAtBranchesAndContinueAcrossThem) {
  const std::vector<Instruction> instructions{set(0), jump(2), compare(0), jump(0)};
  const std::vector<InstructionPlacement> in_one{
      in_new_strand(written_to(0, operand(0))), {}, read_from(0, operand(0)), {}};
  IssuedCode one = managed(instructions, in_one);
  // The sequence is executed twice. A register that was written earlier in the strand is not live
  // into it.
  one.issue_all(0, 3).issue_all(0, 3);
  one.expect({{"strands", 2}, {"live_ins", 0}, {"wrong_values", 0}});

  const std::vector<InstructionPlacement> in_two{
      in_new_strand(written_to(0, kMain, true)), in_new_strand({}), read_from(0, kMain), {}};
  IssuedCode two = managed(instructions, in_two);
  two.issue_all(0, 1);
  two.expect({{"strands", 2}, {"live_ins", 0}});
  two.issue_all(2, 3);
  two.expect({{"strands", 2}, {"live_ins", 1}, {"wrong_values", 0}});
}

TEST(ManagedStrands, BranchThatBeginsStrandLosesItsThreadsValues) {
  IssuedCode code = managed(
      {set(0), jump(2), compare(0)},
      {in_new_strand(written_to(0, operand(0))), in_new_strand({}), read_from(0, operand(0))});
  code.issue(0).issue(1, kLow).issue(2);
  code.expect({{"wrong_values", 16}});
}

TEST(ManagedStrands, LoseNothingIfAllWarpsHaveEntries) {
  IssuedCode code = managed({set(0), compare(0)},
                            {written_to(0, operand(0)), in_new_strand(read_from(0, operand(0)))},
                            "active_only=no");
  code.issue_all(0, 1);
  code.expect({{"strands", 1}, {"wrong_values", 0}});
}

TEST(ManagedStrands, CountLiveInRegisterOnce) {
  IssuedCode code = managed({compare(0), compare(0), add(1, 0, 1), compare(1)},
                            {in_new_strand(read_from(0, kMain)), read_from(0, kMain),
                             placement_of({{.word = 0}, {.word = 1}}, {{.word = 1}}),
                             in_new_strand(read_from(1, kMain))});
  code.issue_all(0, 2);
  code.expect({{"live_ins", 2}, {"reads", 4}});
  code.issue(3);
  code.expect({{"live_ins", 3}, {"strands", 2}});
}

}  // namespace
}  // namespace heddle::sm::test
