// Which multiprocessor gets which block, and when.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "device/ptx_text.h"
#include "gpu/chip_run.h"

namespace heddle::gpu::test {
namespace {

using device::test::module_of;

/// Block n stores the number of its multiprocessor in word n. It reads the clock at its start and
/// at its end, and stores these cycles in words 64 + n and 128 + n. Between the two, it executes
/// `turns` * n loop iterations.
std::string recording_kernel(std::uint32_t turns) {
  return module_of(R"(
.visible .entry k(.param .u64 p)
{
  .reg .pred %p<4>;
  .reg .b32 %r<20>;
  .reg .b64 %rd<8>;
  mov.u32 %r1, %clock;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %smid;
  ld.param.u64 %rd1, [p];
  mul.wide.u32 %rd2, %r2, 4;
  add.u64 %rd2, %rd1, %rd2;
  mul.lo.u32 %r4, %r2, )" +
                   std::to_string(turns) + R"(;
LOOP:
  setp.eq.u32 %p1, %r4, 0;
  @%p1 bra DONE;
  sub.u32 %r4, %r4, 1;
  bra LOOP;
DONE:
  st.global.u32 [%rd2], %r3;
  st.global.u32 [%rd2+256], %r1;
  mov.u32 %r5, %clock;
  st.global.u32 [%rd2+512], %r5;
  ret;
}
)");
}

/// For each block its multiprocessor and the cycles of its first and last clock read.
struct Placement {
  std::vector<std::uint32_t> sm, first, last;
  std::uint64_t cycles = 0;
};

Placement run_recording(std::uint32_t blocks, std::uint32_t turns, const Settings& settings,
                        std::uint32_t threads_each = 32) {
  ChipRun run(recording_kernel(turns), settings);
  const device::DevicePointer out = run.zeros<std::uint32_t>(192);
  run.launch("k", {blocks}, {threads_each}, out);
  return {.sm = run.download<std::uint32_t>(out, blocks),
          .first = run.download<std::uint32_t>(out + 256, blocks),
          .last = run.download<std::uint32_t>(out + 512, blocks),
          .cycles = run.cycles()};
}

TEST(Dispatch, VisitsMultiprocessorsInTurn) {
  const Placement placement = run_recording(20, 1, {"chip.sms=6", "sm.blocks=4"});
  for (std::uint32_t block = 0; block < 20; ++block) EXPECT_EQ(placement.sm[block], block % 6);
}

TEST(Dispatch, RefillsAPlaceWhenItsBlockEnds) {
  // Three blocks fit on the chip. Block n takes the place of the (n - 2)th block to end.
  const Placement placement = run_recording(12, 40, {"chip.sms=3", "sm.blocks=1"});
  std::vector<std::uint32_t> end_order(12);
  for (std::uint32_t i = 0; i < 12; ++i) end_order[i] = i;
  std::sort(end_order.begin(), end_order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return placement.last[a] < placement.last[b];
  });
  for (std::uint32_t block = 3; block < 12; ++block) {
    EXPECT_EQ(placement.sm[block], placement.sm[end_order[block - 3]]) << block;
    EXPECT_GT(placement.first[block], placement.last[end_order[block - 3]]) << block;
  }
}

TEST(Dispatch, RespectsMultiprocessorCapacity) {
  struct Capacity {
    std::string setting;
    std::uint32_t blocks;
  };
  // Blocks have two warps.
  for (const Capacity& capacity :
       {Capacity{"sm.blocks=3", 3}, Capacity{"sm.warps=5", 2}, Capacity{"sm.warps=4", 2}}) {
    SCOPED_TRACE(capacity.setting);
    const Placement placement = run_recording(9, 30, {"chip.sms=1", capacity.setting}, 64);
    std::uint32_t most = 0;  // The largest number of blocks that run at the same time.
    for (std::uint32_t at = 0; at < 9; ++at) {
      std::uint32_t running = 0;
      for (std::uint32_t block = 0; block < 9; ++block) {
        if (placement.first[block] <= placement.first[at] &&
            placement.first[at] <= placement.last[block]) {
          ++running;
        }
      }
      most = std::max(most, running);
    }
    EXPECT_EQ(most, capacity.blocks);
  }
}

/// A kernel without memory accesses: each of its blocks takes the same number of cycles.
const std::string kIndependentKernel = R"(
.visible .entry k()
{
  .reg .pred %p<4>;
  .reg .b32 %r<8>;
  mov.u32 %r1, %clock;
  and.b32 %r1, %r1, 0;
LOOP:
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %p1, %r1, 10;
  @%p1 bra LOOP;
  ret;
}
)";

std::uint64_t cycles_of_independent_blocks(std::uint32_t blocks, const Settings& settings) {
  ChipRun run(module_of(kIndependentKernel), Settings{"icache.bytes=0"} + settings);
  return run.launch("k", {blocks}, {32}).cycles.count;
}

TEST(Dispatch, TakesExactlyItsLatency) {
  const std::uint64_t at_100 = cycles_of_independent_blocks(1, {"dispatch.latency=100"});
  for (const std::uint32_t latency : {40U, 41U, 101U, 139U, 977U}) {
    EXPECT_EQ(
        cycles_of_independent_blocks(1, {"dispatch.latency=" + std::to_string(latency)}) + 100,
        at_100 + latency);
  }
}

TEST(Dispatch, TakesItsLatencyBetweenSuccessiveBlocks) {
  // Multiprocessors run independently for one epoch at a time. An epoch is as long as the dispatch
  // latency or twice the crossbar's latency, so blocks end at various points in an epoch.
  for (const std::uint32_t latency : {40U, 53U, 100U, 211U}) {
    for (const std::uint32_t link : {1U, 7U, 40U}) {
      const Settings settings{"chip.sms=1", "sm.blocks=1",
                              "dispatch.latency=" + std::to_string(latency),
                              "interconnect.latency=" + std::to_string(link)};
      const std::uint64_t one = cycles_of_independent_blocks(1, settings);
      EXPECT_EQ(cycles_of_independent_blocks(5, settings), 5 * one) << latency << ", " << link;
    }
  }
}

TEST(Dispatch, RunsBlocksOnDifferentMultiprocessorsInParallel) {
  const std::uint64_t one = cycles_of_independent_blocks(1, {"chip.sms=8"});
  EXPECT_EQ(cycles_of_independent_blocks(8, {"chip.sms=8"}), one);
  EXPECT_GT(cycles_of_independent_blocks(9, {"chip.sms=8", "sm.blocks=1"}), one);
}

TEST(Dispatch, RejectsCooperativeLaunchThatCannotBeFullyResident) {
  Chip chip(machine_of({"chip.sms=2", "sm.blocks=3"}));
  device::Device device({.engine = &chip});
  const device::LoadedModule& module = device.load({{"test.ptx", recording_kernel(1)}});
  const device::DevicePointer out = device.allocate(768);
  const auto launch = [&](std::uint32_t blocks) {
    device.launch_with(device.find_kernel(module, "k"),
                       {.grid = {blocks}, .block = {32}, .cooperative = true}, out);
  };
  launch(6);
  EXPECT_THROW(launch(7), InputError);
}

}  // namespace
}  // namespace heddle::gpu::test
