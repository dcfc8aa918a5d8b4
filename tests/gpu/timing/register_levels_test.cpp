// Register levels: small files or caches between the main register file and the units. The tests
// count the accesses of a small kernel by hand, measure cycles, and check that every value is read
// from its current place. Comments name instructions by their numbers in the listing of kTwice.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "gpu/divergence_setups.h"
#include "gpu/timing/probe.h"
#include "gpu/timing/twice_kernel.h"
#include "gpu/workload_on_chip.h"

namespace heddle::gpu::test {
namespace {

using testing::HasSubstr;

const Settings kActiveSet{"schedule.policy=active-set"};
const Settings kCache = kActiveSet + Settings{"operands.policy=register-cache",
                                              "operands.entries=6", "operands.check_values=yes"};
const Settings kManaged = kActiveSet + Settings{"operands.policy=managed", "operands.entries=3",
                                                "operands.check_values=yes"};

using ExpectedCounts = std::map<std::string, std::uint64_t>;

/// Runs the kernel with one warp; compares only the counters in `expected`.
void expect_counters(const Settings& settings, const ExpectedCounts& expected) {
  ChipRun chip(kTwice, kPlain + settings);
  chip.launch("twice", {1, 1, 1}, {32, 1, 1}, chip.upload(std::vector<std::uint32_t>(32, 21)));
  for (const auto& [name, count] : expected) {
    EXPECT_EQ(chip.counter("operands." + name), count) << name;
  }
}

TEST(RegisterCache, WritesBackResultsOfASuspendedWarp) {
  // Instruction 2 hits R0 and R2, which are dead afterwards. 3 hits R2 and R3, and its result R0
  // bypasses the cache. The warp is suspended before 4, so R2 and R3 are written back. 4 reads R0,
  // and 5 reads R2 and R3, from the main file.
  expect_counters(kCache, {{"operand_file_reads_private", 2},
                           {"operand_file_reads_shared", 2 + 1},
                           {"operand_file_writes_private", 1 + 1 + 2 + 1},
                           {"operand_file_writes_shared", 0},
                           {"reads", 1 + 2},
                           {"writes", 1 + 2},
                           {"written_back", 2},
                           {"fills_private", 0},
                           {"fills_shared", 0},
                           {"suspensions", 1},
                           {"one_registers_from_main", 1},
                           {"two_registers_from_main", 1},
                           // The address R2:3 is one operand.
                           {"operands_from_main", 1 + 1},
                           {"one_operand_from_main", 2},
                           {"two_operands_from_main", 0},
                           {"more_operands_from_main", 0},
                           {"tag_checks", 6},
                           {"checked_values", 8 * 32},
                           {"wrong_values", 0}});
}

TEST(RegisterCache, AllocatesOnReadsWhenConfigured) {
  expect_counters(kCache + Settings{"operands.allocate=results-and-reads"},
                  // 4 reads R0, 5 reads the address.
                  {{"fills_private", 1},
                   {"fills_shared", 2},
                   {"reads", 3},
                   {"written_back", 2},
                   {"wrong_values", 0}});
}

TEST(RegisterCache, ForAllWarpsIsNotFlushedWhenAWarpWaits) {
  expect_counters(kCache + Settings{"operands.active_only=no"},
                  {{"operand_file_reads_private", 2},
                   {"operand_file_reads_shared", 2 + 3},
                   {"reads", 1},
                   {"writes", 1},
                   {"written_back", 0},
                   {"suspensions", 0},
                   {"wrong_values", 0}});
}

TEST(RegisterCache, HoldsLoadedValuesWhenTheyDoNotBypassIt) {
  expect_counters(kCache + Settings{"operands.active_only=no", "operands.long_results_bypass=no"},
                  {{"operand_file_reads_private", 3},
                   {"operand_file_reads_shared", 5},
                   {"operand_file_writes_shared", 1},
                   {"reads", 0},
                   {"writes", 0},
                   {"wrong_values", 0}});
}

TEST(RegisterCache, WithOneEntryWritesBackEvictedResults) {
  // Instruction 1 evicts R0. 2 writes R2 and R3, and R3 evicts R2. The result of 4 evicts R3.
  expect_counters(kCache + Settings{"operands.active_only=no", "operands.entries=1"},
                  {{"operand_file_reads_private", 1},
                   {"operand_file_reads_shared", 1 + 1},
                   {"reads", 1 + 1 + 1 + 2},
                   {"one_registers_from_main", 3},
                   {"two_registers_from_main", 1},
                   {"written_back", 3},
                   {"writes", 3 + 1},
                   {"wrong_values", 0}});
}

TEST(RegisterCache, WritesBackDeadValuesWithoutLiveness) {
  expect_counters(
      kCache + Settings{"operands.active_only=no", "operands.entries=2", "operands.liveness=no"},
      // R0 and R2 fill the cache. R2 is overwritten, R3 evicts R0, and the R0 of 4 evicts R2.
      {{"written_back", 2}, {"writes", 2 + 1}, {"wrong_values", 0}});
  expect_counters(kCache + Settings{"operands.active_only=no", "operands.entries=2"},
                  // R0 and R2 are dead when R2 and R3 are written.
                  {{"written_back", 1}, {"writes", 1 + 1}, {"wrong_values", 0}});
}

TEST(LastResultFile, SpillsAtTheNextResultAndIsBypassedForSharedUnits) {
  // R0 is spilled to the next level when R2 is written. Shared units (instructions 3 and 5) read
  // the results of 2 and 4, so these results go to the cache.
  expect_counters(kCache + Settings{"operands.last_results=1"},
                  {{"last_writes", 2},
                   {"last_reads", 1},
                   {"demoted", 1},
                   {"operand_file_reads_private", 1},
                   {"operand_file_writes_private", 2 + 1},
                   {"operand_file_reads_shared", 2 + 1},
                   {"last_written_back", 0},
                   {"written_back", 2},
                   {"reads", 3},
                   {"wrong_values", 0}});
}

TEST(ManagedRegisters, AreReadAsTheCompilerPlacesThem) {
  // R2 and R3 are read in both strands, and are therefore in the main file as well.
  expect_counters(kManaged, {{"operand_file_reads_private", 2},
                             {"operand_file_reads_shared", 2 + 1},
                             {"operand_file_writes_private", 1 + 1 + 2 + 1},
                             {"duplicate_writes", 2},
                             {"reads", 1 + 2},
                             {"writes", 2 + 1},
                             {"fills_private", 0},
                             {"fills_shared", 0},
                             {"strands", 2},
                             {"live_ins", 3},
                             {"live_outs", 3},
                             // The load's R0, and the address.
                             {"live_in_operands", 2},
                             {"live_out_operands", 2},
                             {"suspensions", 1},
                             {"checked_values", 8 * 32},
                             {"wrong_values", 0}});
}

TEST(ManagedRegisters, HoldLoadedValuesWhenNotFlushed) {
  // The load's result R0 is in the upper level, too, where instruction 4 finds it.
  const Settings all = kManaged + Settings{"operands.active_only=no"};
  expect_counters(all, {{"reads", 1}, {"writes", 1}, {"wrong_values", 0}});
  expect_counters(
      all + Settings{"operands.long_results_bypass=no"},
      {{"reads", 0}, {"writes", 0}, {"operand_file_writes_shared", 1}, {"wrong_values", 0}});
}

TEST(ManagedRegisters, WithoutEntriesUseTheMainFile) {
  expect_counters(kManaged + Settings{"operands.entries=0"}, {{"reads", 8},
                                                              {"operands_from_main", 6},
                                                              {"writes", 1 + 1 + 2 + 1 + 1},
                                                              {"operand_file_writes_private", 0},
                                                              {"last_writes", 0},
                                                              {"wrong_values", 0}});
}

TEST(ValueUse, CountsValuesByNumberOfReads) {
  expect_counters({"operands.policy=value-use"}, {{"values_read_never", 0},
                                                  {"values_read_once", 4},
                                                  {"values_read_twice", 2},
                                                  {"values_read_more", 0},
                                                  {"read_once_after_one", 3},
                                                  {"read_once_after_two", 1},
                                                  {"read_once_after_three", 0},
                                                  {"read_once_after_more", 0},
                                                  {"values_read_by_shared", 3},
                                                  {"values_read_by_shared_from_private", 3},
                                                  {"reads", 8}});
}

TEST(ValueUse, CountsWideValuesAsOneWhenConfigured) {
  // The address R2:3, which the load and the store read.
  expect_counters({"operands.policy=value-use", "operands.wide_values_are_one=yes"},
                  {{"values_read_once", 4},
                   {"values_read_twice", 1},
                   {"read_once_after_one", 3},
                   {"read_once_after_two", 1},
                   {"values_read_by_shared", 2},
                   {"values_read_by_shared_from_private", 2}});
}

TEST(ValueUse, CountsValuesPerThreadWhenConfigured) {
  ChipRun chip(kTwice,
               kPlain + Settings{"operands.policy=value-use", "operands.values_of=threads"});
  chip.launch("twice", {1, 1, 1}, {20, 1, 1}, chip.upload(std::vector<std::uint32_t>(32, 21)));
  EXPECT_EQ(chip.counter("operands.values_read_once"), 4 * 20);
  EXPECT_EQ(chip.counter("operands.values_read_twice"), 2 * 20);
  EXPECT_EQ(chip.counter("operands.read_once_after_two"), 20);
}

// -- time -----------------------------------------------------------------------------------------

const Settings kOneBank = kActiveSet + Settings{"operands.banks=1", "isa.predication=no",
                                                "operands.conflicts=within-instruction"};

std::uint32_t cycles_of(const std::string& body, const std::string& policy) {
  return ProbeRun({.setup = repeat(2, "ld.global.u32 %r2#, [%data+0x#00];\n"),
                   .body = clock(0) + body + clock(1),
                   .keep = registers("%r", 4, 1) + registers("%r", 2, 20)},
                  kOneBank + Settings{"operands.policy=" + policy})
      .cycles();
}

TEST(RegisterCacheTiming, ResolvesBranchesOneCycleLater) {
  const std::string branch =
      "setp.gt.u32 %p1, %r20, 1000;\n@%p1 bra OVER;\nxor.b32 %r20, %r20, 5;\nOVER:\n";
  EXPECT_EQ(cycles_of(branch, "register-cache"), cycles_of(branch, "banked") + 1);
  EXPECT_EQ(cycles_of(branch, "managed"), cycles_of(branch, "banked"));
}

TEST(RegisterCacheTiming, HitTakesAsLongAsTheMainFile) {
  const std::string chain = "not.b32 %r1, %r20;\n" + repeat(5, "mul.lo.u32 %r1, %r1, 77;\n");
  EXPECT_EQ(cycles_of(chain, "register-cache"), cycles_of(chain, "banked"));
  EXPECT_EQ(cycles_of(chain, "managed"), cycles_of(chain, "banked"));
}

TEST(RegisterCacheTiming, HitsCauseNoBankConflicts) {
  const std::string pair =
      "not.b32 %r1, %r20;\nnot.b32 %r2, %r21;\nand.b32 %r3, %r1, %r2;\nadd.u32 %r4, %r3, 7;\n";
  EXPECT_EQ(cycles_of(pair, "register-cache") + 1, cycles_of(pair, "banked"));
  EXPECT_EQ(cycles_of(pair, "managed") + 1, cycles_of(pair, "banked"));
}

// -- all workloads --------------------------------------------------------------------------------

std::uint64_t total(const WorkloadOnChip& ran, const std::string& name) {
  std::uint64_t sum = 0;
  for (const KernelRun& run : ran.runs) sum += counter_of(run, ran.counters, "operands." + name);
  return sum;
}
std::uint64_t instructions(const WorkloadOnChip& ran) {
  std::uint64_t sum = 0;
  for (const KernelRun& run : ran.runs) sum += run.warp_instructions;
  return sum;
}

const std::vector<Settings> kLevels{
    {"operands.policy=register-cache", "operands.entries=2", "operands.last_results=1"},
    {"operands.policy=register-cache", "operands.entries=4", "operands.replacement=lru",
     "operands.allocate=results-and-reads", "operands.active_only=no",
     "operands.long_results_bypass=no", "operands.flush_at_backward_branches=yes"},
    {"operands.policy=managed", "operands.entries=3", "operands.last_results=3"},
    {"operands.policy=managed", "operands.entries=2", "operands.last_results=1",
     "operands.result_levels=one"}};

const std::vector<DivergenceSetup> kMachines{
    {"storage", {}},
    {"large-warps",
     {"schedule.policy=active-set", "schedule.active_warps=2", "operands.main=flat"}}};

TEST(RegisterLevels, ReadEveryValueFromItsPlaceAndCountEveryOperand) {
  std::vector<std::string> names = workloads_to_run();
  if (kSanitized) names.resize(2);
  std::uint64_t all_split = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    const DivergenceSetup& machine = kMachines[i % kMachines.size()];
    // A cache configuration and a compiler-managed one.
    const std::size_t first = i / kMachines.size() % 2;
    const WorkloadOnChip plain = run_on_chip(machine.load(), name);
    for (const Settings& levels : {kLevels[first], kLevels[first + 2]}) {
      DivergenceSetup setup = machine;
      setup.settings = setup.settings + levels + Settings{"operands.check_values=yes"};
      SCOPED_TRACE(name + " on " + setup.name());
      const WorkloadOnChip ran = run_on_chip(setup.load(), name);
      EXPECT_TRUE(ran.result.check.passed());
      EXPECT_EQ(total(ran, "wrong_values"), 0u);
      EXPECT_GT(total(ran, "checked_values"), 0u);
      const std::uint64_t reads = total(ran, "reads") + total(ran, "last_reads") +
                                  total(ran, "operand_file_reads_private") +
                                  total(ran, "operand_file_reads_shared");
      std::uint64_t writes = total(ran, "writes") + total(ran, "last_writes") +
                             total(ran, "operand_file_writes_private") +
                             total(ran, "operand_file_writes_shared") -
                             total(ran, "duplicate_writes");
      const bool is_cache = levels.front().ends_with("cache");
      if (is_cache) writes -= total(ran, "written_back") + total(ran, "last_written_back");
      EXPECT_EQ(instructions(ran), instructions(plain));
      EXPECT_EQ(writes, total(plain, "writes"));
      // Diverged lanes may have a register in several levels. Each of these levels is read.
      const std::uint64_t split = is_cache ? total(ran, "split_reads") : 0;
      EXPECT_EQ(reads - split, total(plain, "reads"));
      all_split += split;
    }
  }
  EXPECT_GT(all_split, 0u);
}

// The suspensions at barriers disappear, and no value is wrong.
TEST(RegisterLevels, KeepValuesAtBarriersOnRequest) {
  for (const Settings& levels : {kLevels[0], kLevels[2]}) {
    const Settings checked = levels + Settings{"operands.check_values=yes"};
    const WorkloadOnChip lost = run_on_chip(load_machine("storage", checked), "reduction");
    const WorkloadOnChip kept = run_on_chip(
        load_machine("storage", checked + Settings{"operands.keep_at_barriers=yes"}), "reduction");
    EXPECT_TRUE(kept.result.check.passed());
    EXPECT_EQ(total(kept, "wrong_values"), 0u);
    EXPECT_GT(total(kept, "checked_values"), 0u);
    EXPECT_LT(total(kept, "suspensions"), total(lost, "suspensions")) << levels.front();
    EXPECT_LT(total(kept, "reads"), total(lost, "reads")) << levels.front();
    EXPECT_EQ(instructions(kept), instructions(lost));
  }
}

TEST(RegisterLevels, ReadWrongValuesWhenCompiledForLevelsThatAreNotFlushed) {
  const Settings mine{"operands.policy=managed", "operands.entries=3", "operands.check_values=yes"};
  const Machine machine = load_machine("storage", mine);
  const Machine another = load_machine("storage", mine + Settings{"operands.active_only=no"});
  const workload::Workload& workload = workload::find_workload("bfs");
  Chip chip(machine, {});
  workload::RunOptions options;
  options.size = workload::Size::tiny;
  options.device.compile = compile_options_for(another, workload);
  options.device.engine = &chip;
  run_workload(workload, options);
  EXPECT_GT(sum_of(chip.runs().front(), chip.counters(), "operands.wrong_values"), 0u);
}

TEST(RegisterLevels, CountSameForAnyNumberOfHostThreads) {
  for (const Settings& levels : {kLevels[0], kLevels[2]}) {
    const Machine machine = load_machine("storage", Settings{"chip.sms=4"} + levels);
    const WorkloadOnChip one = run_on_chip(machine, "bfs", {.threads = 1});
    const WorkloadOnChip four = run_on_chip(machine, "bfs", {.threads = 4});
    EXPECT_EQ(difference(one.runs, four.runs, one.counters), "");
  }
}

// -- conflicting parameters -----------------------------------------------------------------------

std::string refusal_of(const Settings& settings, const std::string& machine = "storage") {
  try {
    load_machine(machine, settings);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(RegisterLevels, RejectConflictingParameters) {
  for (const std::string policy : {"register-cache", "managed", "value-use"}) {
    EXPECT_THAT(
        refusal_of(kMajority + Settings{"operands.policy=" + policy, "operands.active_only=no"},
                   "large-warps"),
        HasSubstr("needs threads that stay in their warps"))
        << policy;
  }
  EXPECT_THAT(refusal_of(kCache + Settings{"operands.last_results=3"}),
              HasSubstr("hardware does not know which operand slot will read a result"));
  EXPECT_THAT(refusal_of(kCache + Settings{"operands.entries=0"}), HasSubstr("needs at least 1"));
  EXPECT_THAT(refusal_of(kManaged + Settings{"operands.last_results=2"}),
              HasSubstr("operands.last_results is 2: it must be 0, 1, or 3"));
  EXPECT_THAT(refusal_of({"operands.policy=managed", "schedule.policy=round-robin"}),
              HasSubstr("operands.active_only needs schedule.policy 'active-set'"));
}

}  // namespace
}  // namespace heddle::gpu::test
