// A pool of operand file words that active warps share (operands.pool_words). The tests check how
// many words each warp gets, and that every value is read from its current place.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "gpu/timing/probe.h"
#include "gpu/timing/twice_kernel.h"
#include "gpu/workload_on_chip.h"

namespace heddle::gpu::test {
namespace {

using testing::HasSubstr;

const Settings kManaged{"schedule.policy=active-set", "operands.policy=managed",
                        "operands.entries=3", "operands.check_values=yes"};

Settings pool_of(const std::string& words) { return {"operands.pool_words=" + words}; }

using ExpectedCounts = std::map<std::string, std::uint64_t>;

/// Runs kTwice with one block of `warps` warps; compares only the counters in `expected`.
void expect_counters(std::uint32_t warps, const Settings& settings,
                     const ExpectedCounts& expected) {
  ChipRun chip(kTwice, kPlain + kManaged + settings);
  const std::uint32_t threads = 32 * warps;
  chip.launch("twice", {1, 1, 1}, {threads, 1, 1},
              chip.upload(std::vector<std::uint32_t>(threads, 21)));
  for (const auto& [name, count] : expected) {
    EXPECT_EQ(chip.counter("operands." + name), count) << name;
  }
}

/// The counters if each warp gets all words that it wants. kTwice has two strands (stretches of
/// code for which the compiler places values): the first wants two words, the second wants one.
ExpectedCounts counts_with_enough_words(std::uint64_t warps) {
  return {{"operand_file_reads_private", 2 * warps},
          {"operand_file_reads_shared", (2 + 1) * warps},
          {"operand_file_writes_private", (1 + 1 + 2 + 1) * warps},
          {"duplicate_writes", 2 * warps},
          {"reads", (1 + 2) * warps},
          {"writes", (2 + 1) * warps},
          {"pool_strands", 2 * warps},
          {"pool_words", (2 + 1) * warps},
          {"pool_words_lacking", 0},
          {"wrong_values", 0}};
}

TEST(RegisterPool, WithEnoughWordsActsAsAFile) {
  expect_counters(1, pool_of("24"), counts_with_enough_words(1));
  expect_counters(1, pool_of("2"), counts_with_enough_words(1));
  expect_counters(4, pool_of("24"), counts_with_enough_words(4));
}

TEST(RegisterPool, HoldsTheMostValuableValueWhenWordsAreScarce) {
  // In the first strand, the word holds R2 between instructions 1 and 2, and then the lower half of
  // the result of 2.
  expect_counters(1, pool_of("1"),
                  {{"pool_words", 1 + 1},
                   {"pool_words_lacking", 1},
                   {"operand_file_reads_private", 1},
                   {"operand_file_reads_shared", 1 + 1},
                   {"operand_file_writes_private", 1 + 1 + 1},
                   {"duplicate_writes", 1},
                   {"reads", 8 - 3},
                   {"writes", 6 - 2},
                   {"wrong_values", 0}});
}

TEST(RegisterPool, LeavesNoWordsToALaterWarpWhenExhausted) {
  // The second warp begins while the first warp has both words, so it keeps its values in the main
  // file. Each warp begins its second strand after a suspension and then gets a word.
  expect_counters(2, pool_of("2"),
                  {{"operand_file_reads_private", 2},
                   {"operand_file_reads_shared", 2 + 2 * 1},
                   {"operand_file_writes_private", (1 + 1 + 2) + 2 * 1},
                   {"duplicate_writes", 2},
                   {"reads", 2 * (1 + 2) + (2 + 2)},
                   {"writes", 2 * 1 + 2 + (1 + 1 + 2)},
                   {"pool_strands", 4},
                   {"pool_words", 2 + 0 + 1 + 1},
                   {"pool_words_lacking", 2},
                   {"wrong_values", 0}});
}

TEST(RegisterPool, ReclaimsWordsOfSuspendedAndEndedWarps) {
  // One warp is active at a time. Three of the four warps begin when another has been suspended. A
  // warp ends before another takes words again.
  expect_counters(4, pool_of("2") + Settings{"schedule.active_warps=1"},
                  counts_with_enough_words(4));
}

TEST(RegisterPool, GivesNoWordThatSavesLessThanItsPrice) {
  expect_counters(1, pool_of("24") + Settings{"operands.word_price=100"},
                  {{"operand_file_reads_private", 0},
                   {"operand_file_reads_shared", 0},
                   {"operand_file_writes_private", 0},
                   {"reads", 8},
                   {"pool_strands", 2},
                   {"pool_words", 0},
                   {"wrong_values", 0}});
}

/// The threads of a warp diverge. The side that executes first begins further strands in a loop and
/// needs fewer words. The other side reads values from before the branch.
constexpr std::string_view kParting = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry parting(.param .u64 values)
{
  .reg .pred %first, %again;
  .reg .b32 %thread, %a, %b, %c, %sum;
  .reg .b64 %at, %offset;
  mov.u32 %thread, %tid.x;
  ld.param.u64 %at, [values];
  mul.wide.u32 %offset, %thread, 4;
  add.u64 %at, %at, %offset;
  setp.lt.u32 %first, %thread, 16;
  xor.b32 %a, %thread, 77;
  xor.b32 %b, %a, %thread;
  mul.lo.u32 %c, %a, %b;
  @%first bra LOOP;
  mad.lo.u32 %sum, %a, %b, %c;
  mad.lo.u32 %sum, %sum, %a, %b;
  mad.lo.u32 %sum, %c, %a, %sum;
  bra MEET;
LOOP:
  mov.u32 %sum, %c;
AGAIN:
  xor.b32 %sum, %sum, %thread;
  shr.u32 %sum, %sum, 1;
  setp.gt.u32 %again, %sum, 100;
  @%again bra AGAIN;
MEET:
  st.global.u32 [%at], %sum;
  ret;
}
)";

TEST(RegisterPool, ServesDivergedThreadsByTheirOwnStrands) {
  ChipRun chip(std::string(kParting),
               kPlain + kManaged + pool_of("8") +
                   Settings{"operands.entries=8", "isa.predication=no", "isa.scheduling=no"});
  chip.launch("parting", {1, 1, 1}, {32, 1, 1}, chip.zeros<std::uint32_t>(32));
  EXPECT_EQ(chip.counter("operands.wrong_values"), 0u);
  EXPECT_GT(chip.counter("operands.operand_file_reads_private"), 0u);
  // The looping threads begin a strand in every iteration.
  EXPECT_GT(chip.counter("operands.strands"), 4u);
}

std::uint64_t total(const WorkloadOnChip& ran, const std::string& name) {
  std::uint64_t sum = 0;
  for (const KernelRun& run : ran.runs) sum += counter_of(run, ran.counters, "operands." + name);
  return sum;
}

TEST(RegisterPool, ReadsEveryValueOfWorkloadsFromItsPlace) {
  const Settings levels{"operands.policy=managed", "operands.entries=8", "operands.last_results=3",
                        "operands.word_price=0.3", "operands.check_values=yes"};
  for (const std::string& name : tested_workloads({"bfs", "needle", "mandelbrot"})) {
    SCOPED_TRACE(name);
    const WorkloadOnChip plain = run_on_chip(load_machine("storage"), name);
    const WorkloadOnChip ran = run_on_chip(load_machine("storage", levels + pool_of("24")), name);
    EXPECT_TRUE(ran.result.check.passed());
    EXPECT_EQ(total(ran, "wrong_values"), 0u);
    EXPECT_GT(total(ran, "checked_values"), 0u);
    EXPECT_GT(total(ran, "pool_words"), 0u);
    EXPECT_EQ(total(ran, "reads") + total(ran, "last_reads") +
                  total(ran, "operand_file_reads_private") +
                  total(ran, "operand_file_reads_shared"),
              total(plain, "reads"));
  }
}

TEST(RegisterPool, CountsSameForAnyNumberOfHostThreads) {
  const Machine machine = load_machine(
      "storage",
      Settings{"chip.sms=4", "operands.policy=managed", "operands.entries=8"} + pool_of("24"));
  const WorkloadOnChip one = run_on_chip(machine, "bfs", {.threads = 1});
  const WorkloadOnChip four = run_on_chip(machine, "bfs", {.threads = 4});
  EXPECT_EQ(difference(one.runs, four.runs, one.counters), "");
}

std::string refusal_of(const Settings& settings) {
  try {
    load_machine("storage", pool_of("24") + settings);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(RegisterPool, RejectsConflictingParameters) {
  EXPECT_EQ(refusal_of({"operands.policy=managed"}), "");
  EXPECT_THAT(refusal_of({"operands.policy=register-cache"}),
              HasSubstr("needs operands.policy 'managed'"));
  EXPECT_THAT(refusal_of({"operands.policy=managed", "operands.active_only=no"}),
              HasSubstr("needs operands.active_only"));
  EXPECT_THAT(refusal_of({"operands.policy=managed", "operands.keep_at_barriers=yes"}),
              HasSubstr("excludes operands.keep_at_barriers"));
  EXPECT_THAT(refusal_of({"operands.policy=managed", "operands.entries=9"}),
              HasSubstr("operands.entries is 9"));
  EXPECT_THAT(refusal_of({"operands.policy=managed", "operands.entries=0"}),
              HasSubstr("operands.entries is 0"));
  EXPECT_THAT(refusal_of({"operands.policy=managed", "divergence.policy=large-warp",
                          "divergence.large_warp=64"}),
              HasSubstr("needs warps that are static warps of 32 threads"));
}

}  // namespace
}  // namespace heddle::gpu::test
