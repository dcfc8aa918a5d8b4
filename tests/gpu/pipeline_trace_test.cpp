// The traced events of warps are complete and consistent and agree with the counters, for every
// divergence policy and every cause of a stall. An instruction issues in one or more passes; each
// pass issues up to 32 threads and takes one cycle.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gpu/divergence_setups.h"
#include "gpu/language_program.h"
#include "gpu/traced_run.h"
#include "gpu/workload_on_chip.h"

namespace heddle::gpu::test {
namespace {

using testing::AnyOf;
using testing::Contains;

/// Programs with fences, barriers, atomics, chip-wide operations such as printing, and strong
/// divergence.
std::vector<std::string> programs() {
  if (kSanitized) return {"fences", "printing"};
  return {"cooperative", "device_heap", "divergence", "fences", "global_atomics"};
}

/// Machines that predict branches, so that warps issue instructions of mispredicted (wrong) paths.
std::vector<DivergenceSetup> predicting_setups() {
  const Settings late{"branch.policy=static", "branch.resolve_cycles=9"};
  return {{"mixed-i", {"branch.policy=gshare"}},
          {"warpman", late},
          {"preexec", large_warps_of(256) + late}};
}

std::vector<DivergenceSetup> setups() {
  std::vector<DivergenceSetup> setups = divergence_setups();
  for (const std::string& machine : kStackMachines) setups.push_back({machine, {}});
  for (const DivergenceSetup& setup : predicting_setups()) setups.push_back(setup);
  return setups;
}

/// A multiprocessor and one of its warp slots, as trace lines name them.
using SlotName = std::pair<std::string, std::string>;
using SlotEvents = std::vector<TracedEvent>;

/// The events of each warp slot. The events for fetches and joining threads are left out, because
/// other components cause them.
std::map<SlotName, SlotEvents> events_by_slot(const std::vector<TracedEvent>& events) {
  static const std::set<std::string> kSlotEvents{"start", "wait",  "block", "unblock",
                                                 "ready", "issue", "end"};
  std::map<SlotName, SlotEvents> by_slot;
  for (const TracedEvent& event : events) {
    if (kSlotEvents.contains(event.event)) by_slot[{event.where, event.subject}].push_back(event);
  }
  return by_slot;
}

/// A program that ran on a traced chip.
struct TracedProgram {
  TracedProgram(const Machine& machine, const std::string& program, std::uint32_t threads = 1) {
    TraceText trace;
    Chip chip(machine, {.threads = threads, .trace = trace.trace()});
    run_language_program(program, &chip);
    run = chip.runs().back();
    counters = chip.counters();
    text = trace.text();
    events = read_trace(text);
  }

  std::uint64_t counted(const std::string& counter) const {
    return counter_of(run, counters, counter);
  }
  /// The number of events with this name.
  std::uint64_t event_count(const std::string& name) const {
    std::uint64_t count = 0;
    for (const TracedEvent& event : events) count += event.event == name ? 1 : 0;
    return count;
  }
  /// The sum of one detail over all events with this name.
  std::uint64_t detail_sum(const std::string& name, const std::string& detail) const {
    std::uint64_t sum = 0;
    for (const TracedEvent& event : events) {
      if (event.event == name) sum += event.number(detail);
    }
    return sum;
  }

  KernelRun run;
  std::vector<CounterName> counters;
  std::string text;
  std::vector<TracedEvent> events;
};

class PipelineTrace : public testing::TestWithParam<DivergenceSetup> {
 protected:
  /// Calls each(traced, machine) for all programs.
  template <class Each>
  void for_each_program(Each each) const {
    const Machine machine = GetParam().load();
    for (const std::string& program : programs()) {
      SCOPED_TRACE(program);
      each(TracedProgram(machine, program), machine);
    }
  }
};

/// Checks that event `after` may follow event `before` in a warp slot.
void expect_valid_successor(const TracedEvent& before, const TracedEvent& after) {
  const std::string& event = after.event;
  if (before.event == "start" || before.event == "unblock") {
    EXPECT_THAT(event, AnyOf("wait", "block", "ready", "end"));
  } else if (before.event == "wait") {
    EXPECT_THAT(event, AnyOf("wait", "block", "ready", "end"));
    EXPECT_EQ(after.cycle, before.number("until"));
  } else if (before.event == "block") {
    EXPECT_EQ(event, "unblock");
    EXPECT_EQ(after.cause, "-");
  } else if (before.event == "ready") {
    EXPECT_EQ(event, "issue");
    EXPECT_EQ(after.pc, before.pc);
  } else if (before.event == "issue") {
    EXPECT_THAT(event, AnyOf("wait", "block", "ready", "end"));
  } else {
    // A warp that is formed from other warps' threads gets a warp slot without a start event.
    EXPECT_THAT(event, AnyOf("start", "wait"));
  }
  EXPECT_LE(before.cycle, after.cycle);
}

/// The events of a slot follow each other as a warp's life has them.
void check_event_sequences(const TracedProgram& traced) {
  for (const auto& [slot, slot_events] : events_by_slot(traced.events)) {
    EXPECT_THAT(slot_events.front().event, AnyOf("start", "wait"));
    EXPECT_EQ(slot_events.back().event, "end");
    for (std::size_t i = 1; i < slot_events.size() && !testing::Test::HasFailure(); ++i) {
      SCOPED_TRACE(slot.first + " " + slot.second + " in cycle " +
                   std::to_string(slot_events[i].cycle));
      expect_valid_successor(slot_events[i - 1], slot_events[i]);
    }
  }
}

/// Every pass, thread and fetch is recorded.
void check_counts(const TracedProgram& traced) {
  EXPECT_EQ(traced.detail_sum("issue", "passes"), traced.counted("sm.warp_instructions"));
  EXPECT_EQ(traced.detail_sum("issue", "lanes"), traced.counted("sm.thread_instructions"));
  EXPECT_EQ(traced.event_count("fetch"), traced.counted("icache.fetches"));
}

/// The waits of each cause take as many cycles as its counter says.
void check_causes(const TracedProgram& traced) {
  std::map<std::string, std::uint64_t> cycles;
  for (const auto& [slot, slot_events] : events_by_slot(traced.events)) {
    for (std::size_t i = 0; i + 1 < slot_events.size(); ++i) {
      const TracedEvent& event = slot_events[i];
      const bool is_ready = event.event == "ready";
      if (!is_ready && event.event != "wait" && event.event != "block") continue;
      cycles[is_ready ? "ready" : event.cause] += slot_events[i + 1].cycle - event.cycle;
    }
  }
  for (const std::string cause : {"wait", "no_instruction", "branch_resolving", "short_scoreboard",
                                  "long_scoreboard", "membar", "barrier", "sleeping", "drain"}) {
    EXPECT_EQ(cycles[cause], traced.counted("warp." + cause)) << cause;
  }
  std::uint64_t ready = 0;
  for (const std::string cause :
       {"not_selected", "dispatch_stall", "math_pipe_throttle", "mio_throttle", "lg_throttle"}) {
    ready += traced.counted("warp." + cause);
  }
  EXPECT_EQ(cycles["ready"], ready);
}

/// A scheduler issues one instruction at a time.
void check_schedulers(const TracedProgram& traced, const Machine& machine) {
  std::map<std::pair<std::string, std::uint32_t>, std::uint64_t> free_from;
  for (const TracedEvent& event : traced.events) {
    const bool is_wrong_path = event.event == "issue_wrong_path";
    if (event.event != "issue" && !is_wrong_path) continue;
    const auto slot = static_cast<std::uint32_t>(std::stoul(event.subject.substr(1)));
    std::uint64_t& free = free_from[{event.where, slot % machine.sm.schedule.schedulers}];
    ASSERT_GE(event.cycle, free) << event.where << " " << event.subject;
    free = event.cycle + (is_wrong_path ? 1 : event.number("passes"));
  }
}

/// No warp is ready before its last pass.
void check_ready_warps(const TracedProgram& traced, const Machine& machine) {
  // Dynamic warp formation puts threads of different warps together after every instruction. A
  // formed warp therefore ends in the cycle of its last pass.
  const bool forms_warps = machine.sm.divergence.policy == "dynamic-formation";
  for (const auto& [slot, slot_events] : events_by_slot(traced.events)) {
    std::uint64_t last_pass_end = 0;
    for (const TracedEvent& event : slot_events) {
      if (event.event == "ready" || event.event == "end") {
        ASSERT_GE(event.cycle + (forms_warps ? 1 : 0), last_pass_end)
            << slot.first << " " << slot.second << " " << event.event;
      }
      if (event.event == "issue") last_pass_end = event.cycle + event.number("passes");
    }
  }
}

/// Every block and warp is recorded.
void check_blocks_and_warps(const TracedProgram& traced, const Machine& machine) {
  EXPECT_EQ(traced.event_count("block_taken"), kLanguageBlocks);
  EXPECT_EQ(traced.event_count("block_ended"), kLanguageBlocks);
  EXPECT_EQ(traced.detail_sum("start", "static_warps"), kLanguageBlocks * kLanguageThreads / 32);
  const bool forms_warps = machine.sm.divergence.policy == "dynamic-formation";
  if (forms_warps) {
    EXPECT_LE(traced.event_count("start"), traced.event_count("end"));
  } else {
    EXPECT_EQ(traced.event_count("start"), traced.event_count("end"));
  }
  EXPECT_EQ(traced.event_count("form") > 0, forms_warps);
  std::uint64_t last = 0;
  for (const TracedEvent& event : traced.events) {
    if (event.event == "block_ended") last = std::max(last, event.cycle);
  }
  EXPECT_EQ(last, (traced.run.begin + traced.run.cycles).number);
}

TEST_P(PipelineTrace, IsConsistentAndAgreesWithTheCounters) {
  for_each_program([](const TracedProgram& traced, const Machine& machine) {
    check_event_sequences(traced);
    check_counts(traced);
    check_causes(traced);
    check_schedulers(traced, machine);
    check_ready_warps(traced, machine);
    check_blocks_and_warps(traced, machine);
  });
}

class PredictingPipelineTrace : public PipelineTrace {};

/// Wrong-path instructions issue in program order, and all of them before the branch resolves. The
/// correct path is fetched afterwards.
TEST_P(PredictingPipelineTrace, RecordsWrongPathsUntilTheirBranchesResolve) {
  std::uint64_t wrong_path = 0;
  for_each_program([&](const TracedProgram& traced, const Machine& machine) {
    EXPECT_EQ(traced.event_count("issue_wrong_path"), traced.counted("scheduler.wrong_path"));
    wrong_path += traced.event_count("issue_wrong_path");
    std::map<SlotName, TracedEvent> branches;
    std::map<SlotName, std::vector<TracedEvent>> paths;
    for (const TracedEvent& event : traced.events) {
      if (event.event != "issue" && event.event != "issue_wrong_path") continue;
      const SlotName slot{event.where, event.subject};
      SCOPED_TRACE(event.where + " " + event.subject + " in cycle " + std::to_string(event.cycle));
      std::vector<TracedEvent>& path = paths[slot];
      if (event.event == "issue_wrong_path") {
        if (!path.empty()) {
          ASSERT_GT(event.cycle, path.back().cycle);
          ASSERT_EQ(std::stoul(event.pc.substr(2)), std::stoul(path.back().pc.substr(2)) + 1);
        }
        path.push_back(event);
        ASSERT_LE(path.size(), 16U);
        continue;
      }
      if (!path.empty()) {
        const std::uint64_t resolved = branches[slot].cycle + branches[slot].number("passes") - 1 +
                                       machine.sm.branch.resolve_cycles;
        ASSERT_GT(path.front().cycle, branches[slot].cycle);
        ASSERT_LT(path.back().cycle, resolved);
        ASSERT_GE(event.cycle, resolved + machine.sm.fetch.latency);
        path.clear();
      }
      branches[slot] = event;
    }
  });
  EXPECT_GT(wrong_path, 0U);
}

INSTANTIATE_TEST_SUITE_P(, PredictingPipelineTrace, testing::ValuesIn(predicting_setups()),
                         [](const auto& tested) { return as_test_name(tested.param.name()); });

TEST(LargeWarpPipelineTrace, EndsTheWarpWithItsLastPassWhenMemoryReturnsEarlier) {
  // Only the last row (the last 32 threads) loads. Its value arrives while the passes of the exit
  // instruction still issue.
  const Machine machine = load_machine(
      "large-warps",
      {"divergence.policy=large-warp", "divergence.large_warp=1024", "dependence.policy=scoreboard",
       "fetch.buffer=4", "dram.policy=fixed", "dram.latency=5", "interconnect.latency=3"});
  TraceText trace;
  ChipRun chip(R"(
.version 8.0
.target sm_80
.address_size 64
.global .align 4 .b8 word[4];
.visible .entry leave() {
  .reg .b32 %r<3>;
  .reg .pred %p;
  mov.u32 %r1, %tid.x;
  setp.ge.u32 %p, %r1, 992;
  @%p ld.volatile.global.u32 %r2, [word];
  ret;
})",
               machine, {.trace = trace.trace()});
  chip.launch("leave", {1, 1, 1}, {1024, 1, 1});
  const std::vector<TracedEvent> events = trace.events();
  const auto last = [&](const std::string& name) {
    const auto found = std::find_if(events.rbegin(), events.rend(),
                                    [&](const TracedEvent& event) { return event.event == name; });
    return found == events.rend() ? TracedEvent{} : *found;
  };
  const std::uint64_t exit_issue = last("issue").cycle;
  ASSERT_EQ(last("issue").number("passes"), 32U);
  EXPECT_GT(last("lsu_complete").cycle, exit_issue);
  EXPECT_LT(last("lsu_complete").cycle, exit_issue + 31);
  EXPECT_EQ(last("end").cycle, exit_issue + 32);
}

TEST_P(PipelineTrace, IsOrderedAndEqualForAnyNumberOfHostThreads) {
  const Machine machine = GetParam().load();
  for (const std::string program : {"fences", "printing"}) {
    const TracedProgram one(machine, program, 1);
    for (std::size_t i = 1; i < one.events.size(); ++i) {
      ASSERT_LE(one.events[i - 1].cycle, one.events[i].cycle);
    }
    for (const std::uint32_t threads : {2U, 3U}) {
      EXPECT_TRUE(TracedProgram(machine, program, threads).text == one.text) << threads;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, PipelineTrace, testing::ValuesIn(setups()),
                         [](const auto& tested) { return as_test_name(tested.param.name()); });

}  // namespace
}  // namespace heddle::gpu::test
