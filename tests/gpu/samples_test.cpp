// Samples of launches: the increase of each counter in successive intervals.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "device/ptx_text.h"
#include "device/stepped_run.h"
#include "exec/fault/fault.h"
#include "gpu/chip_run.h"
#include "gpu/workload_on_chip.h"

namespace heddle::gpu::test {
namespace {

constexpr Cycles kInterval(700);

ChipOptions sampling_options(std::uint32_t threads = 1) {
  return {.threads = threads, .sample_interval = kInterval};
}

/// The sample as a KernelRun, so that counter_of() and sum_of() accept it.
KernelRun as_run(const Sample& sample) {
  return {.begin = sample.begin, .cycles = sample.end - sample.begin, .counters = sample.counters};
}

/// Checks that a launch's samples are contiguous from its begin to its end, and that they add up to
/// its counters.
void expect_samples_add_up(const KernelRun& run) {
  ASSERT_FALSE(run.samples.empty());
  std::vector<std::uint64_t> sums(run.counters.size(), 0);
  Cycle at = run.begin;
  for (const Sample& sample : run.samples) {
    EXPECT_EQ(sample.begin, at);
    at = sample.end;
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += sample.counters[i];
  }
  EXPECT_EQ(at, run.begin + run.cycles);
  EXPECT_EQ(sums, run.counters);
}

/// Checks that within each sample every cycle of a scheduler and of a warp has exactly one cause.
void expect_cycles_add_up(const Machine& machine, const KernelRun& run,
                          const std::vector<CounterName>& counters) {
  for (const Sample& sample : run.samples) {
    const KernelRun part = as_run(sample);
    EXPECT_EQ(sum_of(part, counters, "scheduler."),
              part.cycles.count * machine.chip.sms * machine.sm.schedule.schedulers)
        << "from cycle " << sample.begin.number;
    EXPECT_EQ(sum_of(part, counters, "warp."),
              counter_of(part, counters, "sm.resident_warp_cycles"))
        << "from cycle " << sample.begin.number;
  }
}

class Samples : public testing::TestWithParam<std::string> {};

TEST_P(Samples, AddUpToCountersAndChangeNothing) {
  const Machine machine = load_machine(GetParam());
  std::size_t longest = 0;
  for (const std::string& workload :
       tested_workloads({"bfs", "histogram", "hotspot", "reduction"})) {
    SCOPED_TRACE(workload);
    if (find_misfit(GetParam(), workload)) continue;
    const WorkloadOnChip plain = run_on_chip(machine, workload);
    const WorkloadOnChip recorded = run_on_chip(machine, workload, sampling_options());
    EXPECT_EQ(difference(recorded.runs, plain.runs, plain.counters), "");
    for (const KernelRun& run : recorded.runs) {
      expect_samples_add_up(run);
      expect_cycles_add_up(machine, run, recorded.counters);
      longest = std::max(longest, run.samples.size());
    }
    for (const KernelRun& run : plain.runs) EXPECT_TRUE(run.samples.empty());
  }
  EXPECT_GT(longest, kSanitized ? 2U : 8U);
}

INSTANTIATE_TEST_SUITE_P(, Samples, testing::ValuesIn(kBaselines),
                         [](const auto& tested) { return as_test_name(tested.param); });

void expect_same_samples(const std::vector<KernelRun>& runs,
                         const std::vector<KernelRun>& expected) {
  ASSERT_EQ(runs.size(), expected.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    ASSERT_EQ(runs[i].samples.size(), expected[i].samples.size());
    for (std::size_t j = 0; j < runs[i].samples.size(); ++j) {
      EXPECT_EQ(runs[i].samples[j].begin, expected[i].samples[j].begin);
      EXPECT_EQ(runs[i].samples[j].end, expected[i].samples[j].end);
      EXPECT_EQ(runs[i].samples[j].counters, expected[i].samples[j].counters);
    }
  }
}

TEST(SampledLaunches, HaveSameSamplesForAnyNumberOfHostThreads) {
  const Machine machine = load_machine("warpman");
  const WorkloadOnChip one = run_on_chip(machine, "bfs", sampling_options());
  for (const std::uint32_t threads : {2U, 4U}) {
    expect_same_samples(run_on_chip(machine, "bfs", sampling_options(threads)).runs, one.runs);
  }
}

/// A kernel that executes `turn` in each of 200 loop iterations and then stores.
std::string looping(const std::string& turn) {
  return device::test::kernel_of("mov.u32 %r10, 0;\nTURN:\n" + turn + R"(
  add.u32 %r10, %r10, 1;
  setp.lt.u32 %p1, %r10, 200;
  @%p1 bra TURN;
  st.global.u32 [%rd2], %r10;
  ret;)");
}

TEST(SampledLaunches, EndSamplesAtTheFirstEpochAfterAMultiple) {
  ChipRun run(looping("add.u32 %r11, %r11, %r10;"), machine_of({"chip.sms=2"}), sampling_options());
  const KernelRun& recorded = run.launch("k", {8}, {256}, run.zeros<std::uint32_t>(4096));
  const Machine& machine = run.chip().machine();
  const std::uint64_t epoch =
      std::min<std::uint64_t>(machine.dispatch.latency, 2 * machine.interconnect.latency);
  ASSERT_GT(recorded.samples.size(), 3U);
  for (std::size_t i = 0; i + 2 < recorded.samples.size(); ++i) {
    const std::uint64_t multiple = (i + 1) * kInterval.count;
    EXPECT_GE((recorded.samples[i].end - recorded.begin).count, multiple);
    EXPECT_LT((recorded.samples[i].end - recorded.begin).count, multiple + epoch);
  }
}

TEST(SampledLaunches, HaveOneSampleForAnIdleStretch) {
  ChipRun run(looping("ld.volatile.global.u32 %r11, [%rd2];"),
              machine_of({"chip.sms=1", "dram.policy=fixed", "dram.latency=5000"}),
              sampling_options());
  const KernelRun& recorded = run.launch("k", {1}, {32}, run.zeros<std::uint32_t>(32));
  expect_samples_add_up(recorded);
  expect_cycles_add_up(run.chip().machine(), recorded, run.chip().counters());
  EXPECT_TRUE(
      std::any_of(recorded.samples.begin(), recorded.samples.end(), [](const Sample& sample) {
        return (sample.end - sample.begin).count > 3 * kInterval.count;
      }));
}

TEST(SampledLaunches, HaveSeparateSamplesPerLaunch) {
  ChipRun run(looping("ld.volatile.global.u32 %r11, [%rd2];"), machine_of({"chip.sms=2"}),
              sampling_options());
  const auto words = run.zeros<std::uint32_t>(4096);
  for (int i = 0; i < 2; ++i) run.launch("k", {8}, {128}, words);
  ASSERT_EQ(run.chip().runs().size(), 2U);
  EXPECT_GT(run.chip().runs()[1].begin, Cycle(0));
  for (const KernelRun& each : run.chip().runs()) {
    EXPECT_GT(each.samples.size(), 3U);
    expect_samples_add_up(each);
  }
}

TEST(SampledLaunches, CountLateStoresInAnEmptySample) {
  // Each lane stores to its own line, and the kernel ends before the stores arrive.
  ChipRun run(device::test::kernel_of(R"(
  mul.wide.u32 %rd3, %r1, 128;
  add.u64 %rd3, %rd1, %rd3;
  st.global.u32 [%rd3], %r4;
  ret;)"),
              machine_of({"chip.sms=1"}), sampling_options());
  const KernelRun& recorded = run.launch("k", {4}, {128}, run.zeros<std::uint32_t>(512 * 32));
  expect_samples_add_up(recorded);
  const Sample& last = recorded.samples.back();
  EXPECT_EQ(last.begin, last.end);
  EXPECT_GT(counter_of(as_run(last), run.chip().counters(), "crossbar.requests"), 0U);
}

TEST(SampledLaunches, KeepSamplesTakenBeforeAFault) {
  // The address of the last iteration is invalid.
  ChipRun run(looping(R"(
  setp.eq.u32 %p2, %r10, 150;
  @%p2 st.global.u32 [%rd2+1048576], %r4;
  ld.volatile.global.u32 %r11, [%rd2];)"),
              machine_of({"chip.sms=2"}), sampling_options());
  const auto words = run.zeros<std::uint32_t>(4096);
  EXPECT_THROW(run.launch("k", {8}, {128}, words), exec::SimulatedFault);
  EXPECT_GT(run.last_launch().samples.size(), 3U);
  expect_samples_add_up(run.last_launch());
}

TEST(SampledLaunches, KeepSamplesTakenBeforeACycleLimit) {
  ChipOptions options = sampling_options();
  options.max_cycles = 5000;
  ChipRun run(looping("ld.volatile.global.u32 %r11, [%rd2];"), machine_of({"chip.sms=2"}), options);
  const auto words = run.zeros<std::uint32_t>(4096);
  EXPECT_THROW(run.launch("k", {8}, {128}, words), exec::SimulatedFault);
  EXPECT_EQ(run.last_launch().samples.size(), 7U);
  expect_samples_add_up(run.last_launch());
}

TEST(SampledLaunches, CountTheWholeChipWhenLaunchesOverlap) {
  const std::string ptx = looping("ld.volatile.global.u32 %r11, [%rd2];");
  std::vector<std::vector<KernelRun>> runs;
  for (const ChipOptions& options : {ChipOptions{}, sampling_options(), sampling_options(2)}) {
    device::Device device;
    const device::LoadedModule& module = device.load({{.file = "test.ptx", .text = ptx}});
    const auto prepare = [&](std::uint32_t blocks) {
      device::Arguments arguments;
      arguments.add(device.allocate(blocks * 64 * 4));
      return std::make_unique<device::test::PreparedLaunch>(
          device, device.find_kernel(module, "k"),
          device::LaunchConfiguration{.grid = {blocks}, .block = {64}}, arguments);
    };
    const auto first = prepare(24);
    const auto second = prepare(8);
    const auto third = prepare(8);
    Chip chip(machine_of({"chip.sms=4"}), options);
    chip.run_streams({{&first->launch}, {&second->launch, &third->launch}});
    runs.push_back(chip.runs());
    EXPECT_EQ(difference(runs.back(), runs.front(), chip.counters()), "");
  }
  expect_same_samples(runs[2], runs[1]);
  const std::vector<KernelRun>& recorded = runs[1];
  ASSERT_EQ(recorded.size(), 3U);
  for (const KernelRun& run : recorded) expect_samples_add_up(run);
  // The first two launches begin together. The third begins when the second has ended, and its
  // samples begin there.
  EXPECT_EQ(recorded[0].samples[0].counters, recorded[1].samples[0].counters);
  EXPECT_GT(recorded[2].begin, recorded[0].begin);
  EXPECT_EQ(recorded[2].samples[0].begin, recorded[2].begin);
}

}  // namespace
}  // namespace heddle::gpu::test
