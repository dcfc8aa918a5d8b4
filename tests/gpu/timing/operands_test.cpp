// Banked register files: the cost of bank conflicts and of too few collectors.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "gpu/timing/probe.h"

namespace heddle::gpu::test {
namespace {

constexpr std::uint32_t kAlu = 8;

Settings banked(const Settings& more = {}) {
  return Settings{"operands.policy=banked", "operands.banks=4",      "operands.layout=register",
                  "operands.ports=1r1w",    "operands.collectors=8", "operands.read_cycles=1",
                  "units.integer.latency=8"} +
         more;
}

/// The first instruction after the first clock read.
const code::Instruction& measured_instruction(const ProbeRun& run) {
  const std::vector<code::Instruction>& instructions = run.chip().program().instructions;
  const auto clock = std::find_if(instructions.begin(), instructions.end(), [](const auto& i) {
    return i.operation == code::Operation::read_special && i.special == code::Special::clock;
  });
  return *(clock + 1);
}

/// The number of reads that the busiest bank must serve. A bank serves one read per cycle.
std::uint32_t reads_of_busiest_bank(const code::Instruction& instruction, std::uint32_t banks) {
  std::map<std::uint32_t, bool> registers;
  for (const code::Operand& source : instruction.sources) {
    if (source.is_register()) registers[source.index] = true;
  }
  std::map<std::uint32_t, std::uint32_t> reads;
  std::uint32_t most = 0;
  for (const auto& [number, _] : registers) most = std::max(most, ++reads[number % banks]);
  return most;
}

const std::string kValues = repeat(10, "ld.global.u32 %r2#, [%data+0x#00];\n");

/// Measures an instruction that reads registers %r2<a> and %r2<b>, and another that reads its
/// result.
ProbeRun sum_of(int a, int b, const Settings& settings) {
  return ProbeRun({.setup = kValues,
                   .body = clock(0) + "and.b32 %r1, %r2" + std::to_string(a) + ", %r2" +
                           std::to_string(b) + ";\nadd.u32 %r2, %r1, 7;\n" + clock(1),
                   .keep = registers("%r", 10, 20) + Settings{"%r2"}},
                  settings);
}

TEST(OperandTiming, BankConflictSerialisesReads) {
  for (const std::uint32_t banks : {1U, 2U, 4U, 8U}) {
    int conflicts = 0;
    int pairs = 0;
    for (int a = 0; a < 9; ++a) {
      const int b = a == 8 ? 3 : 9;
      const ProbeRun run = sum_of(a, b, banked({"operands.banks=" + std::to_string(banks)}));
      const std::uint32_t reads = reads_of_busiest_bank(measured_instruction(run), banks);
      ++pairs;
      conflicts += reads > 1 ? 1 : 0;
      // The conflicting reads, the last read cycle, and the latency to the dependent instruction.
      EXPECT_EQ(run.cycles(), 1 + (reads - 1) + 1 + kAlu + 1) << banks << " banks";
    }
    EXPECT_GT(conflicts, 0) << banks << " banks";
    EXPECT_TRUE(banks == 1 || conflicts < pairs) << banks << " banks";
  }
}

TEST(OperandTiming, WithinInstructionPolicyIgnoresOtherWarpsConflicts) {
  // Two schedulers issue the same instructions of two warps in the same cycles.
  const auto run = [](const std::string& conflicts) {
    return ProbeRun({.setup = kValues,
                     .body = "bar.sync 0;\n" + clock(0) +
                             "and.b32 %r1, %r21, %r22;\nadd.u32 %r2, %r1, 7;\n" + clock(1),
                     .keep = registers("%r", 10, 20) + Settings{"%r2"}},
                    banked({conflicts, "operands.banks=1", "schedule.schedulers=2",
                            "units.integer.pipes=2", "units.fp32.pipes=2"}),
                    2);
  };
  const std::uint32_t by_itself = 1 + 1 + 1 + kAlu + 1;  // One cycle to read the second value.
  const ProbeRun within_instruction = run("operands.conflicts=within-instruction");
  EXPECT_EQ(within_instruction.cycles(0, 0), by_itself);
  EXPECT_EQ(within_instruction.cycles(0, 1), by_itself);
  const ProbeRun all = run("operands.conflicts=all");
  EXPECT_GT(std::max(all.cycles(0, 0), all.cycles(0, 1)), by_itself);
}

TEST(OperandTiming, FlatPolicyIncludesReadingInTheLatency) {
  EXPECT_EQ(sum_of(1, 2, banked({"operands.policy=flat"})).cycles(), 1 + kAlu + 1);
}

TEST(OperandTiming, ReadCyclesDelayTheResult) {
  const ProbeRun slow = sum_of(1, 2, banked({"operands.read_cycles=5", "operands.banks=64"}));
  EXPECT_EQ(slow.cycles(), 1 + 5 + kAlu + 1);
}

TEST(OperandTiming, FullCollectorsStallAllIssue) {
  const auto cycles = [](int collectors) {
    return ProbeRun({.setup = kValues,
                     .body = clock(0) + repeat(6, "not.b32 %r1#, %r2#;\n") + clock(1),
                     .keep = registers("%r", 6, 10) + registers("%r", 10, 20)},
                    banked({"operands.banks=64", "operands.read_cycles=3",
                            "operands.collectors=" + std::to_string(collectors)}))
        .cycles();
  };
  // An instruction occupies its collector for 3 cycles. The clock read has no register sources, but
  // it needs a collector, too.
  EXPECT_EQ(cycles(1), 1 + 6 * 3);
  // With two collectors, the six instructions issue in cycles 1, 2, 4, 5, 7 and 8.
  EXPECT_EQ(cycles(2), 10);
  EXPECT_EQ(cycles(3), 7);
}

TEST(OperandTiming, ReadingDoesNotOccupyTheUnit) {
  // Independent instructions issue back to back while earlier instructions still read their
  // sources.
  const auto cycles = [](int read) {
    return ProbeRun({.setup = kValues,
                     .body = clock(0) + repeat(8, "not.b32 %r1#, %r2#;\n") + clock(1),
                     .keep = registers("%r", 8, 10)},
                    banked({"operands.banks=64", "operands.collectors=64",
                            "operands.read_cycles=" + std::to_string(read)}))
        .cycles();
  };
  for (const int read : {1, 2, 10}) EXPECT_EQ(cycles(read), 9) << "reading takes " << read;
}

TEST(OperandTiming, WarpSwizzledLayoutAvoidsConflictsBetweenWarps) {
  // Two schedulers issue the same instructions of two warps in the same cycles.
  const auto run = [](const std::string& layout) {
    return ProbeRun(
        {.setup = kValues,
         .body =
             "bar.sync 0;\n" + clock(0) + "not.b32 %r1, %r21;\nadd.u32 %r2, %r1, 7;\n" + clock(1),
         .keep = {"%r2"}},
        banked({layout, "schedule.schedulers=2", "units.integer.pipes=2", "units.fp32.pipes=2"}),
        2);
  };
  const ProbeRun same = run("operands.layout=register");
  // The two schedulers alternate in going first.
  EXPECT_EQ(std::min(same.cycles(0, 0), same.cycles(0, 1)), 1 + 1 + kAlu + 1);
  EXPECT_EQ(std::max(same.cycles(0, 0), same.cycles(0, 1)), 1 + 1 + 1 + kAlu + 1)
      << "its value is read a cycle later than the other warp's";
  const ProbeRun other = run("operands.layout=register-and-warp");
  EXPECT_EQ(other.cycles(0, 0), 1 + 1 + kAlu + 1);
  EXPECT_EQ(other.cycles(0, 1), 1 + 1 + kAlu + 1);
}

}  // namespace
}  // namespace heddle::gpu::test
