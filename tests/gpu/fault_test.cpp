// Faulting launches: their messages, their counters up to the fault, and the state of the chip
// afterwards, which must run the next launch as a new chip would.

#include "exec/fault/fault.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "base/error.h"
#include "device/ptx_text.h"
#include "gpu/chip_run.h"
#include "gpu/faulted_chip.h"
#include "gpu/workload_on_chip.h"

namespace heddle::gpu::test {
namespace {

using device::test::kernel_of;
using testing::AllOf;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

struct FaultedLaunch {
  std::optional<exec::FaultKind> kind = std::nullopt;
  std::string message{};
  KernelRun run{};
  std::vector<CounterName> counters{};
};

/// Runs a kernel on an array of 1024 zeroed words. The kernel must fault.
FaultedLaunch fault_of(const std::string& body, std::uint32_t blocks, std::uint32_t threads_each,
                       const Machine& machine, const ChipOptions& options = {}) {
  ChipRun run(kernel_of(body), machine, options);
  const device::DevicePointer out = run.zeros<std::uint32_t>(1024);
  try {
    run.launch("k", {blocks}, {threads_each}, out);
    ADD_FAILURE() << "expected a fault, but the kernel completed";
    return {};
  } catch (const exec::SimulatedFault& fault) {
    return {.kind = fault.kind(),
            .message = fault.what(),
            .run = run.last_launch(),
            .counters = run.chip().counters()};
  }
}

/// Runs a faulting kernel several times, with `options.threads`, 2 and 4 host threads. Messages and
/// counters must be the same.
FaultedLaunch fault_for_any_host_threads(const std::string& body, std::uint32_t blocks,
                                         std::uint32_t threads_each, const Machine& machine,
                                         ChipOptions options = {}) {
  const FaultedLaunch first = fault_of(body, blocks, threads_each, machine, options);
  for (const std::uint32_t threads : {2U, 4U, 4U}) {
    options.threads = threads;
    const FaultedLaunch again = fault_of(body, blocks, threads_each, machine, options);
    EXPECT_EQ(again.kind, first.kind);
    EXPECT_EQ(again.message, first.message) << threads << " threads";
    EXPECT_EQ(difference(again.run, first.run, first.counters), "") << threads << " threads";
  }
  return first;
}

void expect_schedulers_add_up(const Machine& machine, const FaultedLaunch& faulted) {
  EXPECT_EQ(sum_of(faulted.run, faulted.counters, "scheduler."),
            faulted.run.cycles.count * machine.chip.sms * machine.sm.schedule.schedulers);
}

TEST(Faults, ReportsABarrierThatCannotComplete) {
  // In block 2 the first warp waits at barrier 0, the second at barrier 1, and the third has
  // exited.
  const Machine machine = machine_of({"chip.sms=4"});
  const FaultedLaunch faulted = fault_for_any_host_threads(R"(
  setp.ne.u32 %p1, %r2, 2;
  @%p1 exit;
  setp.ge.u32 %p2, %r4, 64;
  @%p2 exit;
  setp.ge.u32 %p3, %r4, 32;
  @%p3 bra OTHER;
  bar.sync 0, 64;
  ret;
OTHER:
  bar.sync 1, 64;
  ret;)",
                                                           6, 96, machine);
  EXPECT_EQ(faulted.kind, exec::FaultKind::deadlock);
  EXPECT_THAT(faulted.message, AllOf(HasSubstr("block (2,0,0) can never finish"),
                                     HasSubstr("barrier 0: 32 of 64 threads have arrived"),
                                     HasSubstr("barrier 1: 32 of 64 threads have arrived"),
                                     HasSubstr("1 of 3 warps have finished")));
  EXPECT_THAT(faulted.message, MatchesRegex(".*at test.ptx:27, barrier, waiting at barrier 0 since "
                                            "cycle [0-9]+: block \\(2,0,0\\), warp 0\n.*"));
  EXPECT_THAT(faulted.message, MatchesRegex(".*at test.ptx:30, barrier, waiting at barrier 1 since "
                                            "cycle [0-9]+: block \\(2,0,0\\), warp 1"));
  EXPECT_EQ(faulted.run.blocks_done, 5U);
  EXPECT_GT(faulted.run.warp_instructions, 0U);
  expect_schedulers_add_up(machine, faulted);
}

struct TooSmallMachine {
  std::string settings;
  std::string runs_out;
};

TEST(Faults, NamesTheResourceThatRunsOutWhenNoBlockFits) {
  const std::string ptx = kernel_of(
      "st.global.u32 [%rd2], %r4;\n mov.u32 %r5, s;\n"
      "st.shared.u32 [%r5], %r4;\n ret;",
      ".shared .align 4 .b8 s[2048];\n");
  for (const TooSmallMachine& misfit :
       std::vector<TooSmallMachine>{{"sm.warps=3", "warps"},
                                    {"sm.registers=512", "registers"},
                                    {"sm.shared_bytes=2047", "shared memory"}}) {
    SCOPED_TRACE(misfit.settings);
    ChipRun run(ptx, Settings{misfit.settings});
    const device::DevicePointer out = run.zeros<std::uint32_t>(1024);
    try {
      run.launch("k", {4}, {128}, out);
      ADD_FAILURE() << "expected an error: no block fits";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), AllOf(HasSubstr("kernel 'k'"), HasSubstr("128 threads"),
                                      HasSubstr("does not fit on a multiprocessor of 'test'"),
                                      HasSubstr("the limiting resource is " + misfit.runs_out)));
    }
    EXPECT_TRUE(run.chip().runs().empty());
    run.device().synchronize();
  }
}

TEST(Faults, RunsALaunchAfterOneThatDidNotFit) {
  ChipRun run(kernel_of("st.global.u32 [%rd2], %r1;\n ret;"), Settings{"sm.warps=3"});
  const device::DevicePointer out = run.zeros<std::uint32_t>(192);
  EXPECT_THROW(run.launch("k", {2}, {128}, out), InputError);
  EXPECT_EQ(run.launch("k", {2}, {96}, out).blocks_done, 2U);
  EXPECT_EQ(run.download<std::uint32_t>(out, 192)[191], 191U);
}

TEST(Faults, StopsAtTheCycleLimit) {
  // Block 5 waits for a word that nobody stores; the other blocks end.
  const Machine machine = machine_of({"chip.sms=4"});
  const FaultedLaunch faulted = fault_for_any_host_threads(R"(
  setp.ne.u32 %p1, %r2, 5;
  @%p1 exit;
SPIN:
  ld.volatile.global.u32 %r5, [%rd1];
  setp.eq.u32 %p2, %r5, 0;
  @%p2 bra SPIN;
  ret;)",
                                                           8, 64, machine, {.max_cycles = 12345});
  EXPECT_EQ(faulted.kind, exec::FaultKind::cycle_limit);
  EXPECT_THAT(faulted.message,
              AllOf(HasSubstr("kernel 'k'"), HasSubstr("12345"), HasSubstr("7 of 8 blocks"),
                    HasSubstr(": block (5,0,0), warps 0 to 1")));
  EXPECT_EQ(faulted.run.cycles.count, 12345U);
  EXPECT_EQ(faulted.run.blocks_done, 7U);
  EXPECT_EQ(counter_of(faulted.run, faulted.counters, "sm.warp_instructions"),
            faulted.run.warp_instructions);
  expect_schedulers_add_up(machine, faulted);
}

TEST(Faults, StopsAtTheInstructionLimit) {
  Chip chip(machine_of({"chip.sms=1"}), {.max_cycles = 200000});
  device::DeviceOptions options;
  options.max_warp_instructions = 500;
  options.engine = &chip;
  device::Device device(options);
  const auto& module = device.load({{.file = "test.ptx", .text = device::test::kernel_of(R"(
SPIN:
  ld.volatile.global.u32 %r5, [%rd1];
  setp.eq.u32 %p1, %r5, 0;
  @%p1 bra SPIN;
  ret;)")}});
  const device::DevicePointer word = device.allocate(4096);
  try {
    device.launch_with(device.find_kernel(module, "k"), {.grid = {1}, .block = {32}}, word);
    ADD_FAILURE() << "expected the instruction limit to stop the kernel";
  } catch (const exec::SimulatedFault& fault) {
    EXPECT_EQ(fault.kind(), exec::FaultKind::instruction_limit) << fault.what();
    EXPECT_THAT(fault.what(), HasSubstr(": block (0,0,0), warp 0"));
  }
  EXPECT_GT(chip.runs().front().warp_instructions, 500U);
}

TEST(Faults, CycleLimitAllowsARunOfExactlyThatLength) {
  const std::string ptx = kernel_of("st.global.u32 [%rd2], %r1;\n ret;");
  const auto cycles_within = [&](std::uint64_t limit) {
    ChipRun run(ptx, machine_of({"chip.sms=2"}), {.max_cycles = limit});
    return run.launch("k", {7}, {64}, run.zeros<std::uint32_t>(1024)).cycles.count;
  };
  const std::uint64_t needs = cycles_within(1'000'000);
  EXPECT_EQ(cycles_within(needs), needs);
  EXPECT_THROW(cycles_within(needs - 1), exec::SimulatedFault);
}

/// A kernel whose blocks from number 3 on store out of bounds after a loop. `turns` is PTX that
/// sets %r10 to the number of loop iterations; %r2 is the block's number.
std::string stores_out_of_bounds(const std::string& turns) {
  return turns + R"(
  setp.lt.u32 %p1, %r2, 3;
  @%p1 exit;
LOOP:
  setp.eq.u32 %p2, %r10, 0;
  @%p2 bra STORE;
  sub.u32 %r10, %r10, 1;
  bra LOOP;
STORE:
  st.global.u32 [%rd2+1048576], %r10;
  ret;)";
}

TEST(Faults, ReportsTheEarliestOfSeveralInAnEpoch) {
  // Block 6 has the fewest iterations. Multiprocessors run independently for one epoch at a time;
  // here an epoch has 5000 cycles.
  const FaultedLaunch faulted = fault_for_any_host_threads(
      stores_out_of_bounds("sub.u32 %r10, 14, %r2;\n sub.u32 %r11, %r2, 6;\n"
                           "setp.gt.u32 %p3, %r2, 6;\n @%p3 add.u32 %r10, %r2, 3;"),
      8, 32, machine_of({"chip.sms=8", "interconnect.latency=5000", "dispatch.latency=5000"}));
  EXPECT_EQ(faulted.kind, exec::FaultKind::out_of_bounds);
  EXPECT_THAT(faulted.message, HasSubstr("block (6,0,0), thread (0,0,0)"));
}

TEST(Faults, ReportsTheLowestMultiprocessorsOfSeveralInACycle) {
  const FaultedLaunch faulted = fault_for_any_host_threads(
      stores_out_of_bounds("mov.u32 %r10, 3;"), 8, 32,
      machine_of({"chip.sms=8", "interconnect.latency=5000", "dispatch.latency=5000"}));
  EXPECT_EQ(faulted.kind, exec::FaultKind::out_of_bounds);
  EXPECT_THAT(faulted.message, AllOf(HasSubstr("block (3,0,0), thread (0,0,0)"),
                                     HasSubstr("kernel 'k'"), Not(HasSubstr("block (4,0,0)"))));
}

TEST(Faults, ChecksAtomicsWhenTheyIssue) {
  const FaultedLaunch faulted = fault_for_any_host_threads(
      "setp.eq.u32 %p1, %r2, 1;\n @%p1 red.global.add.u32 [%rd2+1048576], 1;\n ret;", 4, 32,
      machine_of({"chip.sms=4"}));
  EXPECT_EQ(faulted.kind, exec::FaultKind::out_of_bounds);
  EXPECT_THAT(faulted.message, HasSubstr("block (1,0,0)"));
}

TEST(Faults, ReportsATrap) {
  const FaultedLaunch faulted = fault_for_any_host_threads(
      "setp.eq.u32 %p1, %r1, 70;\n @%p1 trap;\n ret;", 4, 32, machine_of({"chip.sms=4"}));
  EXPECT_EQ(faulted.kind, exec::FaultKind::trap);
  EXPECT_THAT(faulted.message, HasSubstr("block (2,0,0), thread (6,0,0)"));
}

TEST(Faults, LeaveTheChipUnaffected) { expect_as_new_after_faults(machine_of({"chip.sms=3"}), 64); }

struct StopRun {};

TEST(Faults, KeepsCountersWhenProgressCallbackThrows) {
  const Machine machine = machine_of({});
  for (const std::uint32_t threads : {1U, 2U}) {
    std::uint64_t seen = 0;
    ChipRun run(kernel_of("SPIN: bra SPIN;"), machine,
                {.threads = threads, .progress = [&](const ChipProgress& now) {
                   seen = now.warp_instructions;
                   throw StopRun();
                 }});
    EXPECT_THROW(run.launch("k", {3}, {64}, run.zeros<std::uint32_t>(1024)), StopRun);
    EXPECT_GT(seen, 0U);
    EXPECT_EQ(run.last_launch().warp_instructions, seen);
    EXPECT_GT(run.cycles(), 0U);
    EXPECT_GT(run.counter("scheduler.selected"), 0U);
    // The chip remains usable.
    run.load(kernel_of("ret;"));
    EXPECT_EQ(run.launch("k", {3}, {64}, run.zeros<std::uint32_t>(1024)).blocks_done, 3U);
  }
}

}  // namespace
}  // namespace heddle::gpu::test
