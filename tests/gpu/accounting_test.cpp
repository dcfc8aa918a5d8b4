// Counters add up: every cycle of a scheduler and of a warp has exactly one cause, every message
// that enters the crossbar leaves it, and no instruction is lost.

#include <gtest/gtest.h>

#include <string>

#include "device/ptx_text.h"
#include "gpu/chip_run.h"
#include "gpu/workload_on_chip.h"

namespace heddle::gpu::test {
namespace {

/// One launch's counters by name.
class LaunchCounters {
 public:
  LaunchCounters(const KernelRun& run, const std::vector<CounterName>& counters)
      : run_(run), counters_(counters) {}
  std::uint64_t operator[](std::string_view name) const {
    return counter_of(run_, counters_, name);
  }
  std::uint64_t sum(std::string_view prefix) const { return sum_of(run_, counters_, prefix); }

 private:
  const KernelRun& run_;
  const std::vector<CounterName>& counters_;
};

void expect_instructions_add_up(const KernelRun& run, const LaunchCounters& counters) {
  EXPECT_EQ(counters["sm.warp_instructions"], run.warp_instructions);
  EXPECT_EQ(counters["sm.thread_instructions"], run.thread_instructions);
  EXPECT_EQ(counters["scheduler.selected"], run.warp_instructions);
  EXPECT_EQ(counters.sum("lanes."), run.warp_instructions);
  std::uint64_t threads = 0;
  for (std::uint32_t n = 0; n <= 32; ++n) threads += n * counters["lanes." + std::to_string(n)];
  EXPECT_EQ(threads, run.thread_instructions);
  EXPECT_EQ(counters["lanes.0"], 0U);
}

void expect_cycles_add_up(const Machine& machine, const KernelRun& run,
                          const LaunchCounters& counters) {
  const std::uint64_t sm_cycles = run.cycles.count * machine.chip.sms;
  EXPECT_EQ(counters.sum("scheduler."), sm_cycles * machine.sm.schedulers());
  EXPECT_EQ(counters.sum("warp."), counters["sm.resident_warp_cycles"]);
  EXPECT_LE(counters["sm.active_cycles"], sm_cycles);
  EXPECT_LE(counters["sm.idle_cycles"], counters["sm.active_cycles"]);
  EXPECT_LE(counters["sm.resident_warp_cycles"],
            counters["sm.active_cycles"] * machine.sm.residency.warps);
  EXPECT_LE(counters["sm.resident_block_cycles"],
            counters["sm.active_cycles"] * machine.sm.residency.blocks);
  EXPECT_LE(counters["sm.register_cycles"],
            counters["sm.active_cycles"] * machine.sm.residency.registers);
}

void expect_messages_add_up(const Machine& machine, const LaunchCounters& counters) {
  EXPECT_EQ(counters["crossbar_out.requests_sent"], counters["crossbar.requests"]);
  EXPECT_EQ(counters["crossbar.responses"], counters["crossbar_in.responses_received"]);
  EXPECT_EQ(counters["crossbar.bytes_out"], counters["crossbar_in.bytes_received"]);
  EXPECT_EQ(counters["crossbar_out.bytes_sent"], counters["crossbar.bytes_in"]);
  EXPECT_EQ(counters["l1.hits"] + counters["l1.misses"] + counters["l1.merged"],
            counters["l1.accesses"]);
  const std::uint64_t l2_accesses =
      counters["l2.reads"] + counters["l2.writes"] + counters["l2.atomics"];
  EXPECT_EQ(l2_accesses, machine.memory.l2.present ? counters["crossbar.requests"] : 0);
  EXPECT_EQ(counters["l2.hits"] + counters["l2.misses"] + counters["l2.merged"], l2_accesses);
}

/// Whether the workload's threads may execute other instructions than in the functional run,
/// because the order in which threads execute is different.
bool depends_on_execution_order(std::string_view workload) {
  // The order of atomics decides the places of elements in the buckets. The number of instructions
  // that sort a bucket depends on these places.
  return workload == "bucket-sort";
}

void expect_instructions_of_functional_run(const WorkloadOnChip& timed,
                                           const workload::RunResult& untimed) {
  ASSERT_EQ(timed.runs.size(), untimed.launches.size());
  for (std::size_t i = 0; i < timed.runs.size(); ++i) {
    EXPECT_EQ(timed.runs[i].warp_instructions, untimed.launches[i].result.warp_instructions)
        << timed.runs[i].kernel;
    EXPECT_EQ(timed.runs[i].thread_instructions, untimed.launches[i].result.thread_instructions)
        << timed.runs[i].kernel;
  }
}

class Accounting : public testing::TestWithParam<std::string> {};

TEST_P(Accounting, CountersAddUpForEveryLaunchOfEveryWorkload) {
  const Machine machine = load_machine(GetParam());
  for (const std::string& workload : workloads_to_run()) {
    SCOPED_TRACE(workload);
    if (find_misfit(GetParam(), workload)) continue;
    const WorkloadOnChip timed = run_on_chip(machine, workload);
    for (const KernelRun& run : timed.runs) {
      SCOPED_TRACE(run.kernel);
      const LaunchCounters counters(run, timed.counters);
      EXPECT_EQ(run.blocks_done, run.grid.count());
      EXPECT_GT(run.cycles.count, 0U);
      expect_instructions_add_up(run, counters);
      expect_cycles_add_up(machine, run, counters);
      expect_messages_add_up(machine, counters);
    }
    if (!depends_on_execution_order(workload)) {
      expect_instructions_of_functional_run(timed, run_untimed(machine, workload));
    }
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(, Accounting, testing::ValuesIn(kBaselines),
                         [](const auto& tested) { return as_test_name(tested.param); });

TEST(WarpCycleCounters, AddUpWhenPoliciesWithholdWarps) {
  const std::vector<Settings> policies{
      {"schedule.policy=active-set", "schedule.active_warps=2"},
      {"schedule.policy=active-set", "schedule.active_warps=6", "schedule.inner=fetch-groups"},
      {"schedule.policy=miss-throttle", "schedule.period=200", "schedule.most_misses=4"},
      {"schedule.policy=active-set", "schedule.inner=miss-throttle", "schedule.most_misses=4"},
      {"schedule.policy=withhold-until", "schedule.until=3000"},
      {"schedule.policy=active-set", "schedule.active_warps=2", "branch.policy=static"}};
  for (const Settings& policy : policies) {
    for (const char* name : {"warpman", "preexec"}) {
      const Machine machine = load_machine(name, Settings{"chip.sms=2"} + policy);
      std::uint64_t withheld = 0;
      for (const std::string& workload : tested_workloads({"bfs", "reduction"})) {
        SCOPED_TRACE(std::string(name) + ", " + policy.front() + ", " + workload);
        const WorkloadOnChip timed = run_on_chip(machine, workload);
        for (const KernelRun& run : timed.runs) {
          const LaunchCounters counters(run, timed.counters);
          expect_cycles_add_up(machine, run, counters);
          withheld += counters["warp.withheld"];
        }
      }
      EXPECT_GT(withheld, 0U) << name << ", " << policy.front();
    }
  }
}

TEST(WarpCycleCounters, AddUpWithSubCores) {
  for (const Settings& shape :
       {Settings{"sm.sub_cores=4", "schedule.schedulers=1"},
        Settings{"sm.sub_cores=2", "dependence.policy=commit-scoreboard", "branch.policy=static"},
        Settings{"sm.warps=64", "sm.sub_cores=8", "schedule.schedulers=8"}}) {
    const Machine machine = load_machine("warpman", Settings{"chip.sms=2"} + shape);
    for (const std::string& workload : tested_workloads({"bfs", "reduction"})) {
      SCOPED_TRACE(shape.front() + ", " + workload);
      const WorkloadOnChip timed = run_on_chip(machine, workload);
      for (const KernelRun& run : timed.runs) {
        const LaunchCounters counters(run, timed.counters);
        expect_instructions_add_up(run, counters);
        expect_cycles_add_up(machine, run, counters);
      }
    }
  }
}

TEST(WarpCycleCounters, AddUpWhenWrongPathInstructionsIssue) {
  for (const char* dependence : {"commit-scoreboard", "scoreboard"}) {
    const Machine machine = load_machine(
        "ilp", {"branch.policy=gshare", std::string("dependence.policy=") + dependence});
    std::uint64_t on_wrong_path = 0;
    for (const std::string& workload : tested_workloads({"n-queens", "bfs", "reduction"})) {
      SCOPED_TRACE(std::string(workload) + ", " + dependence);
      const WorkloadOnChip timed = run_on_chip(machine, workload);
      for (const KernelRun& run : timed.runs) {
        const LaunchCounters counters(run, timed.counters);
        expect_instructions_add_up(run, counters);
        expect_cycles_add_up(machine, run, counters);
        on_wrong_path += counters["scheduler.wrong_path"];
      }
    }
    EXPECT_GT(on_wrong_path, 0U);
  }
}

TEST(WarpCycleCounters, AddUpWhenInstructionsIssueAhead) {
  const std::string run_ahead = "lookahead.policy=run-ahead";
  const std::string pre_execution = "lookahead.policy=pre-execution";
  for (const Settings& settings :
       {Settings{run_ahead, "schedule.policy=greedy-oldest"},
        Settings{run_ahead, "schedule.policy=active-set", "schedule.active_warps=2"},
        Settings{run_ahead, "schedule.policy=round-robin", "sm.sub_cores=2", "schedule.interval=2"},
        Settings{pre_execution},
        Settings{pre_execution, "schedule.policy=round-robin", "sm.sub_cores=2"}}) {
    const Machine machine = load_machine("preexec", Settings{"chip.sms=2"} + settings);
    std::uint64_t ahead = 0;
    for (const std::string& workload : tested_workloads({"histogram", "bfs", "reduction"})) {
      SCOPED_TRACE(settings.front() + ", " + workload);
      const WorkloadOnChip timed = run_on_chip(machine, workload);
      for (const KernelRun& run : timed.runs) {
        const LaunchCounters counters(run, timed.counters);
        expect_instructions_add_up(run, counters);
        expect_cycles_add_up(machine, run, counters);
        ahead += counters["scheduler.ahead"];
      }
    }
    EXPECT_GT(ahead, 0U);
  }
}

TEST(WarpCycleCounters, CountEndedWarpsUntilTheirLoadsReturn) {
  for (const char* pipe : {"lsu.shared_pipe=yes", "lsu.shared_pipe=no"}) {
    SCOPED_TRACE(pipe);
    ChipRun run(device::test::kernel_of(R"(
  mov.u32 %r10, s;
  and.b32 %r11, %r4, 31;
  mul.lo.u32 %r11, %r11, 128;
  add.u32 %r12, %r10, %r11;
  setp.lt.u32 %p1, %r4, 32;
  @%p1 bra LAST;
  ret;
LAST:
  ld.volatile.shared.u32 %r6, [%r12];
  ld.volatile.shared.u32 %r7, [%r12];
  ret;)",
                                        ".shared .align 4 .b32 s[1024];\n"),
                machine_of({"chip.sms=2", "sm.blocks=2", pipe, "scratchpad.latency=300"}));
    const auto out = run.zeros<std::uint32_t>(4096);
    run.launch("k", {16}, {128}, out);
    EXPECT_EQ(sum_of(run.last_launch(), run.chip().counters(), "warp."),
              run.counter("sm.resident_warp_cycles"));
    EXPECT_EQ(sum_of(run.last_launch(), run.chip().counters(), "scheduler."),
              run.cycles() * 2 * run.chip().machine().sm.schedule.schedulers);
  }
}

TEST(WarpCycleCounters, CountReadyWarpThatLosesArbitrationAsNotSelected) {
  // Eight warps of independent additions share one scheduler: the unit accepts one instruction each
  // cycle.
  std::string body = "mov.u32 %r10, 0;\nL:\n";
  for (int i = 20; i < 36; ++i) {
    body += "add.u32 %r" + std::to_string(i) + ", %r" + std::to_string(i) + ", %r10;\n";
  }
  body += "add.u32 %r10, %r10, 1;\nsetp.lt.u32 %p1, %r10, 20;\n@%p1 bra L;\n";
  for (int i = 21; i < 36; ++i) body += "xor.b32 %r20, %r20, %r" + std::to_string(i) + ";\n";
  body += "st.global.u32 [%rd2], %r20;\nret;";
  std::string begin;
  for (int i = 20; i < 36; ++i) begin += "add.u32 %r" + std::to_string(i) + ", %r4, 1;\n";
  ChipRun run(device::test::kernel_of(begin + body),
              machine_of({"chip.sms=1", "fetch.width=8", "fetch.buffer=16", "fetch.ports=8"}));
  const auto out = run.zeros<std::uint32_t>(4096);
  run.launch("k", {1}, {256}, out);
  EXPECT_GT(run.counter("warp.not_selected"), run.counter("warp.selected"));
  EXPECT_EQ(run.counter("warp.math_pipe_throttle"), 0U);
}

}  // namespace
}  // namespace heddle::gpu::test
