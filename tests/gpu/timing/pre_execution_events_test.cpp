// When P-mode begins, halts and ends, cycle by cycle: events that meet in one cycle, results that
// another warp or a new block takes, and the end of a block (docs/timing/pre-execution.md).

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "code/program.h"
#include "gpu/timing/probe.h"
#include "gpu/traced_run.h"

namespace heddle::gpu::test {
namespace {

/// From the issue of a load that misses to the issue of its use: 388 cycles, as in
/// pre_execution_test.cpp.
constexpr std::uint64_t kLoadToUse = 2 + (1 + 1 + 40 + 1) + (300 + 1) + (1 + 40 + 1);
/// The use begins to wait in the cycle after the issue of its load.
constexpr std::uint64_t kWait = kLoadToUse - 1;
constexpr std::uint64_t kLatency = 10;  ///< Of an integer instruction.

Settings settings_with(const Settings& more = {}) {
  return kPlain +
         Settings{"lsu.address_cycles=2",
                  "l1.latency=20",
                  "interconnect.latency=40",
                  "interconnect.bytes_per_cycle=256",
                  "dram.policy=fixed",
                  "dram.latency=300",
                  "dram.bandwidth_bytes=128",
                  "dram.overhead=0",
                  "isa.optimisation=no",
                  "isa.scheduling=no",
                  "isa.predication=no",
                  "units.integer.latency=10",
                  "lookahead.policy=pre-execution"} +
         more;
}

/// A kernel with the parameter `data`. `code` may use %lane, %warp (the number in the block) and
/// %l1, the address of a line of the warp's own.
std::string kernel_of(const std::string& code) {
  return R"(
.version 8.0
.target sm_80
.address_size 64
.const .align 4 .b32 table[4] = {5, 6, 7, 8};
.visible .entry wait(.param .u64 data)
{
  .reg .b64 %l<8>;
  .reg .b32 %r<40>, %lane, %warp, %number;
  .reg .pred %p<4>;
  mov.u32 %lane, %laneid;
  mov.u32 %warp, %tid.x;
  shr.u32 %warp, %warp, 5;
  mov.u32 %number, %ctaid.x;
  shl.b32 %number, %number, 3;
  add.u32 %number, %number, %warp;
  ld.param.u64 %l1, [data];
  mad.wide.u32 %l1, %number, 8192, %l1;
)" + code +
         "ret;\n}\n";
}

/// A run of the kernel, and the events of its warps.
class Timeline {
 public:
  Timeline(const std::string& code, const Settings& settings, Dim3 grid = {1}, Dim3 block = {32})
      : run_(kernel_of(code), machine_of(settings), {.trace = trace_.trace()}) {
    run_.launch("wait", grid, block, run_.zeros<std::uint32_t>(1 << 16));
    events_ = trace_.events();
  }

  std::uint64_t counter(std::string_view name) const { return run_.counter(name); }
  /// The number of the `nth` instruction with this operation.
  std::string pc_of(code::Operation operation, std::size_t nth = 0) const {
    const auto& instructions = run_.program().instructions;
    for (std::size_t pc = 0; pc < instructions.size(); ++pc) {
      if (instructions[pc].operation == operation && nth-- == 0) return "pc" + std::to_string(pc);
    }
    ADD_FAILURE() << "the program has no such instruction";
    return "";
  }
  /// The cycles of all events of a warp that have this name, and this instruction if one is given.
  std::vector<std::uint64_t> cycles(const std::string& event, const std::string& pc = "",
                                    std::uint32_t warp = 0) const {
    std::vector<std::uint64_t> found;
    for (const TracedEvent& each : events_) {
      if (each.where == "sm0" && each.subject == "w" + std::to_string(warp) &&
          each.event == event && (pc.empty() || each.pc == pc))
        found.push_back(each.cycle);
    }
    return found;
  }
  /// The cycle of the only such event.
  std::uint64_t cycle(const std::string& event, const std::string& pc = "",
                      std::uint32_t warp = 0) const {
    const std::vector<std::uint64_t> found = cycles(event, pc, warp);
    EXPECT_EQ(found.size(), 1U) << event << " " << pc << " of warp " << warp;
    return found.empty() ? 0 : found.front();
  }

 private:
  TraceText trace_;
  ChipRun run_;
  std::vector<TracedEvent> events_;
};

using code::Operation;
using Cycles = std::vector<std::uint64_t>;

/// A load and its use.
const std::string kLoad = "ld.global.u32 %r1, [%l1];\n";
const std::string kUse = "add.u32 %r11, %r1, 5;\n";
const std::string kStore = "st.global.u32 [%l1+128], %r11;\nst.global.u32 [%l1+256], %r13;\n";
/// `length` multiplications of %r20, each of which needs the one before.
std::string chain(int length) { return repeat(length, "mul.lo.u32 %r20, %r20, 3;\n"); }

TEST(PreExecutionEvents, RegisterThatAnotherWarpReleasesIsTakenInTheNextCycle) {
  // Warp 0 holds the only renaming register from its wait until it overwrites the result. Warp 1
  // loads 20 * kLatency cycles later. It waits ahead for the register, and nothing else happens on
  // the multiprocessor.
  const Timeline run("setp.eq.u32 %p1, %warp, 0;\n@%p1 bra FIRST;\n" + chain(20) +
                         "FIRST:\nadd.u32 %r20, %r20, 0;\n" + kLoad + kUse +
                         "max.u32 %r13, %lane, 7;\nmin.u32 %r13, %r11, 3;\n"
                         "st.global.u32 [%l1+128], %r13;\n",
                     settings_with({"lookahead.rename_registers=1"}), {1}, {64});
  const std::string computed = run.pc_of(Operation::max);
  const std::uint64_t overwritten = run.cycle("issue", run.pc_of(Operation::min), 0);
  EXPECT_LT(run.cycle("issue_ahead", computed, 0), run.cycle("block", "", 1));
  EXPECT_EQ(run.cycle("reuse", computed, 0), overwritten + 1 - kLatency);
  EXPECT_EQ(run.cycle("issue_ahead", computed, 1), overwritten + 1);
  EXPECT_EQ(run.counter("lookahead.registers_taken"), run.counter("lookahead.registers_freed"));
}

TEST(PreExecutionEvents, ResultWhoseArrivalWasUnknownWakesItsWarpAhead) {
  // The constant misses, so that its arrival is not known when the load issues. Its use issues as
  // many cycles later in P-mode as it does without P-mode, if no instruction waits for the load
  // before. That load has a line for each lane, and takes longer than the constant.
  const auto latency = [](const std::string& policy, const std::string& event,
                          const std::string& between) {
    const Timeline run(
        "mad.wide.u32 %l4, %lane, 128, %l1;\nmul.wide.u32 %l2, %warp, 4;\nmov.u64 %l3, table;\n"
        "add.u64 %l2, %l2, %l3;\nadd.u64 %l2, %l2, 0;\nld.global.u32 %r1, [%l4];\n" +
            between + "ld.const.u32 %r12, [%l2];\nmax.u32 %r13, %r12, 7;\n" + kStore,
        settings_with({"lookahead.policy=" + policy}));
    return run.cycle(event, run.pc_of(Operation::max)) -
           run.cycle("issue", run.pc_of(Operation::load, 0));
  };
  const std::uint64_t expected = latency("none", "issue", "add.u32 %r11, %lane, 5;\n");
  EXPECT_GT(expected, 300U) << "the constant has not missed";
  EXPECT_EQ(latency("pre-execution", "issue_ahead", kUse), expected);
}

TEST(PreExecutionEvents, NextWaitBeginsInTheCycleInWhichTheFirstEnds) {
  // The second load issues after a chain. When the first wait ends, the first use issues, and the
  // wait of the second begins in that cycle, as the first wait began when the second load issued.
  // The switch takes its cycles in both. Skipping a use takes one.
  for (const std::uint64_t switching : {1U, 2U, 7U}) {
    SCOPED_TRACE(switching);
    const Timeline run(kLoad + chain(5) + "ld.global.u32 %r2, [%l1+4096];\n" + kUse +
                           "min.u32 %r12, %r2, 5;\nmax.u32 %r13, %lane, 7;\n" + kStore +
                           "st.global.u32 [%l1+384], %r12;\n",
                       settings_with({"lookahead.switch_cycles=" + std::to_string(switching)}));
    const std::uint64_t first_load = run.cycle("issue", run.pc_of(Operation::load, 0));
    const std::uint64_t second_load = run.cycle("issue", run.pc_of(Operation::load, 1));
    const std::uint64_t second_use = run.cycle("issue", run.pc_of(Operation::min));
    EXPECT_EQ(run.cycles("block"), (Cycles{second_load + 1, first_load + kLoadToUse + 1}));
    EXPECT_EQ(run.cycles("issue_ahead", run.pc_of(Operation::max)),
              (Cycles{second_load + switching + 2, first_load + kLoadToUse + switching + 1}));
    EXPECT_EQ(second_use, second_load + kLoadToUse);
    EXPECT_EQ(run.cycle("reuse"), second_use + 1);
    EXPECT_EQ(run.counter("lookahead.contexts"), 2U);
    EXPECT_EQ(run.counter("lookahead.dropped"), 1U) << "the result of the first wait";
  }
}

TEST(PreExecutionEvents, InstructionThatCouldIssueInTheCycleOfTheReturnDoesNot) {
  // The use is skipped when the switch is over, and the next instruction issues ahead one cycle
  // later, if that is before the data arrive.
  const auto issues = [&](std::uint64_t switching) {
    const Timeline run(kLoad + kUse + "max.u32 %r13, %lane, 7;\n" + kStore,
                       settings_with({"lookahead.switch_cycles=" + std::to_string(switching)}));
    const std::uint64_t load = run.cycle("issue", run.pc_of(Operation::load));
    const std::string computed = run.pc_of(Operation::max);
    const Cycles ahead = run.cycles("issue_ahead", computed);
    EXPECT_EQ(ahead, ahead.empty() ? Cycles{} : Cycles{load + switching + 1});
    EXPECT_EQ(run.cycle("block"), load + 1);
    EXPECT_EQ(run.cycle("issue", computed), load + kLoadToUse + 1);
    EXPECT_EQ(run.counter("lookahead.reused"), ahead.size());
    return ahead.size();
  };
  EXPECT_EQ(issues(kLoadToUse - 2), 1U);
  EXPECT_EQ(issues(kLoadToUse - 1), 0U);
}

TEST(PreExecutionEvents, HaltsAtABranchThatNeedsTheDataAndReusesWhatIsBeforeIt) {
  // The minimum behind the branch needs nothing, but nobody knows whether it will be executed.
  const Timeline run(kLoad + kUse + chain(3) +
                         "setp.gt.u32 %p1, %r11, 7;\n@%p1 bra END;\nmin.u32 %r13, %lane, 1;\n"
                         "END:\nst.global.u32 [%l1+128], %r20;\n" +
                         kStore,
                     settings_with());
  const std::uint64_t begin = run.cycle("block");
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string product = run.pc_of(Operation::mul_lo, i);
    EXPECT_EQ(run.cycle("issue_ahead", product), begin + 1 + i * kLatency);
    EXPECT_EQ(run.cycle("reuse", product), begin + kWait + 1 + i);
  }
  EXPECT_EQ(run.cycles("issue_ahead").size(), 3U);
  EXPECT_EQ(run.cycle("issue", run.pc_of(Operation::setp)), begin + kWait + kLatency);
  EXPECT_EQ(run.cycles("issue", run.pc_of(Operation::min)).size(), 1U);
}

TEST(PreExecutionEvents, AllWarpsOfABlockPassTheirBarrierAhead) {
  // The maximum behind the barrier is executed ahead by each warp. The barrier opens when it opens
  // without P-mode, and lets the warps reuse the maximum in successive cycles.
  constexpr std::uint32_t kWarps = 4;
  const std::string code = kLoad + kUse + "bar.sync 0;\nmax.u32 %r13, %lane, 7;\n" + kStore;
  const auto run_with = [&](const std::string& policy) {
    return Timeline(code, settings_with({"lookahead.policy=" + policy}), {1}, {32 * kWarps});
  };
  const Timeline run = run_with("pre-execution");
  const Timeline plain = run_with("none");
  const std::string computed = run.pc_of(Operation::max);
  std::uint64_t opens = ~std::uint64_t{0};
  for (std::uint32_t warp = 0; warp < kWarps; ++warp)
    opens = std::min(opens, plain.cycle("issue", computed, warp));
  Cycles reuses;
  for (std::uint32_t warp = 0; warp < kWarps; ++warp) {
    SCOPED_TRACE(warp);
    EXPECT_LT(run.cycle("issue_ahead", computed, warp), opens - kLoadToUse / 2);
    EXPECT_EQ(run.cycles("issue_ahead", "", warp).size(), 2U) << "the maximum and the exit";
    reuses.push_back(run.cycle("reuse", computed, warp));
  }
  std::sort(reuses.begin(), reuses.end());
  EXPECT_EQ(reuses, (Cycles{opens, opens + 1, opens + 2, opens + 3}));
}

TEST(PreExecutionEvents, EachBlockInASlotRunsLikeTheFirst) {
  // Each warp ends P-mode at its exit, and its block while two results are renamed. The next warp
  // in the slot finds empty tables and an empty queue.
  constexpr std::uint32_t kBlocks = 4;
  const Timeline run(kLoad + kUse + "max.u32 %r13, %lane, 7;\nmin.u32 %r14, %lane, 9;\n" + kStore +
                         "st.global.u32 [%l1+384], %r14;\n",
                     settings_with({"sm.warps=1", "lookahead.rename_registers=2"}), {kBlocks});
  const Cycles starts = run.cycles("start");
  ASSERT_EQ(starts.size(), kBlocks);
  for (const Operation operation : {Operation::max, Operation::min}) {
    for (const char* const event : {"issue_ahead", "reuse"}) {
      const Cycles found = run.cycles(event, run.pc_of(operation));
      ASSERT_EQ(found.size(), kBlocks) << event;
      for (std::size_t i = 1; i < kBlocks; ++i)
        EXPECT_EQ(found[i] - starts[i], found[0] - starts[0]) << event << " of block " << i;
    }
  }
  const Cycles ends = run.cycles("end");
  ASSERT_EQ(ends.size(), kBlocks);
  for (std::size_t i = 1; i < kBlocks; ++i) EXPECT_EQ(ends[i] - starts[i], ends[0] - starts[0]);
  EXPECT_EQ(run.counter("lookahead.reused"), 2U * kBlocks);
  EXPECT_EQ(run.counter("lookahead.registers_taken"), run.counter("lookahead.registers_freed"));
}

constexpr int kChain = 6;

/// Blocks of two warps, on a multiprocessor with registers for three. Warp 1 ends at once, and warp
/// 0 computes a chain ahead.
Timeline run_two_blocks(const std::string& residency) {
  const std::string code = "setp.eq.u32 %p1, %warp, 1;\n@%p1 bra END;\n" + kLoad + kUse + chain(6) +
                           "st.global.u32 [%l1+384], %r20;\n" + kStore + "END:\n";
  const Settings settings = settings_with({"residency.policy=" + residency, "sm.register_unit=32"});
  ChipRun alone(kernel_of(code), machine_of(settings));
  alone.launch("wait", {1}, {64}, alone.zeros<std::uint32_t>(1 << 16));
  const std::uint32_t registers = alone.last_launch().registers_per_thread;
  return Timeline(code, settings + Settings{"sm.registers=" + std::to_string(3 * 32 * registers)},
                  {2}, {64});
}

TEST(PreExecutionEvents, BlockThatStartsTakesTheResultsOfAWarpAhead) {
  // The registers of warp 1 let the next block start, which takes all that is free. Warp 0 goes no
  // further ahead, loses its results, and returns when it would have returned.
  const Timeline run = run_two_blocks("warp-release");
  const std::uint64_t begin = run.cycles("block").front();
  const std::uint64_t started = run.cycles("start", "", 1).back();
  ASSERT_GT(started, begin);
  ASSERT_LT(started + kChain * kLatency, begin + kWait) << "too late to see what is not executed";
  const Cycles ahead = run.cycles("issue_ahead");
  ASSERT_FALSE(ahead.empty());
  for (std::size_t i = 0; i < ahead.size(); ++i) EXPECT_EQ(ahead[i], begin + 1 + i * kLatency);
  EXPECT_LT(ahead.back(), started);
  EXPECT_LT(ahead.size(), std::size_t{kChain});
  EXPECT_EQ(run.counter("lookahead.dropped"), ahead.size());
  EXPECT_EQ(run.cycles("reuse").size(), 0U);
  for (std::size_t i = 0; i < kChain; ++i)
    EXPECT_EQ(run.cycle("issue", run.pc_of(Operation::mul_lo, i)),
              begin + kWait + 1 + i * kLatency);
}

TEST(PreExecutionEvents, BlockThatMustWaitTakesNothing) {
  const Timeline run = run_two_blocks("block");
  const std::uint64_t begin = run.cycles("block").front();
  const Cycles reused = run.cycles("reuse");
  ASSERT_EQ(reused.size(), 2 * std::size_t{kChain}) << "in both blocks";
  for (std::size_t i = 0; i < kChain; ++i) EXPECT_EQ(reused[i], begin + kWait + 1 + i);
  EXPECT_EQ(run.counter("lookahead.dropped"), 0U);
}

TEST(PreExecutionEvents, ReachesUpTo511BytesAheadOfTheWaitingInstruction) {
  // Instructions have 8 bytes. Those between need the data, and are skipped.
  const auto issues = [](std::uint64_t distance, const std::string& last) {
    const Timeline run(kLoad + kUse +
                           repeat(static_cast<int>(distance) - 1, "add.u32 %r11, %r11, 1;\n") +
                           last + "st.global.u32 [%l1+128], %r11;\n",
                       settings_with());
    return run.cycles("issue_ahead").size();
  };
  const std::string computed = "max.u32 %r13, %lane, 7;\n";
  EXPECT_EQ(issues(63, computed), 1U) << "504 bytes";
  EXPECT_EQ(issues(64, computed), 0U) << "512 bytes";
  // A branch to an instruction in reach, which P-mode would execute.
  const std::string branch = "bra BACK;\nBACK:\n";
  EXPECT_EQ(issues(63, branch), 1U);
  EXPECT_EQ(issues(64, branch), 0U) << "the warp halts";
}

TEST(PreExecutionEvents, Reaches512BytesBackFromTheWaitingInstruction) {
  // A loop of two iterations. P-mode goes from its end to the maximum at its beginning, which is
  // `distance` instructions before the use. Those between need the data.
  const auto issues = [](int distance) {
    const Timeline run("mov.u32 %r11, 3;\nmov.u32 %r14, 0;\nLOOP:\nmax.u32 %r13, %lane, 7;\n" +
                           repeat(distance - 2, "add.u32 %r11, %r11, 1;\n") + kLoad + kUse +
                           "add.u32 %r14, %r14, 1;\nsetp.lt.u32 %p1, %r14, 2;\n@%p1 bra LOOP;\n" +
                           kStore,
                       settings_with());
    return run.cycles("issue_ahead", run.pc_of(Operation::max)).size();
  };
  EXPECT_EQ(issues(64), 1U) << "512 bytes";
  EXPECT_EQ(issues(65), 0U) << "520 bytes";
}

}  // namespace
}  // namespace heddle::gpu::test
