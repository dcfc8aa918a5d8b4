// Machines whose queues and units are as small or as slow as descriptions allow. They must not
// deadlock, and results must be correct.

#include <gtest/gtest.h>

#include "gpu/chip_run.h"
#include "gpu/workload_on_chip.h"

namespace heddle::gpu::test {
namespace {

struct Extreme {
  std::string name;
  Settings settings;
};

const Settings kSmallQueues{"lsu.queue=1",          "lsu.send_backlog=1", "l1.mshrs=1",
                            "l1.merges=1",          "constant.queue=1",   "constant.mshrs=1",
                            "constant.merges=1",    "texture.queue=1",    "texture.mshrs=1",
                            "texture.merges=1",     "scratchpad.queue=1", "memory.queue=1",
                            "dram.queue_entries=1", "l2.mshrs=1",         "l2.merges=1"};
const Settings kNarrowFrontEnd{"fetch.width=1", "fetch.buffer=1", "fetch.ports=1"};
const Settings kOneCollector{"operands.policy=banked", "operands.banks=1", "operands.collectors=1",
                             "operands.ports=1rw"};

std::vector<Extreme> extremes() {
  return {
      {"queues", kSmallQueues},
      {"queues_write_through", kSmallQueues + Settings{"l2.write=through"}},
      {"queues_l1_write_back",
       kSmallQueues + Settings{"l1.global_writes=back", "l1.local_writes=back"}},
      {"one_line_l1_write_back",
       kSmallQueues + Settings{"l1.bytes=128", "l1.line_bytes=128", "l1.ways=1",
                               "l1.global_writes=back", "l1.local_writes=back"}},
      {"queues_shared_pipe", kSmallQueues + Settings{"lsu.shared_pipe=yes"}},
      {"queues_shared_pipe_apart", kSmallQueues + Settings{"lsu.shared_pipe=no"}},
      {"queues_without_caches", kSmallQueues + Settings{"l1.present=no", "l2.present=no"}},
      {"queues_fixed_memory", kSmallQueues + Settings{"dram.policy=fixed"}},
      {"queues_first_come", kSmallQueues + Settings{"dram.policy=fcfs", "dram.banks=1"}},
      {"queues_and_sectors", kSmallQueues + Settings{"l1.sector_bytes=32", "l2.sector_bytes=32"}},
      {"one_line_caches",
       {"l1.bytes=128", "l1.line_bytes=128", "l1.ways=1", "l2.bytes=1024", "l2.line_bytes=128",
        "l2.sector_bytes=128", "l2.ways=8", "constant.bytes=64", "constant.ways=1",
        "texture.bytes=128", "texture.line_bytes=128", "texture.ways=1", "icache.bytes=128",
        "icache.line_bytes=128", "icache.ways=1"}},
      {"front_end", kNarrowFrontEnd},
      {"collector", kOneCollector},
      {"everything", kSmallQueues + kNarrowFrontEnd + kOneCollector},
      {"near_crossbar", {"interconnect.latency=1", "interconnect.header_bytes=0"}},
      {"far_crossbar", {"interconnect.latency=3000", "dispatch.latency=3000"}},
      {"narrow_crossbar", kSmallQueues + Settings{"interconnect.bytes_per_cycle=1"}},
      {"slow_memory", {"clock.dram_mhz=37", "clock.interconnect_mhz=53"}},
      {"fast_memory", {"clock.dram_mhz=99991", "clock.interconnect_mhz=99989"}},
      {"one_partition", kSmallQueues + Settings{"memory.partitions=1"}},
      {"one_block", {"sm.blocks=1", "schedule.schedulers=8"}},
      {"barrel", kSmallQueues + Settings{"dependence.policy=barrel", "schedule.schedulers=1"}},
      {"stall_on_miss", kSmallQueues + Settings{"dependence.policy=stall-on-miss"}},
      {"fetch_groups",
       kSmallQueues + Settings{"schedule.policy=fetch-groups", "schedule.fetch_group=1"}},
      {"active_set",
       kSmallQueues + Settings{"schedule.policy=active-set", "schedule.active_warps=1"}},
      {"greedy", kSmallQueues + Settings{"schedule.policy=greedy-oldest"}},
  };
}

std::vector<std::string> workloads() {
  if (kSanitized) return {"histogram"};
  // These workloads have atomics, textures, constants and barriers, unordered stores, and wide
  // accesses.
  return {"bfs", "histogram", "convolution-texture", "black-scholes", "reduction", "bucket-sort"};
}

class ExtremeMachines : public testing::TestWithParam<Extreme> {};

TEST_P(ExtremeMachines, CompleteWithCorrectResults) {
  for (const char* const name : {"warpman", "uniform"}) {
    SCOPED_TRACE(name);
    const Machine machine = load_machine(name, GetParam().settings + Settings{"chip.sms=4"});
    for (const std::string& workload : workloads()) {
      SCOPED_TRACE(workload);
      const WorkloadOnChip timed = run_on_chip(machine, workload, {.max_cycles = 50'000'000});
      EXPECT_TRUE(timed.result.check.passed());
      for (const KernelRun& run : timed.runs) {
        EXPECT_EQ(sum_of(run, timed.counters, "scheduler."),
                  run.cycles.count * machine.chip.sms * machine.sm.schedule.schedulers);
        EXPECT_EQ(sum_of(run, timed.counters, "warp."),
                  counter_of(run, timed.counters, "sm.resident_warp_cycles"));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, ExtremeMachines, testing::ValuesIn(extremes()),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace heddle::gpu::test
