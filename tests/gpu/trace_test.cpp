// A trace agrees with the counters, is ordered, and is the same for any number of host threads.
// Tracing does not change the simulation.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <tuple>

#include "device/ptx_text.h"
#include "exec/fault/fault.h"
#include "gpu/chip_run.h"
#include "gpu/traced_run.h"
#include "gpu/workload_on_chip.h"

namespace heddle::gpu::test {
namespace {

using testing::HasSubstr;

/// A workload's results and the text of its trace.
struct TracedWorkload {
  WorkloadOnChip run;
  std::string text;
};

TracedWorkload run_traced(const Machine& machine, const std::string& workload,
                          std::uint32_t threads = 1, const trace::Selection& selection = {}) {
  TraceText trace(selection);
  WorkloadOnChip run = run_on_chip(machine, workload, {.threads = threads, .trace = trace.trace()});
  return {std::move(run), trace.text()};
}

/// The sum of a counter over all launches.
std::uint64_t counter_sum(const WorkloadOnChip& run, std::string_view counter) {
  std::uint64_t sum = 0;
  for (const KernelRun& launch : run.runs) sum += counter_of(launch, run.counters, counter);
  return sum;
}

std::uint64_t count_events(const std::vector<TracedEvent>& events, std::string_view event,
                           std::string_view cause = {}) {
  return static_cast<std::uint64_t>(
      std::count_if(events.begin(), events.end(), [&](const TracedEvent& each) {
        return each.event == event && (cause.empty() || each.cause == cause);
      }));
}

/// Workloads that together use every part of the memory system.
std::vector<std::pair<std::string, std::string>> runs() {
  if (kSanitized) return {{"warpman", "histogram"}, {"preexec", "bfs"}};
  return {{"warpman", "reduction"}, {"warpman", "histogram"},
          {"preexec", "bfs"},       {"coarse", "scan"},
          {"storage", "hotspot"},   {"warpman", "convolution-texture"},
          {"ilp", "bfs"},           {"large-warps", "matrix-multiply"}};
}

class RunTrace : public testing::TestWithParam<std::pair<std::string, std::string>> {
 protected:
  Machine machine() const { return load_machine(GetParam().first); }
  const std::string& workload() const { return GetParam().second; }
};

TEST_P(RunTrace, ChangesNothing) {
  const WorkloadOnChip plain = run_on_chip(machine(), workload());
  const TracedWorkload with = run_traced(machine(), workload());
  EXPECT_EQ(difference(plain.runs, with.run.runs, plain.counters), "");
}

TEST_P(RunTrace, IsEqualForAnyNumberOfHostThreads) {
  const TracedWorkload one = run_traced(machine(), workload());
  for (const std::uint32_t threads : host_threads({2, 3})) {
    EXPECT_TRUE(run_traced(machine(), workload(), threads).text == one.text) << threads;
  }
}

TEST_P(RunTrace, IsOrderedByCycleAndComponent) {
  const auto rank = [](const TracedEvent& event) {
    const std::size_t digits = event.where.find_first_of("0123456789");
    if (digits == std::string::npos) return 0L;
    const bool is_partition = event.where.starts_with("part");
    return 1 + std::stol(event.where.substr(digits)) + (is_partition ? 100000L : 0L);
  };
  const std::vector<TracedEvent> events = read_trace(run_traced(machine(), workload()).text);
  ASSERT_FALSE(events.empty());
  for (std::size_t i = 1; i < events.size(); ++i) {
    ASSERT_LE(events[i - 1].cycle, events[i].cycle) << "event " << i;
    if (events[i - 1].cycle == events[i].cycle) {
      ASSERT_LE(rank(events[i - 1]), rank(events[i])) << "event " << i;
    }
  }
}

TEST_P(RunTrace, RecordsEveryCountedAccess) {
  const TracedWorkload run = run_traced(machine(), workload());
  const std::vector<TracedEvent> events = read_trace(run.text);
  for (const std::string cache : {"l1", "constant", "texture"}) {
    EXPECT_EQ(count_events(events, cache + "_hit"), counter_sum(run.run, cache + ".hits")) << cache;
    EXPECT_EQ(count_events(events, cache + "_miss"), counter_sum(run.run, cache + ".misses"))
        << cache;
    EXPECT_EQ(count_events(events, cache + "_merged"), counter_sum(run.run, cache + ".merged"))
        << cache;
  }
  EXPECT_EQ(count_events(events, "lsu_load", "global"), counter_sum(run.run, "lsu.global_loads"));
  EXPECT_EQ(count_events(events, "lsu_store", "global"), counter_sum(run.run, "lsu.global_stores"));
  EXPECT_EQ(count_events(events, "lsu_load", "local"), counter_sum(run.run, "lsu.local_loads"));
  EXPECT_EQ(count_events(events, "lsu_store", "local"), counter_sum(run.run, "lsu.local_stores"));
  EXPECT_EQ(count_events(events, "lsu_load", "constant"),
            counter_sum(run.run, "lsu.constant_loads"));
  EXPECT_EQ(count_events(events, "lsu_load", "texture"), counter_sum(run.run, "lsu.texture_loads"));
  EXPECT_EQ(count_events(events, "lsu_atomic", "global"), counter_sum(run.run, "lsu.atomics"));
  EXPECT_EQ(count_events(events, "lsu_load", "shared") +
                count_events(events, "lsu_store", "shared") +
                count_events(events, "lsu_atomic", "shared"),
            counter_sum(run.run, "scratchpad.accesses"));
  EXPECT_EQ(count_events(events, "lsu_access", "store"),
            counter_sum(run.run, "lsu.store_segments"));
  EXPECT_EQ(count_events(events, "lsu_access", "uncached_load"),
            counter_sum(run.run, "lsu.uncached_segments"));
  EXPECT_EQ(count_events(events, "lsu_access", "atomic"),
            counter_sum(run.run, "lsu.atomic_segments"));
}

TEST_P(RunTrace, RecordsEveryCountedMessageAndCommand) {
  const TracedWorkload run = run_traced(machine(), workload());
  const std::vector<TracedEvent> events = read_trace(run.text);
  EXPECT_EQ(count_events(events, "request_sent"),
            counter_sum(run.run, "crossbar_out.requests_sent"));
  EXPECT_EQ(count_events(events, "response_received"),
            counter_sum(run.run, "crossbar_in.responses_received"));
  EXPECT_EQ(count_events(events, "request_arrived"), counter_sum(run.run, "crossbar.requests"));
  EXPECT_EQ(count_events(events, "response_sent"), counter_sum(run.run, "crossbar.responses"));
  EXPECT_EQ(count_events(events, "l2_hit"), counter_sum(run.run, "l2.hits"));
  EXPECT_EQ(count_events(events, "l2_miss"), counter_sum(run.run, "l2.misses"));
  EXPECT_EQ(count_events(events, "l2_merged"), counter_sum(run.run, "l2.merged"));
  EXPECT_EQ(count_events(events, "l2_evicted"), counter_sum(run.run, "l2.evictions"));
  EXPECT_EQ(count_events(events, "atomic_performed"), counter_sum(run.run, "atomic.performed"));
  EXPECT_EQ(count_events(events, "dram_read"), counter_sum(run.run, "dram.reads"));
  EXPECT_EQ(count_events(events, "dram_write"), counter_sum(run.run, "dram.writes"));
  EXPECT_EQ(count_events(events, "dram_activate"), counter_sum(run.run, "dram.activations"));
  EXPECT_EQ(count_events(events, "launch"), run.run.runs.size());
}

/// A request has the same address when a multiprocessor sends it and when it reaches a partition.
/// It arrives in the cycle that the first event names.
TEST_P(RunTrace, FollowsRequestsFromMultiprocessorToPartition) {
  std::multiset<std::tuple<std::uint64_t, std::string, std::string, std::uint64_t>> sent, arrived;
  for (const TracedEvent& event : read_trace(run_traced(machine(), workload()).text)) {
    if (event.event == "request_sent") {
      sent.emplace(event.number("arrives"), "part" + event.detail("partition"), event.where,
                   event.number("address"));
    } else if (event.event == "request_arrived") {
      arrived.emplace(event.cycle, event.where, event.subject, event.number("address"));
    }
  }
  EXPECT_FALSE(sent.empty());
  EXPECT_TRUE(sent == arrived);
}

INSTANTIATE_TEST_SUITE_P(, RunTrace, testing::ValuesIn(runs()), [](const auto& tested) {
  return as_test_name(tested.param.first + "_" + tested.param.second);
});

TEST(TraceSelection, KeepsTheSelectedLinesOfTheFullTrace) {
  const Machine machine = load_machine("warpman");
  const trace::Selection selection{.sms = {1, 4}, .from = Cycle(1000), .until = Cycle(3000)};
  const std::string selected = run_traced(machine, "reduction", 2, selection).text;
  std::istringstream whole(run_traced(machine, "reduction").text);
  std::string expected;
  for (std::string line; std::getline(whole, line);) {
    if (!line.starts_with("#")) {
      const TracedEvent event = read_trace(line).front();
      const bool is_selected = event.where == "chip" || event.where == "sm1" ||
                               event.where == "sm4" || event.subject == "sm1" ||
                               event.subject == "sm4" ||
                               (event.where.starts_with("part") && event.subject == "-");
      if (!is_selected || event.cycle < 1000 || event.cycle >= 3000) continue;
    }
    expected += line + "\n";
  }
  EXPECT_GT(std::count(selected.begin(), selected.end(), '\n'), 100);
  EXPECT_TRUE(selected == expected);
}

TEST(SlowMemoryTrace, IsOrderedWhenADramCycleExceedsTheCrossbarLatency) {
  Machine machine = load_machine("warpman", {"clock.dram_mhz=50", "interconnect.latency=1"});
  std::uint64_t last = 0;
  std::uint64_t commands = 0;
  for (const TracedEvent& event : read_trace(run_traced(machine, "histogram").text)) {
    ASSERT_GE(event.cycle, last);
    last = event.cycle;
    if (event.event == "dram_activate" || event.event == "dram_precharge") ++commands;
  }
  EXPECT_GT(commands, 10U);
}

TEST(FaultTrace, EndsInTheCycleOfTheFault) {
  // Every warp loads twenty times and then stores to an invalid address.
  const std::string body = R"(
  mov.u32 %r10, 0;
TURN:
  ld.volatile.global.u32 %r5, [%rd1];
  add.u32 %r10, %r10, 1;
  setp.lt.u32 %p2, %r10, 20;
  @%p2 bra TURN;
  mov.u64 %rd2, 8;
  st.global.u32 [%rd2], %r10;
  ret;)";
  std::string first;
  for (const std::uint32_t threads : {1U, 2U}) {
    TraceText trace;
    ChipRun run(device::test::kernel_of(body), machine_of({"chip.sms=4"}),
                {.threads = threads, .trace = trace.trace()});
    const auto words = run.zeros<std::uint32_t>(64);
    EXPECT_THROW(run.launch("k", {8}, {64}, words), exec::SimulatedFault);
    const std::uint64_t stopped = run.last_launch().begin.number + run.cycles();
    EXPECT_THAT(trace.text(), HasSubstr("# stopped in cycle " + std::to_string(stopped) + "\n"));
    const std::vector<TracedEvent> events = trace.events();
    EXPECT_GT(events.size(), 500U);
    EXPECT_LE(events.back().cycle, stopped);
    EXPECT_GT(events.back().cycle + 100, stopped);
    if (threads == 1) first = trace.text();
    EXPECT_TRUE(trace.text() == first);
  }
}

TEST(FaultTrace, IsFollowedByTheNextLaunchsTrace) {
  TraceText trace;
  ChipRun run(device::test::kernel_of("mov.u64 %rd2, 8;\nst.global.u32 [%rd2], %r4;\nret;"),
              machine_of({"chip.sms=2"}), {.trace = trace.trace()});
  const auto words = run.zeros<std::uint32_t>(64);
  EXPECT_THROW(run.launch("k", {1}, {64}, words), exec::SimulatedFault);
  run.device().reset();
  run.load(device::test::kernel_of("st.global.u32 [%rd1], %r4;\nret;"));
  run.launch("k", {1}, {64}, run.zeros<std::uint32_t>(64));
  const std::size_t stopped = trace.text().find("# stopped in cycle");
  ASSERT_NE(stopped, std::string::npos);
  const std::vector<TracedEvent> after = read_trace(trace.text().substr(stopped));
  EXPECT_EQ(count_events(after, "launch", "k"), 1U);
  EXPECT_EQ(count_events(after, "lsu_store", "global"), 2U);
}

}  // namespace
}  // namespace heddle::gpu::test
