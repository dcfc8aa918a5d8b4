// What a trace tells of warps is their whole story, and what was counted of them: whichever threads
// travel together, and whatever they wait for.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gpu/language_program.h"
#include "gpu/traced_run.h"
#include "gpu/ways_to_diverge.h"
#include "gpu/workload_on_chip.h"

namespace heddle::gpu::test {
namespace {

using testing::AnyOf;
using testing::Contains;

/// With what is executed between epochs, fences, barriers, atomics and much divergence.
std::vector<std::string> programs() {
  if (kSanitized) return {"fences", "printing"};
  return {"cooperative", "device_heap", "divergence", "fences", "global_atomics"};
}

/// Their warps issue instructions of wrong paths.
std::vector<WayToDiverge> predicting_ways() {
  const Settings late{"branch.policy=static", "branch.resolve_cycles=9"};
  return {{"mixed-i", {"branch.policy=gshare"}},
          {"warpman", late},
          {"preexec", large_warps_of(256) + late}};
}

std::vector<WayToDiverge> ways() {
  std::vector<WayToDiverge> ways = ways_to_diverge();
  for (const std::string& machine : kStackMachines) ways.push_back({machine, {}});
  for (const WayToDiverge& way : predicting_ways()) ways.push_back(way);
  return ways;
}

/// The slot of a multiprocessor, as lines name them.
using SlotName = std::pair<std::string, std::string>;
using Story = std::vector<TracedEvent>;

/// What happened in each slot. Others than its warp bring on fetches and joining threads.
std::map<SlotName, Story> stories_of(const std::vector<TracedEvent>& events) {
  static const std::set<std::string> kOfAStory{"start", "wait",  "block", "unblock",
                                               "ready", "issue", "end"};
  std::map<SlotName, Story> stories;
  for (const TracedEvent& event : events) {
    if (kOfAStory.contains(event.event)) stories[{event.where, event.whom}].push_back(event);
  }
  return stories;
}

/// A program that ran on a chip, which told what it did.
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
  /// The events of a name, and what they have of a detail.
  std::uint64_t told(const std::string& name) const {
    std::uint64_t events_told = 0;
    for (const TracedEvent& event : events) events_told += event.event == name ? 1 : 0;
    return events_told;
  }
  std::uint64_t told(const std::string& name, const std::string& detail) const {
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

class PipelineTrace : public testing::TestWithParam<WayToDiverge> {
 protected:
  /// each(traced, machine) for all programs.
  template <class Each>
  void for_each_program(Each each) const {
    const Machine machine = GetParam().described();
    for (const std::string& program : programs()) {
      SCOPED_TRACE(program);
      each(TracedProgram(machine, program), machine);
    }
  }
};

/// What may follow what in a slot.
void expect_to_follow(const TracedEvent& before, const TracedEvent& after) {
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
    // Threads that come together get a slot without a start.
    EXPECT_THAT(event, AnyOf("start", "wait"));
  }
  EXPECT_LE(before.cycle, after.cycle);
}

TEST_P(PipelineTrace, TellsOfASlotWhatFollowsFromWhatWasBefore) {
  for_each_program([](const TracedProgram& traced, const Machine&) {
    for (const auto& [slot, story] : stories_of(traced.events)) {
      EXPECT_THAT(story.front().event, AnyOf("start", "wait"));
      EXPECT_EQ(story.back().event, "end");
      for (std::size_t i = 1; i < story.size() && !HasFailure(); ++i) {
        SCOPED_TRACE(slot.first + " " + slot.second + " in cycle " +
                     std::to_string(story[i].cycle));
        expect_to_follow(story[i - 1], story[i]);
      }
    }
  });
}

TEST_P(PipelineTrace, TellsOfEveryPassOfEveryThreadAndEveryFetch) {
  for_each_program([](const TracedProgram& traced, const Machine&) {
    EXPECT_EQ(traced.told("issue", "passes"), traced.counted("sm.warp_instructions"));
    EXPECT_EQ(traced.told("issue", "lanes"), traced.counted("sm.thread_instructions"));
    EXPECT_EQ(traced.told("fetch"), traced.counted("icache.fetches"));
  });
}

TEST_P(PipelineTrace, TellsWhereTheCyclesOfWarpsWent) {
  for_each_program([](const TracedProgram& traced, const Machine&) {
    std::map<std::string, std::uint64_t> cycles;
    for (const auto& [slot, story] : stories_of(traced.events)) {
      for (std::size_t i = 0; i + 1 < story.size(); ++i) {
        const TracedEvent& event = story[i];
        const bool is_ready = event.event == "ready";
        if (!is_ready && event.event != "wait" && event.event != "block") continue;
        cycles[is_ready ? "ready" : event.cause] += story[i + 1].cycle - event.cycle;
      }
    }
    for (const std::string cause :
         {"wait", "no_instruction", "branch_resolving", "short_scoreboard", "long_scoreboard",
          "membar", "barrier", "sleeping", "drain"}) {
      EXPECT_EQ(cycles[cause], traced.counted("warp." + cause)) << cause;
    }
    std::uint64_t ready = 0;
    for (const std::string cause :
         {"not_selected", "dispatch_stall", "math_pipe_throttle", "mio_throttle", "lg_throttle"}) {
      ready += traced.counted("warp." + cause);
    }
    EXPECT_EQ(cycles["ready"], ready);
  });
}

TEST_P(PipelineTrace, TellsOfOneInstructionForEachSchedulerUntilItsLastPass) {
  for_each_program([](const TracedProgram& traced, const Machine& machine) {
    std::map<std::pair<std::string, std::uint32_t>, std::uint64_t> free_from;
    for (const TracedEvent& event : traced.events) {
      const bool in_vain = event.event == "issue_in_vain";
      if (event.event != "issue" && !in_vain) continue;
      const auto slot = static_cast<std::uint32_t>(std::stoul(event.whom.substr(1)));
      std::uint64_t& free = free_from[{event.where, slot % machine.sm.schedule.schedulers}];
      ASSERT_GE(event.cycle, free) << event.where << " " << event.whom;
      free = event.cycle + (in_vain ? 1 : event.number("passes"));
    }
  });
}

TEST_P(PipelineTrace, TellsOfNoWarpThatGoesOnBeforeItsLastPass) {
  for_each_program([](const TracedProgram& traced, const Machine& machine) {
    // A warp that is formed anew ends as its threads leave it, in the cycle of its last pass.
    const bool reforms = machine.sm.divergence.policy == "dynamic-formation";
    for (const auto& [slot, story] : stories_of(traced.events)) {
      std::uint64_t passed = 0;
      for (const TracedEvent& event : story) {
        if (event.event == "ready" || event.event == "end") {
          ASSERT_GE(event.cycle + (reforms ? 1 : 0), passed)
              << slot.first << " " << slot.second << " " << event.event;
        }
        if (event.event == "issue") passed = event.cycle + event.number("passes");
      }
    }
  });
}

class PredictingPipelineTrace : public PipelineTrace {};

/// One after another, in line, and all before the branch is resolved. Then what follows is fetched.
TEST_P(PredictingPipelineTrace, TellsOfWrongPathsUntilTheirBranchesAreResolved) {
  std::uint64_t in_vain = 0;
  for_each_program([&](const TracedProgram& traced, const Machine& machine) {
    EXPECT_EQ(traced.told("issue_in_vain"), traced.counted("scheduler.wrong_path"));
    in_vain += traced.told("issue_in_vain");
    std::map<SlotName, TracedEvent> branches;
    std::map<SlotName, std::vector<TracedEvent>> paths;
    for (const TracedEvent& event : traced.events) {
      if (event.event != "issue" && event.event != "issue_in_vain") continue;
      const SlotName slot{event.where, event.whom};
      SCOPED_TRACE(event.where + " " + event.whom + " in cycle " + std::to_string(event.cycle));
      std::vector<TracedEvent>& path = paths[slot];
      if (event.event == "issue_in_vain") {
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
  EXPECT_GT(in_vain, 0U);
}

INSTANTIATE_TEST_SUITE_P(, PredictingPipelineTrace, testing::ValuesIn(predicting_ways()),
                         [](const auto& tested) { return as_test_name(tested.param.name()); });

TEST(PipelineTraceOfALargeWarp, EndsItWithItsLastPassThoughMemoryIsDoneSooner) {
  // The last of its rows loads, and has what it loaded while the passes of its end issue.
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
  const std::uint64_t leaves = last("issue").cycle;
  ASSERT_EQ(last("issue").number("passes"), 32U);
  EXPECT_GT(last("lsu_complete").cycle, leaves);
  EXPECT_LT(last("lsu_complete").cycle, leaves + 31);
  EXPECT_EQ(last("end").cycle, leaves + 32);
}

TEST_P(PipelineTrace, TellsOfEveryBlockAndEveryWarp) {
  for_each_program([](const TracedProgram& traced, const Machine& machine) {
    EXPECT_EQ(traced.told("block_taken"), kLanguageBlocks);
    EXPECT_EQ(traced.told("block_ended"), kLanguageBlocks);
    EXPECT_EQ(traced.told("start", "rows"), kLanguageBlocks * kLanguageThreads / 32);
    const bool reforms = machine.sm.divergence.policy == "dynamic-formation";
    if (reforms) {
      EXPECT_LE(traced.told("start"), traced.told("end"));
    } else {
      EXPECT_EQ(traced.told("start"), traced.told("end"));
    }
    EXPECT_EQ(traced.told("form") > 0, reforms);
    std::uint64_t last = 0;
    for (const TracedEvent& event : traced.events) {
      if (event.event == "block_ended") last = std::max(last, event.cycle);
    }
    EXPECT_EQ(last, (traced.run.begin + traced.run.cycles).number);
  });
}

TEST_P(PipelineTrace, IsInOrderAndTheSameForAnyNumberOfThreads) {
  const Machine machine = GetParam().described();
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

INSTANTIATE_TEST_SUITE_P(, PipelineTrace, testing::ValuesIn(ways()),
                         [](const auto& tested) { return as_test_name(tested.param.name()); });

}  // namespace
}  // namespace heddle::gpu::test
