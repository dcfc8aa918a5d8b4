// Write policies of the L1, and what happens to dirty lines when a kernel ends. Write policies
// change no result, and a run does not depend on the number of host threads.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "device/ptx_text.h"
#include "gpu/chip_run.h"
#include "gpu/traced_run.h"
#include "gpu/workload_on_chip.h"

namespace heddle::gpu::test {
namespace {

const Settings kWriteBack{"l1.global_writes=back", "l1.local_writes=back"};

/// fill: each thread stores its number in its word. add: each thread adds 1 to its word. keep: each
/// thread stores to and loads from its local memory.
const std::string kKernels = device::test::module_of(R"(
.visible .entry fill(.param .u64 p)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd2, %rd1, %rd2;
  st.global.u32 [%rd2], %r1;
  ret;
}
.visible .entry add(.param .u64 p)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd2, %rd1, %rd2;
  ld.global.u32 %r2, [%rd2];
  add.u32 %r2, %r2, 1;
  st.global.u32 [%rd2], %r2;
  ret;
}
.visible .entry keep(.param .u64 p)
{
  .local .align 16 .b8 frame[64];
  .reg .b32 %r<4>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [p];
  ld.global.u32 %r1, [%rd1];
  mov.u64 %rd2, frame;
  mul.wide.u32 %rd3, %r1, 4;
  add.u64 %rd2, %rd2, %rd3;
  mov.u32 %r2, %tid.x;
  st.local.u32 [%rd2], %r2;
  ld.local.u32 %r3, [%rd2];
  mul.wide.u32 %rd4, %r2, 4;
  add.u64 %rd4, %rd1, %rd4;
  st.global.u32 [%rd4+4], %r3;
  ret;
}
)");

/// A chip with one multiprocessor. A line has 128 bytes: one word for each thread of a warp.
ChipRun one_multiprocessor(const Settings& settings) {
  return ChipRun(kKernels, Settings{"chip.sms=1", "l1.line_bytes=128", "l1.ways=4", "l1.bytes=16K",
                                    "interconnect.header_bytes=8"} +
                               settings);
}

TEST(L1WriteBack, FlushesDirtyLinesAtKernelEnd) {
  ChipRun chip = one_multiprocessor(kWriteBack);
  const device::DevicePointer words = chip.zeros<std::uint32_t>(256);
  chip.launch("fill", {1, 1, 1}, {256, 1, 1}, words);
  EXPECT_EQ(chip.counter("l1.store_misses"), 8U);
  EXPECT_EQ(chip.counter("l1.writebacks"), 8U);
  EXPECT_EQ(chip.counter("l1.writeback_bytes"), 8U * 128);
  EXPECT_EQ(chip.counter("crossbar.requests"), 8U);
  EXPECT_EQ(chip.counter("l2.writes"), 8U);
}

TEST(L1WriteBack, InvalidatesLinesAtKernelEnd) {
  ChipRun chip = one_multiprocessor(kWriteBack);
  const device::DevicePointer words = chip.zeros<std::uint32_t>(256);
  chip.launch("fill", {1, 1, 1}, {256, 1, 1}, words);
  chip.launch("add", {1, 1, 1}, {256, 1, 1}, words);
  EXPECT_EQ(chip.counter("l1.misses"), 8U);
  EXPECT_EQ(chip.counter("l1.store_hits"), 8U);
  EXPECT_EQ(chip.counter("l1.writebacks"), 8U);
  EXPECT_EQ(chip.download<std::uint32_t>(words, 256)[255], 256U);
}

TEST(L1WriteBack, DelaysTheNextKernelUntilTheFlushArrives) {
  const auto cycles_between_launches = [](const Settings& policy) {
    ChipRun chip = one_multiprocessor(policy + Settings{"interconnect.bytes_per_cycle=1"});
    const device::DevicePointer words = chip.zeros<std::uint32_t>(256);
    chip.launch("fill", {1, 1, 1}, {256, 1, 1}, words);
    chip.launch("add", {1, 1, 1}, {256, 1, 1}, words);
    const KernelRun& first = chip.chip().runs()[0];
    return (chip.last_launch().begin - (first.begin + first.cycles)).count;
  };
  // Eight lines of 128 bytes and their 8-byte headers leave through a port of one byte per cycle.
  EXPECT_GE(cycles_between_launches(kWriteBack), 8U * 136);
}

TEST(L1WriteBack, FlushIsNotPartOfTheKernelsCycles) {
  const auto cycles = [](const std::string& width) {
    ChipRun chip =
        one_multiprocessor(kWriteBack + Settings{"interconnect.bytes_per_cycle=" + width});
    chip.launch("fill", {1, 1, 1}, {256, 1, 1}, chip.zeros<std::uint32_t>(256));
    return chip.cycles();
  };
  EXPECT_EQ(cycles("1"), cycles("64"));
}

TEST(L1LocalStores, StayInTheCacheUnderGlobalWriteEvict) {
  ChipRun chip = one_multiprocessor({"l1.global_writes=evict", "l1.local_writes=back"});
  chip.launch("keep", {1, 1, 1}, {32, 1, 1}, chip.zeros<std::uint32_t>(64));
  EXPECT_EQ(chip.counter("lsu.local_stores"), 1U);
  EXPECT_EQ(chip.counter("l1.hits"), 1U) << "the load of the stored value";
  EXPECT_EQ(chip.counter("l1.writebacks"), 1U);
}

struct Policy {
  std::string name;
  Settings settings;
};

class L1WritePolicies : public testing::TestWithParam<Policy> {};

TEST_P(L1WritePolicies, GiveSameRunForAnyNumberOfHostThreads) {
  for (const char* const name : {"preexec", "large-warps"}) {
    const Machine machine = load_machine(name, GetParam().settings);
    for (const std::string& workload : tested_workloads({"histogram", "bfs", "bucket-sort"})) {
      SCOPED_TRACE(std::string(name) + " " + workload);
      const WorkloadOnChip one = run_on_chip(machine, workload);
      EXPECT_TRUE(one.result.check.passed());
      const WorkloadOnChip four = run_on_chip(machine, workload, {.threads = 4});
      EXPECT_EQ(difference(one.runs, four.runs, one.counters), "");
      for (const KernelRun& run : one.runs) {
        const auto count = [&](std::string_view counter) {
          return counter_of(run, one.counters, counter);
        };
        EXPECT_EQ(count("crossbar_out.requests_sent"), count("crossbar.requests"));
        EXPECT_EQ(count("l1.store_hits") + count("l1.store_misses"), count("lsu.store_segments"));
      }
    }
  }
}

TEST_P(L1WritePolicies, TraceEventsMatchCounters) {
  TraceText trace;
  const Machine machine = load_machine("preexec", GetParam().settings + Settings{"l1.bytes=1K"});
  const WorkloadOnChip run = run_on_chip(machine, "bucket-sort", {.trace = trace.trace()});
  const std::vector<TracedEvent> events = trace.events();
  const auto traced = [&](std::string_view event, std::string_view cause = {}) {
    return static_cast<std::uint64_t>(
        std::count_if(events.begin(), events.end(), [&](const TracedEvent& each) {
          return each.event == event && (cause.empty() || each.cause == cause);
        }));
  };
  const auto counted = [&](std::string_view counter) {
    std::uint64_t sum = 0;
    for (const KernelRun& each : run.runs) sum += counter_of(each, run.counters, counter);
    return sum;
  };
  EXPECT_EQ(traced("l1_written_back"), counted("l1.writebacks"));
  EXPECT_EQ(traced("lsu_access", "store"), counted("lsu.store_segments"));
  EXPECT_EQ(traced("request_sent"), counted("crossbar_out.requests_sent"));
  if (GetParam().settings == kWriteBack) {
    EXPECT_EQ(traced("l1_store_hit"), counted("l1.store_hits"));
    EXPECT_EQ(traced("l1_store_miss"), counted("l1.store_misses"));
    for (const char* const cause : {"evicted", "kernel_end"}) {
      EXPECT_GT(traced("l1_written_back", cause), 0U) << cause;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    , L1WritePolicies,
    testing::Values(Policy{"evict", {"l1.global_writes=evict", "l1.local_writes=evict"}},
                    Policy{"back", kWriteBack},
                    Policy{
                        "back_without_lines",
                        {"l1.global_writes=back-no-allocate", "l1.local_writes=back-no-allocate"}}),
    [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace heddle::gpu::test
