// Several streams of launches that run at the same time on one chip.

#include <gtest/gtest.h>

#include "base/error.h"
#include "device/ptx_text.h"
#include "device/stepped_run.h"
#include "gpu/chip_run.h"
#include "gpu/workload_on_chip.h"

namespace heddle::gpu::test {
namespace {

using device::test::PreparedLaunch;

/// fill: each thread stores its number plus `plus` in its word, after `turns` loop iterations.
/// follow: each thread multiplies its word by 3 and adds 1.
constexpr const char* kKernels = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry fill(.param .u64 p, .param .u32 plus, .param .u32 turns)
{
  .reg .pred %p<4>;
  .reg .b32 %r<20>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [p];
  ld.param.u32 %r8, [plus];
  ld.param.u32 %r9, [turns];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.u32 %r1, %r2, %r3, %r4;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd2, %rd1, %rd2;
LOOP:
  setp.eq.u32 %p1, %r9, 0;
  @%p1 bra DONE;
  ld.volatile.global.u32 %r5, [%rd2];
  sub.u32 %r9, %r9, 1;
  bra LOOP;
DONE:
  add.u32 %r6, %r1, %r8;
  st.global.u32 [%rd2], %r6;
  ret;
}
.visible .entry follow(.param .u64 p)
{
  .reg .b32 %r<20>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.u32 %r1, %r2, %r3, %r4;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd2, %rd1, %rd2;
  ld.global.u32 %r5, [%rd2];
  mad.lo.u32 %r5, %r5, 3, 1;
  st.global.u32 [%rd2], %r5;
  ret;
}
)";

/// A device and launches that are prepared on it. The device has no engine; tests run the launches
/// on a chip.
struct Scene {
  Scene() : module(&device.load({{.file = "test.ptx", .text = kKernels}})) {}

  device::DevicePointer zeros(std::size_t words) {
    const device::DevicePointer pointer = device.allocate(words * 4);
    device.set(pointer, 0, words * 4);
    return pointer;
  }
  template <class... Values>
  const exec::Launch* prepare(const char* kernel, std::uint32_t blocks, const Values&... values) {
    device::Arguments arguments;
    (arguments.add(values), ...);
    launches.push_back(std::make_unique<PreparedLaunch>(
        device, device.find_kernel(*module, kernel),
        device::LaunchConfiguration{.grid = {blocks}, .block = {64}}, arguments));
    return &launches.back()->launch;
  }
  std::vector<std::uint32_t> words(device::DevicePointer from, std::size_t count) const {
    return device.download<std::uint32_t>(from, count);
  }

  device::Device device;
  const device::LoadedModule* module;
  std::vector<std::unique_ptr<PreparedLaunch>> launches;
};

void expect_numbers(const std::vector<std::uint32_t>& words, std::uint32_t times,
                    std::uint32_t plus) {
  for (std::uint32_t i = 0; i < words.size(); ++i) ASSERT_EQ(words[i], i * times + plus);
}

TEST(Streams, OverlapLaunchesOfDifferentStreams) {
  const Machine machine = machine_of({"chip.sms=4"});
  Scene scene;
  const device::DevicePointer a = scene.zeros(128);
  const device::DevicePointer b = scene.zeros(128);
  const exec::Launch* const first = scene.prepare("fill", 2, a, 7U, 40U);
  const exec::Launch* const second = scene.prepare("fill", 2, b, 9U, 40U);
  Chip alone(machine);
  alone.run(*first);
  const std::uint64_t by_itself = alone.runs()[0].cycles.count;

  Chip chip(machine);
  EXPECT_EQ(chip.run_streams({{first}, {second}}).size(), 2U);
  expect_numbers(scene.words(a, 128), 1, 7);
  expect_numbers(scene.words(b, 128), 1, 9);
  ASSERT_EQ(chip.runs().size(), 2U);
  EXPECT_EQ(chip.runs()[0].begin, chip.runs()[1].begin);
  for (const KernelRun& run : chip.runs()) {
    EXPECT_EQ(run.blocks_done, 2U);
    EXPECT_LT(run.cycles.count, by_itself * 3 / 2);
  }
}

TEST(Streams, FillFreePlacesWithBlocksOfTheSecondStream) {
  // The first launch occupies one block slot on each of four multiprocessors for long. The eight
  // blocks of the second launch use the other slots.
  const Machine machine = machine_of({"chip.sms=4", "sm.blocks=2"});
  Scene scene;
  const device::DevicePointer a = scene.zeros(256);
  const device::DevicePointer b = scene.zeros(512);
  Chip chip(machine);
  chip.run_streams(
      {{scene.prepare("fill", 4, a, 1U, 200U)}, {scene.prepare("fill", 8, b, 2U, 1U)}});
  expect_numbers(scene.words(a, 256), 1, 1);
  expect_numbers(scene.words(b, 512), 1, 2);
  EXPECT_GT(chip.runs()[0].cycles, chip.runs()[1].cycles);
}

TEST(Streams, CountReadyWarpsOnceAcrossLaunchStarts) {
  // The integer unit takes eight cycles per warp, so some of the warps are always ready and wait.
  const Machine machine = machine_of({"chip.sms=1", "units.integer.lanes=4"});
  Scene scene;
  const device::DevicePointer a = scene.zeros(256);
  const device::DevicePointer b = scene.zeros(64);
  std::vector<const exec::Launch*> short_ones;
  for (std::uint32_t turns = 1; turns < 8; ++turns) {
    short_ones.push_back(scene.prepare("fill", 1, b, 2U, turns));
  }
  Chip chip(machine);
  chip.run_streams({{scene.prepare("fill", 4, a, 1U, 400U)}, short_ones});
  const KernelRun& longest = chip.runs().front();
  for (const KernelRun& run : chip.runs()) ASSERT_LE(run.cycles, longest.cycles);
  EXPECT_GT(counter_of(longest, chip.counters(), "warp.math_pipe_throttle"), 0U);
  EXPECT_EQ(sum_of(longest, chip.counters(), "warp."),
            counter_of(longest, chip.counters(), "sm.resident_warp_cycles"));
}

TEST(Streams, RunLaunchesOfOneStreamInOrder) {
  Scene scene;
  const device::DevicePointer a = scene.zeros(1024);
  const device::DevicePointer b = scene.zeros(64);
  Chip chip(machine_of({"chip.sms=4"}));
  chip.run_streams({{scene.prepare("fill", 16, a, 5U, 20U), scene.prepare("follow", 16, a),
                     scene.prepare("follow", 16, a)},
                    {scene.prepare("fill", 1, b, 3U, 100U)}});
  expect_numbers(scene.words(a, 1024), 9, 9 * 5 + 3 + 1);
  expect_numbers(scene.words(b, 64), 1, 3);
  std::vector<const KernelRun*> first_stream_runs;
  for (const KernelRun& run : chip.runs()) {
    if (run.grid.x == 16) first_stream_runs.push_back(&run);
  }
  ASSERT_EQ(first_stream_runs.size(), 3U);
  for (std::size_t i = 1; i < first_stream_runs.size(); ++i) {
    EXPECT_GE(first_stream_runs[i]->begin,
              first_stream_runs[i - 1]->begin + first_stream_runs[i - 1]->cycles);
  }
}

TEST(Streams, CountCyclesBetweenLaunchesToNeither) {
  Scene scene;
  const device::DevicePointer a = scene.zeros(1024);
  const Machine machine = machine_of({"chip.sms=3"});
  Chip chip(machine);
  chip.run_streams({{scene.prepare("fill", 16, a, 5U, 20U), scene.prepare("follow", 16, a)}});
  ASSERT_EQ(chip.runs().size(), 2U);
  for (const KernelRun& run : chip.runs()) {
    EXPECT_EQ(sum_of(run, chip.counters(), "scheduler."),
              run.cycles.count * 3 * machine.sm.schedule.schedulers);
  }
}

TEST(Streams, GiveSameRunForAnyNumberOfHostThreads) {
  std::vector<KernelRun> expected;
  for (const std::uint32_t threads : {1U, 2U, 4U}) {
    Scene scene;
    std::vector<std::vector<const exec::Launch*>> streams;
    std::vector<device::DevicePointer> arrays;
    for (std::uint32_t i = 0; i < 3; ++i) {
      arrays.push_back(scene.zeros(640));
      streams.push_back(
          {scene.prepare("fill", 10, arrays[i], i, 7 * i), scene.prepare("follow", 10, arrays[i])});
    }
    Chip chip(machine_of({"chip.sms=5", "sm.blocks=3"}), {.threads = threads});
    chip.run_streams(streams);
    for (std::uint32_t i = 0; i < 3; ++i) {
      expect_numbers(scene.words(arrays[i], 640), 3, 3 * i + 1);
    }
    if (threads == 1) expected = chip.runs();
    EXPECT_EQ(difference(chip.runs(), expected, chip.counters()), "") << threads << " threads";
  }
}

TEST(Streams, MatchAPlainRunForASingleLaunch) {
  const Machine machine = machine_of({"chip.sms=3"});
  std::vector<std::vector<KernelRun>> runs;
  for (const bool as_stream : {false, true}) {
    Scene scene;
    const exec::Launch* const launch = scene.prepare("fill", 9, scene.zeros(1024), 1U, 5U);
    Chip chip(machine);
    exec::GridResult result;
    if (as_stream) {
      result = chip.run_streams({{launch}}).at(0);
    } else {
      result = chip.run(*launch);
    }
    EXPECT_EQ(result.warp_instructions, chip.runs()[0].warp_instructions);
    EXPECT_EQ(result.thread_instructions, chip.runs()[0].thread_instructions);
    runs.push_back(chip.runs());
    EXPECT_EQ(difference(runs.back(), runs.front(), chip.counters()), "");
  }
}

TEST(Streams, StopOnALaunchThatDoesNotFitAndLeaveTheChipUsable) {
  Scene scene;
  const device::DevicePointer a = scene.zeros(128);
  const exec::Launch* const good = scene.prepare("fill", 2, a, 7U, 4U);
  device::Arguments arguments;
  arguments.add(a);
  const PreparedLaunch misfit(scene.device, scene.device.find_kernel(*scene.module, "follow"),
                              {.grid = {1}, .block = {256}}, arguments);
  Chip chip(machine_of({"chip.sms=2", "sm.warps=4"}));
  EXPECT_THROW(chip.run_streams({{good, &misfit.launch}}), InputError);
  Chip fresh(machine_of({"chip.sms=2", "sm.warps=4"}));
  chip.run(*good);
  fresh.run(*good);
  EXPECT_EQ(difference(chip.runs().back(), fresh.runs().back(), chip.counters()), "");
}

}  // namespace
}  // namespace heddle::gpu::test
