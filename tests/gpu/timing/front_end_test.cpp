// Fetch of straight-line code and branches, and the instruction cache.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "gpu/timing/probe.h"

namespace heddle::gpu::test {
namespace {

struct Fetch {
  std::uint32_t width = 2;
  std::uint32_t latency = 2;
  std::uint32_t buffer = 4;

  Settings settings() const {
    return {"fetch.width=" + std::to_string(width), "fetch.latency=" + std::to_string(latency),
            "fetch.buffer=" + std::to_string(buffer), "fetch.ports=1"};
  }
};

/// The program counter of the n-th instruction that reads the clock.
std::uint32_t place_of_clock(const ProbeRun& run, int n) {
  const std::vector<code::Instruction>& instructions = run.chip().program().instructions;
  for (std::uint32_t pc = 0; pc < instructions.size(); ++pc) {
    const code::Instruction& instruction = instructions[pc];
    if (instruction.operation == code::Operation::read_special &&
        instruction.special == code::Special::clock && n-- == 0) {
      return pc;
    }
  }
  throw std::out_of_range("the program reads fewer clocks");
}

/// A model of the cycles from the instruction at `first` to the one at `last` if only fetch limits
/// issue. The buffer is full at `first`. A fetch group is requested in the cycle after the issue
/// that makes space for it, at most one per cycle.
std::uint32_t cycles_straight_on(const Fetch& fetch, std::uint32_t first, std::uint32_t last) {
  std::map<std::uint32_t, std::int64_t> ready;  // By group.
  std::vector<std::int64_t> issue(last + 1, 0);
  std::int64_t access = -1000;
  for (std::uint32_t pc = first + 1; pc <= last; ++pc) {
    const std::uint32_t group = pc / fetch.width;
    if (!ready.contains(group)) {
      // The group fits in the buffer once instruction `freeing_pc` has issued: at most `buffer`
      // instructions then remain up to the group's end.
      const std::int64_t freeing_pc = std::int64_t{(group + 1) * fetch.width} - fetch.buffer - 1;
      const std::int64_t requested = freeing_pc < std::int64_t{first}
                                         ? -1000
                                         : issue[static_cast<std::size_t>(freeing_pc)] + 1;
      access = std::max(access + 1, requested);
      ready[group] = access + fetch.latency;
    }
    issue[pc] = std::max(issue[pc - 1] + 1, ready[group]);
  }
  return static_cast<std::uint32_t>(issue[last]);
}

const std::string kValues = "ld.global.u32 %r50, [%data+4];\nld.global.u32 %r51, [%data+8];\n";
std::string stream(int first, int count) {
  std::string text;
  for (int i = first; i < first + count; ++i) {
    text += "mad.lo.u32 %r" + std::to_string(i) + ", %r50, %r51, " + std::to_string(i) + ";\n";
  }
  return text;
}

TEST(FetchTiming, ShortBufferCausesBubblesInStraightLineCode) {
  for (const Fetch& fetch : {Fetch{1, 1, 1}, Fetch{1, 2, 1}, Fetch{1, 2, 2}, Fetch{1, 2, 3},
                             Fetch{2, 2, 2}, Fetch{2, 2, 3}, Fetch{2, 2, 4}, Fetch{2, 5, 4},
                             Fetch{4, 3, 4}, Fetch{4, 3, 8}, Fetch{8, 10, 8}, Fetch{8, 10, 16}}) {
    const ProbeRun run({.setup = kValues,
                        .body = clock(0) + stream(0, 24) + clock(1),
                        .keep = registers("%r", 24)},
                       fetch.settings());
    // The instruction before the first clock read waits for the setup's loads, so the buffer fills.
    const std::uint32_t first = place_of_clock(run, 0) - 1;
    EXPECT_EQ(run.cycles(), cycles_straight_on(fetch, first, place_of_clock(run, 1)) -
                                cycles_straight_on(fetch, first, first + 1))
        << fetch.width << " wide, latency " << fetch.latency << ", buffer " << fetch.buffer;
  }
}

TEST(FetchTiming, BufferOfTwoGroupsHidesTheFetchLatency) {
  const auto cycles = [](const Fetch& fetch) {
    return ProbeRun({.setup = kValues,
                     .body = clock(0) + stream(0, 20) + clock(1),
                     .keep = registers("%r", 20)},
                    fetch.settings())
        .cycles();
  };
  EXPECT_EQ(cycles({.width = 2, .latency = 2, .buffer = 4}), 21);
  // One instruction is fetched at a time, after the previous one has issued.
  EXPECT_EQ(cycles({.width = 1, .latency = 2, .buffer = 1}), 21 * 3);
}

/// `%p1` is true for all lanes, `%p2` for none.
const std::string kPredicates =
    kValues + "setp.ne.u32 %p1, %r50, 77;\nsetp.eq.u32 %p2, %r50, 77;\n";
/// Code that is too long for the compiler to predicate.
const std::string kDetour = stream(0, 30) + "st.global.u32 [%result], %r29;\n";

TEST(BranchTiming, NextInstructionWaitsUntilTheBranchResolves) {
  for (const int resolve : {1, 4, 16}) {
    for (const int fetch : {1, 3}) {
      const Settings settings{"branch.resolve_cycles=" + std::to_string(resolve),
                              "fetch.latency=" + std::to_string(fetch)};
      const auto cycles = [&](const std::string& guard) {
        return ProbeRun({.setup = kPredicates,
                         .body = clock(0) + guard + " bra behind;\n" + clock(1) + kDetour +
                                 "behind:\n" + clock(2),
                         .stamps = 3,
                         .keep = {"%r29"}},
                        settings);
      };
      const ProbeRun taken = cycles("@%p1");
      EXPECT_EQ(taken.stamp(2) - taken.stamp(0), 1 + resolve + fetch);
      // The fall-through instruction is in the buffer already.
      EXPECT_EQ(cycles("@%p2").cycles(), 1 + resolve);
    }
  }
}

/// Cycles from the clock read before a jump to the clock read at its target.
std::uint32_t cycles_of_jump(const Settings& settings) {
  const ProbeRun run({.setup = kPredicates,
                      .body = "@%p2 bra other;\n" + clock(0) + "bra.uni join;\nother:\n" +
                              clock(0) + kDetour + "join:\n" + clock(1),
                      .keep = {"%r29"}},
                     Settings{"branch.resolve_cycles=20"} + settings);
  EXPECT_EQ(run.counter("branch.jumps"), 1);
  return run.cycles();
}

TEST(BranchTiming, JumpIsKnownAtDecode) {
  for (const int jump : {1, 3}) {
    EXPECT_EQ(cycles_of_jump({"branch.jump_cycles=" + std::to_string(jump), "fetch.latency=2"}),
              1 + jump + 2);
  }
}

TEST(BranchTiming, PrefetchedJumpTargetIssuesInTheNextSlot) {
  for (const int fetch : {1, 3}) {
    EXPECT_EQ(cycles_of_jump({"branch.fetches_targets=yes", "branch.jump_cycles=7",
                              "fetch.latency=" + std::to_string(fetch)}),
              1 + 1)
        << "like an instruction other than a jump";
  }
}

TEST(BranchTiming, DivergentSidesExecuteOneAfterTheOther) {
  const auto cycles = [](const std::string& predicate) {
    return ProbeRun({.setup = kValues + "mov.u32 %r29, %lane;\nsetp." + predicate + ";\n",
                     .body = clock(0) + "@%p1 bra other;\n" +
                             repeat(30, "mad.lo.u32 %r29, %r29, %r50, %lane;\n") +
                             "bra.uni join;\nother:\n" +
                             repeat(30, "mad.lo.u32 %r29, %r29, %r51, %thread;\n") + "join:\n" +
                             clock(1),
                     .keep = {"%r29"}},
                    Settings{"branch.resolve_cycles=4", "units.integer.latency=1"})
        .cycles();
  };
  const std::uint32_t none = cycles("lt.u32 %p1, %lane, 0");
  const std::uint32_t all = cycles("lt.u32 %p1, %lane, 32");
  const std::uint32_t half = cycles("lt.u32 %p1, %lane, 16");
  EXPECT_GT(none, 30);
  EXPECT_GT(all, 30);
  EXPECT_LT(none, 45);
  EXPECT_LT(all, 45);
  EXPECT_GT(half, 60);
}

/// A loop of `length` instructions and three that close it. The compiler does not unroll it,
/// because its iteration count is in memory.
ProbeRun loop(int length, int rounds, const Settings& settings) {
  return ProbeRun(
      {.setup = "ld.global.u32 %r40, [%data+" + std::to_string(4 * rounds) +
                "];\nmov.u32 %r41, 0;\n" + kValues + "mov.u32 %r42, 0;\n",
       .body = clock(0) + "around:\n" +
               [&] {
                 std::string text;
                 for (int i = 0; i < length; ++i) {
                   text += "mad.lo.u32 %r42, %r42, %r50, " + std::to_string(i) + ";\n";
                 }
                 return text;
               }() +
               "add.u32 %r41, %r41, 1;\nsetp.lt.u32 %p1, %r41, %r40;\n@%p1 bra around;\n" +
               clock(1),
       .keep = {"%r42"}},
      Settings{"units.integer.latency=1", "branch.resolve_cycles=3", "fetch.width=2",
               "fetch.latency=2", "fetch.buffer=4", "fetch.ports=1"} +
          settings);
}

/// The number of instruction cache lines that an iteration touches.
std::uint32_t lines_of(const ProbeRun& run, std::uint32_t line_instructions) {
  const std::uint32_t first = place_of_clock(run, 0) + 1;
  const std::uint32_t last = place_of_clock(run, 1) - 1;
  return last / line_instructions - first / line_instructions + 1;
}

constexpr int kLength = 61;
const Settings kSmallCache{"icache.line_bytes=64", "icache.ways=2", "icache.miss_cycles=100"};

TEST(InstructionCacheTiming, LoopThatFitsMissesOnce) {
  const Settings fits = kSmallCache + Settings{"icache.bytes=2048"};
  const ProbeRun once = loop(kLength, 1, fits);
  const ProbeRun twice = loop(kLength, 2, fits);
  const ProbeRun thrice = loop(kLength, 3, fits);
  const std::uint32_t round = thrice.cycles() - twice.cycles();
  EXPECT_EQ(thrice.counter("icache.misses"), once.counter("icache.misses"));
  EXPECT_EQ(round, loop(kLength, 3, {}).cycles() - loop(kLength, 2, {}).cycles())
      << "as if all instructions hit";
  // An iteration takes one cycle per instruction. After the branch at its end, 3 cycles pass until
  // the branch resolves and 2 until the next instruction is fetched.
  const std::uint32_t instructions = place_of_clock(once, 1) - place_of_clock(once, 0) - 1;
  EXPECT_EQ(round, instructions - 1 + 3 + 2);
}

TEST(InstructionCacheTiming, LoopThatDoesNotFitMissesInEveryIteration) {
  const Settings small = kSmallCache + Settings{"icache.bytes=256"};
  const ProbeRun twice = loop(kLength, 2, small);
  const ProbeRun thrice = loop(kLength, 3, small);
  const std::uint32_t lines = lines_of(twice, 64 / 8);
  ASSERT_GT(lines, 6);
  const std::uint32_t warm = loop(kLength, 3, {}).cycles() - loop(kLength, 2, {}).cycles();
  EXPECT_EQ(thrice.counter("icache.misses") - twice.counter("icache.misses"), lines);
  // Two fetch groups are in the buffer when the next line is requested. Issuing one of them takes
  // as long as a fetch that hits, so each miss costs exactly its 100 cycles.
  EXPECT_EQ(thrice.cycles() - twice.cycles(), warm + 100 * lines);
}

}  // namespace
}  // namespace heddle::gpu::test
