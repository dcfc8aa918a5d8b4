// Storage policies on a chip: launches with different needs, one after another and side by side.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "base/error.h"
#include "device/stepped_run.h"
#include "gpu/chip_run.h"
#include "gpu/workload_on_chip.h"
#include "sm/storage_sizes.h"

namespace heddle::gpu::test {
namespace {

/// The multiprocessor's memory has 8 KB: a scratchpad of 0, 2, 4 or 6 KB, and an L1 in sets of 512
/// bytes.
const Settings kCarveOut{
    "chip.sms=1",        "sm.blocks=2", "sm.shared_bytes=6K",       "l1.bytes=2K",
    "l1.line_bytes=128", "l1.ways=4",   "storage.policy=carve-out", "storage.step=2K"};
constexpr std::uint32_t kLines = 32;

/// A kernel of one thread that loads `kLines` lines twice. Each load waits for the one before. The
/// kernel has `shared_bytes` bytes of shared memory.
std::string kernel(const std::string& name, std::uint32_t shared_bytes) {
  const std::string bytes = std::to_string(kLines * 128);
  const std::string shared = shared_bytes == 0
                                 ? ""
                                 : ".shared .align 4 .b8 s[" + std::to_string(shared_bytes) +
                                       "];\nmov.u32 %shared, s;\nst.shared.u32 [%shared], %turn;\n";
  return "\n.visible .entry " + name + R"((.param .u64 lines)
{
  .reg .b32 %value, %turn, %shared;
  .reg .b64 %at, %zero;
  .reg .pred %again, %more;
  ld.param.u64 %at, [lines];
  mov.u32 %turn, 0;
)" + shared +
         R"(
NEXT:
  ld.global.u32 %value, [%at];
  cvt.u64.u32 %zero, %value;
  add.u64 %at, %at, %zero;
  add.u64 %at, %at, 128;
  add.u32 %turn, %turn, 1;
  setp.eq.u32 %again, %turn, )" +
         std::to_string(kLines) + ";\n@%again sub.u64 %at, %at, " + bytes +
         ";\nsetp.lt.u32 %more, %turn, " + std::to_string(2 * kLines) + R"(;
  @%more bra NEXT;
  setp.ne.u64 %again, %zero, 0;
  @%again trap;
  ret;
}
)";
}

const std::string kHeader = ".version 8.0\n.target sm_80\n.address_size 64\n";
const std::string kKernels =
    kHeader + kernel("plain", 0) + kernel("some", 2048) + kernel("more", 3072) + R"(
.visible .entry fill(.param .u64 lines)
{
  .reg .b32 %thread;
  .reg .b64 %at, %offset;
  ld.param.u64 %at, [lines];
  mov.u32 %thread, %tid.x;
  mul.wide.u32 %offset, %thread, 128;
  add.u64 %at, %at, %offset;
  st.global.u32 [%at], 0;
  ret;
}
)";

sm::StorageSizes sizes_of(const KernelRun& run) { return run.storage_by_kind.at(0); }

struct Expected {
  std::string kernel;
  std::uint32_t shared_bytes;
  std::uint64_t l1_bytes;
  std::uint64_t hits;
};

TEST(Storage, CarveOutFollowsTheNeedsOfEachLaunch) {
  ChipRun chip(kKernels, kCarveOut);
  const device::DevicePointer lines = chip.zeros<std::uint8_t>(kLines * 128);
  // Two blocks are resident. The lines stay in an L1 that is at least 4 KB large.
  for (const Expected& expected : std::vector<Expected>{{"plain", 0, 8192, kLines},
                                                        {"some", 4096, 4096, kLines},
                                                        {"more", 6144, 2048, 0},
                                                        {"plain", 0, 8192, kLines}}) {
    const KernelRun& run = chip.launch(expected.kernel, {1}, {1}, lines);
    EXPECT_EQ(sizes_of(run).shared_bytes, expected.shared_bytes) << expected.kernel;
    EXPECT_EQ(sizes_of(run).l1_bytes, expected.l1_bytes) << expected.kernel;
    EXPECT_EQ(run.occupancy.blocks, 2U) << expected.kernel;
    EXPECT_EQ(chip.counter("l1.hits"), expected.hits) << expected.kernel;
    EXPECT_EQ(chip.counter("l1.misses"), 2 * kLines - expected.hits) << expected.kernel;
  }
}

TEST(Storage, FixedKeepsSizesOfParameters) {
  ChipRun chip(kKernels, kCarveOut + Settings{"storage.policy=fixed"});
  const device::DevicePointer lines = chip.zeros<std::uint8_t>(kLines * 128);
  for (const std::string name : {"plain", "some", "more"}) {
    const KernelRun& run = chip.launch(name, {1}, {1}, lines);
    EXPECT_EQ(sizes_of(run).shared_bytes, 6144U) << name;
    EXPECT_EQ(sizes_of(run).l1_bytes, 2048U) << name;
    EXPECT_EQ(chip.counter("l1.hits"), 0U) << name;
  }
}

/// A memory of 12 KB, which two blocks of a warp and the L1 divide.
const Settings kUnified = kCarveOut + Settings{"storage.policy=unified",   "sm.registers=1024",
                                               "operands.policy=banked",   "scratchpad.banks=8",
                                               "scratchpad.bank_bytes=16", "lsu.shared_pipe=yes",
                                               "sm.register_unit=32"};

TEST(Storage, UnifiedDividesTheWholeMemoryForEachLaunch) {
  ChipRun chip(kKernels, kUnified);
  const device::DevicePointer lines = chip.zeros<std::uint8_t>(kLines * 128);
  for (const auto& [name, shared_bytes, hits] :
       std::vector<std::tuple<std::string, std::uint32_t, std::uint32_t>>{
           {"plain", 0, kLines},
           {"some", 2048, kLines},
           // The L1 has 7 sets of 4 lines. The 32 lines are 5 in four of the sets, which evict each
           // other, and 4 in three of them.
           {"more", 3072, 12},
           {"plain", 0, kLines}}) {
    const KernelRun& run = chip.launch(name, {1}, {1}, lines);
    const std::uint32_t registers = 2 * 32 * run.registers_per_thread;
    EXPECT_EQ(sizes_of(run).registers, registers) << name;
    EXPECT_EQ(sizes_of(run).shared_bytes, 2 * shared_bytes) << name;
    EXPECT_EQ(sizes_of(run).l1_bytes, (12288 - 4 * registers - 2 * shared_bytes) / 512 * 512)
        << name;
    EXPECT_EQ(run.occupancy.blocks, 2U) << name;
    EXPECT_EQ(chip.counter("l1.hits"), hits) << name;
  }
}

TEST(Storage, UnifiedRefusesABlockThatNeedsMoreThanTheWholeMemory) {
  ChipRun chip(kHeader + kernel("large", 12288), kUnified);
  const device::DevicePointer lines = chip.zeros<std::uint8_t>(kLines * 128);
  try {
    chip.launch("large", {1}, {1}, lines);
    ADD_FAILURE() << "expected an error";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("shared memory"));
    EXPECT_THAT(error.what(), testing::HasSubstr("12288"));
  }
}

TEST(Storage, ChangesAfterDirtyLinesAreWrittenBack) {
  ChipRun chip(kKernels, kCarveOut + Settings{"l1.global_writes=back", "l1.local_writes=back"});
  const device::DevicePointer lines = chip.zeros<std::uint8_t>(kLines * 128);
  for (const std::string next : {"more", "plain"}) {
    chip.launch("fill", {1}, {kLines}, lines);
    EXPECT_EQ(chip.counter("l1.writebacks"), kLines) << "the L1 holds all lines until the end";
    chip.launch(next, {1}, {1}, lines);
    EXPECT_EQ(chip.counter("l1.writebacks"), 0U);
    EXPECT_EQ(chip.counter("l1.misses"), next == "plain" ? kLines : 2 * kLines);
  }
}

TEST(Storage, HasSizesOfParametersWhileStreamsRunSideBySide) {
  device::Device device;
  const device::LoadedModule& module = device.load({{.file = "test.ptx", .text = kKernels}});
  const device::DevicePointer lines = device.allocate(kLines * 128);
  device.set(lines, 0, kLines * 128);
  device::Arguments arguments;
  arguments.add(lines);
  const device::test::PreparedLaunch plain(device, device.find_kernel(module, "plain"),
                                           {.grid = {1}, .block = {1}}, arguments);
  const device::test::PreparedLaunch more(device, device.find_kernel(module, "more"),
                                          {.grid = {1}, .block = {1}}, arguments);
  Chip chip(machine_of(kCarveOut));
  chip.run(plain.launch);
  chip.run_streams({{&plain.launch, &more.launch}, {&more.launch, &plain.launch}});
  chip.run(plain.launch);
  const std::vector<std::uint64_t> expected{8192, 2048, 2048, 2048, 2048, 8192};
  ASSERT_EQ(chip.runs().size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(sizes_of(chip.runs()[i]).l1_bytes, expected[i]) << i;
  }
}

TEST(Storage, DiffersBetweenGroups) {
  Machine machine = machine_of(kCarveOut + Settings{"chip.sms=2"});
  machine.groups.push_back({.name = "small", .sms = 1, .sm = machine.sm});
  machine.groups[0].sm.residency.shared_bytes = 4096;
  ChipRun chip(kKernels, machine);
  const device::DevicePointer lines = chip.zeros<std::uint8_t>(kLines * 128);
  const KernelRun& run = chip.launch("more", {2}, {1}, lines);
  ASSERT_EQ(run.storage_by_kind.size(), 2U);
  EXPECT_EQ(run.storage_by_kind[0].shared_bytes, 4096U) << "one block of 3 KB";
  EXPECT_EQ(run.storage_by_kind[0].l1_bytes, 2048U);
  EXPECT_EQ(run.occupancy_by_kind[0].blocks, 1U);
  EXPECT_EQ(run.storage_by_kind[1].shared_bytes, 6144U) << "two blocks";
  EXPECT_EQ(run.occupancy_by_kind[1].blocks, 2U);
}

TEST(Storage, GivesSameRunForAnyNumberOfHostThreads) {
  const Machine machine = load_machine(
      "warpman", {"chip.sms=4", "storage.policy=carve-out", "storage.least_shared=16K"});
  for (const char* const workload : {"reduction", "hotspot", "matrix-multiply"}) {
    SCOPED_TRACE(workload);
    const WorkloadOnChip one = run_on_chip(machine, workload);
    EXPECT_TRUE(one.result.check.passed());
    for (const std::uint32_t threads : {2U, 4U}) {
      const WorkloadOnChip again = run_on_chip(machine, workload, {.threads = threads});
      EXPECT_EQ(difference(one.runs, again.runs, one.counters), "") << threads;
    }
  }
}

}  // namespace
}  // namespace heddle::gpu::test
