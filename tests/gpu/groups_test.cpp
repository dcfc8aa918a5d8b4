// Chips with groups of different multiprocessors.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "base/error.h"
#include "config/set_parameter.h"
#include "device/ptx_text.h"
#include "gpu/chip_run.h"
#include "gpu/workload_on_chip.h"

namespace heddle::gpu::test {
namespace {

using device::test::kernel_of;
using testing::AllOf;
using testing::Each;
using testing::Gt;
using testing::HasSubstr;

/// `machine` with a group of its first `sms` multiprocessors. `settings` apply to the group only.
Machine with_group(Machine machine, std::uint32_t sms, const Settings& settings,
                   const std::string& name = "apart") {
  machine.groups.push_back({.name = name, .sms = sms, .sm = machine.sm});
  config::Declarations parameters;
  machine.groups.back().declare(parameters);
  for (const std::string& setting : settings) config::set_parameter(parameters, setting);
  machine.check();
  return machine;
}

/// The counter's value on each multiprocessor.
std::vector<std::uint64_t> counter_by_sm(const Chip& chip, const KernelRun& run,
                                         std::string_view counter) {
  const auto names = chip.sm_counters();
  const auto found = std::find_if(names.begin(), names.end(),
                                  [&](const CounterName& known) { return known.name == counter; });
  std::vector<std::uint64_t> values;
  for (const auto& counters : run.by_component.sms) {
    values.push_back(counters.at(static_cast<std::size_t>(found - names.begin())));
  }
  return values;
}

/// Each block reads the same 16 KB four times.
const std::string kReadsFourTimes = R"(
  mov.u32 %r10, 0;
  mul.wide.u32 %rd3, %r4, 4;
  add.u64 %rd3, %rd1, %rd3;
TURN:
  mov.u32 %r11, 0;
  mov.u64 %rd4, %rd3;
PART:
  ld.global.u32 %r12, [%rd4];
  add.u32 %r13, %r13, %r12;
  add.u64 %rd4, %rd4, 512;
  add.u32 %r11, %r11, 1;
  setp.lt.u32 %p1, %r11, 32;
  @%p1 bra PART;
  add.u32 %r10, %r10, 1;
  setp.lt.u32 %p2, %r10, 4;
  @%p2 bra TURN;
  st.global.u32 [%rd2+16384], %r13;
  ret;)";

TEST(MultiprocessorGroups, RunACooperativeLaunchThatFitsAcrossGroups) {
  // The launch has five blocks of four warps, and every block waits until all five have arrived.
  // The multiprocessor of the group has space for one and a half blocks, the other one for four.
  const std::string ptx = kernel_of(R"(
  bar.sync 0;
  setp.ne.u32 %p1, %r4, 0;
  @%p1 bra MET;
  atom.global.add.u32 %r5, [%rd1], 1;
WAIT:
  ld.volatile.global.u32 %r6, [%rd1];
  setp.lt.u32 %p2, %r6, 5;
  @%p2 bra WAIT;
MET:
  bar.sync 0;
  ret;)");
  for (const char* policy : {"block", "warp-release", "partial-block"}) {
    SCOPED_TRACE(policy);
    const Settings settings{"chip.sms=2", "sm.warps=16", "residency.policy=" + std::string(policy)};
    Chip chip(with_group(machine_of(settings), 1, {"sm.warps=6"}), {.max_cycles = 1'000'000});
    device::Device device({.engine = &chip});
    const device::LoadedModule& module = device.load({{"test.ptx", ptx}});
    const device::DevicePointer count = device.allocate(4);
    device.set(count, 0, 4);
    device.launch_with(device.find_kernel(module, "k"),
                       {.grid = {5}, .block = {128}, .cooperative = true}, count);
    EXPECT_EQ(device.download<std::uint32_t>(count, 1).front(), 5U);
  }
}

TEST(MultiprocessorGroups, WithSmallerCachesMissMore) {
  const Machine machine =
      with_group(machine_of({"chip.sms=4", "l1.bytes=32K"}), 2, {"l1.bytes=2K"}, "small");
  ChipRun run(kernel_of(kReadsFourTimes), machine, {.count_by_component = true});
  const auto words = run.zeros<std::uint32_t>(8192);
  run.launch("k", {4}, {128}, words);
  const std::vector<std::uint64_t> misses =
      counter_by_sm(run.chip(), run.last_launch(), "l1.misses");
  ASSERT_EQ(misses.size(), 4U);
  for (const std::size_t small : {0U, 1U}) {
    for (const std::size_t large : {2U, 3U}) {
      // A large cache holds all 16 KB after the first iteration.
      EXPECT_GT(misses[small], 3 * misses[large]) << small << ", " << large;
    }
  }
}

/// Compares runs with one and more host threads; returns the run with one.
WorkloadOnChip expect_correct_and_equal_for_any_host_threads(const Machine& machine,
                                                             const std::string& workload) {
  WorkloadOnChip one = run_on_chip(machine, workload, {.count_by_component = true});
  EXPECT_TRUE(one.result.check.passed());
  for (const std::uint32_t threads : host_threads({2, 3})) {
    const WorkloadOnChip more =
        run_on_chip(machine, workload, {.threads = threads, .count_by_component = true});
    EXPECT_TRUE(more.result.check.passed());
    EXPECT_EQ(difference(one.runs, more.runs, one.counters), "") << threads << " threads";
    for (std::size_t i = 0; i < one.runs.size(); ++i) {
      EXPECT_EQ(one.runs[i].by_component.sms, more.runs[i].by_component.sms);
      EXPECT_EQ(one.runs[i].by_component.partitions, more.runs[i].by_component.partitions);
    }
  }
  return one;
}

class WorkloadsOnGroups : public testing::TestWithParam<std::string> {};

TEST_P(WorkloadsOnGroups, GiveSameRunForAnyNumberOfHostThreads) {
  const Machine machine = with_group(
      with_group(load_machine("warpman", {"chip.sms=7"}), 2, {"l1.bytes=64K"}, "big"), 3,
      {"l1.bytes=4K", "schedule.schedulers=1", "sm.warps=24", "sm.registers=16384"}, "small");
  expect_correct_and_equal_for_any_host_threads(machine, GetParam());
}

TEST_P(WorkloadsOnGroups, GiveSameRunWhenOneGroupPredictsAndCommitsInOrder) {
  const Machine machine = with_group(
      load_machine("ilp", {"chip.sms=2"}), 1,
      {"units.bypass=yes", "dependence.policy=commit-scoreboard", "branch.policy=gshare"}, "ilp");
  const WorkloadOnChip one = expect_correct_and_equal_for_any_host_threads(machine, GetParam());
  const auto longest = std::max_element(one.runs.begin(), one.runs.end(),
                                        [](const KernelRun& left, const KernelRun& right) {
                                          return left.warp_instructions < right.warp_instructions;
                                        });
  EXPECT_THAT(counter_by_sm(Chip(machine), *longest, "sm.warp_instructions"), Each(Gt(0U)));
}

TEST_P(WorkloadsOnGroups, MatchUngroupedRunWhenTheGroupIsIdentical) {
  const Machine machine = load_machine("warpman", {"chip.sms=5"});
  const WorkloadOnChip without = run_on_chip(machine, GetParam());
  for (const std::uint32_t sms : {2U, 5U}) {
    const WorkloadOnChip with = run_on_chip(with_group(machine, sms, {}), GetParam());
    EXPECT_EQ(difference(without.runs, with.runs, without.counters), "") << sms;
  }
}

INSTANTIATE_TEST_SUITE_P(, WorkloadsOnGroups,
                         testing::Values("reduction", "bfs", "histogram", "matrix-multiply"),
                         [](const auto& tested) { return as_test_name(tested.param); });

TEST(MultiprocessorGroups, HaveTheirOwnOccupancy) {
  const Machine machine =
      with_group(machine_of({"chip.sms=2", "sm.blocks=8"}), 1, {"sm.blocks=3"}, "small");
  ChipRun run(kernel_of("ret;"), machine);
  const auto words = run.zeros<std::uint32_t>(1024);
  const KernelRun& launch = run.launch("k", {20}, {32}, words);
  ASSERT_EQ(launch.occupancy_by_kind.size(), 2U);
  EXPECT_EQ(launch.occupancy_by_kind[0].blocks, 3U);
  EXPECT_EQ(launch.occupancy_by_kind[1].blocks, 8U);
  EXPECT_EQ(launch.occupancy.blocks, 8U);
  EXPECT_EQ(launch.blocks_done, 20U);
}

TEST(MultiprocessorGroups, GetNoBlocksThatDoNotFit) {
  const Machine machine =
      with_group(machine_of({"chip.sms=3"}), 2, {"sm.shared_bytes=1024"}, "bare");
  const std::string ptx = kernel_of(R"(
  mov.u32 %r5, %smid;
  st.shared.u32 [s], %r5;
  ld.shared.u32 %r6, [s];
  st.global.u32 [%rd2], %r6;
  ret;)",
                                    ".shared .align 4 .b32 s[1024];\n");
  ChipRun run(ptx, machine);
  const auto words = run.zeros<std::uint32_t>(1024);
  const KernelRun& launch = run.launch("k", {9}, {32}, words);
  EXPECT_EQ(launch.occupancy_by_kind[0].blocks, 0U);
  for (const std::uint32_t sm : run.download<std::uint32_t>(words, 9 * 32)) EXPECT_EQ(sm, 2U);
}

TEST(MultiprocessorGroups, AreAllNamedWhenABlockFitsOnNone) {
  Machine machine = with_group(machine_of({"chip.sms=3", "sm.shared_bytes=2048"}), 2,
                               {"sm.shared_bytes=1024"}, "bare");
  ChipRun run(kernel_of("st.shared.u32 [s], %r1;\nret;", ".shared .align 4 .b32 s[1024];\n"),
              machine);
  const auto words = run.zeros<std::uint32_t>(64);
  try {
    run.launch("k", {1}, {32}, words);
    ADD_FAILURE() << "expected an error: the block fits on no multiprocessor";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("of group 'bare'"), HasSubstr("1024 bytes"),
                                    HasSubstr("2048 bytes")));
  }
}

TEST(MultiprocessorGroups, MayHaveDifferentDivergencePolicies) {
  const Machine machine =
      with_group(load_machine("large-warps", {"chip.sms=2", "sm.blocks=32"}), 1,
                 {"divergence.policy=large-warp", "divergence.large_warp=256"}, "large");
  ChipRun run(kernel_of("ret;"), machine);
  const auto words = run.zeros<std::uint32_t>(96);
  const KernelRun& launch = run.launch("k", {1}, {96}, words);
  EXPECT_EQ(launch.occupancy_by_kind[0].blocks, 8U) << "two share a large warp of eight rows";
  EXPECT_EQ(launch.occupancy_by_kind[1].blocks, 10U) << "32 warps, three per block";
  EXPECT_TRUE(run_on_chip(machine, "bfs").result.check.passed());
}

TEST(ComponentCounters, AddUpToTheChipsCounters) {
  const Machine machine = with_group(load_machine("warpman", {"chip.sms=5"}), 2, {"l1.bytes=4K"});
  const WorkloadOnChip run = run_on_chip(machine, "bfs", {.count_by_component = true});
  ASSERT_GT(run.runs.size(), 1U);
  for (const KernelRun& launch : run.runs) {
    ASSERT_EQ(launch.by_component.sms.size(), 5U);
    ASSERT_EQ(launch.by_component.partitions.size(), machine.memory.memory.partitions);
    std::vector<std::uint64_t> sums;
    for (const CountersByComponent* each :
         {&launch.by_component.sms, &launch.by_component.partitions}) {
      for (std::size_t i = 0; i < each->front().size(); ++i) {
        sums.push_back(
            std::accumulate(each->begin(), each->end(), std::uint64_t{0},
                            [&](std::uint64_t sum, const auto& one) { return sum + one[i]; }));
      }
    }
    EXPECT_EQ(sums, launch.counters);
  }
}

TEST(ComponentCounters, AreKeptOnlyOnRequest) {
  const WorkloadOnChip run = run_on_chip(load_machine("warpman"), "reduction");
  for (const KernelRun& launch : run.runs) EXPECT_TRUE(launch.by_component.empty());
}

}  // namespace
}  // namespace heddle::gpu::test
