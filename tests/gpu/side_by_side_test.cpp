// Programs that run side by side on one chip.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "base/error.h"
#include "gpu/shared_chip.h"
#include "gpu/workload_on_chip.h"

namespace heddle::gpu::test {
namespace {

using testing::ElementsAre;
using testing::Gt;
using testing::HasSubstr;

/// A machine on which two programs do not interfere: there are no instruction cache misses, and
/// each program has its own multiprocessor.
const Settings kSeparateSms{"chip.sms=2", "sm.blocks=1", "icache.bytes=0",
                            "dispatch.policy=even-split"};

std::uint64_t cycles_alone(const SharedProgram& program, const Settings& settings) {
  SharedChip alone(machine_of(settings), {program});
  alone.run();
  return alone.program(0).launches().at(0).cycles.count;
}

/// The value of a counter of the whole run. Throws if there is none of that name.
std::uint64_t counter_value(const SharedChip& shared, const std::vector<CounterName>& names,
                            std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].name == name) return shared.shared_run().counters[i];
  }
  throw std::invalid_argument("no such counter");
}

TEST(SideBySide, RestartsTheShorterProgramUntilTheLongerEnds) {
  const SharedProgram short_one{.turns = 200};
  const SharedProgram long_one{.turns = 900};
  const std::uint64_t short_cycles = cycles_alone(short_one, kSeparateSms);
  const std::uint64_t long_cycles = cycles_alone(long_one, kSeparateSms);
  // The chip starts launches between epochs of 80 cycles, so successive launches are at most 80
  // cycles apart. Four short launches fit before the long program ends, five do not.
  ASSERT_LT(4 * short_cycles + 4 * 80, long_cycles);
  ASSERT_GT(5 * short_cycles, long_cycles);

  SharedChip chip(machine_of(kSeparateSms), {short_one, long_one});
  const SharedRun& shared = chip.run();
  EXPECT_EQ(chip.program(1).launches().size(), 1U);
  EXPECT_EQ(chip.program(0).launches().size(), 4U);
  Cycle before = shared.begin;
  for (const KernelRun& launch : chip.program(0).launches()) {
    EXPECT_EQ(launch.cycles.count, short_cycles);
    EXPECT_GE(launch.begin, before);
    EXPECT_LE(launch.begin, before + Cycles(80));
    before = launch.begin + launch.cycles;
  }
  EXPECT_EQ(chip.program(1).launches()[0].cycles.count, long_cycles);
  EXPECT_GE(shared.cycles.count, long_cycles);
  EXPECT_LE(shared.cycles.count, long_cycles + 80);
  // The fifth launch was in flight, and is reported with the instructions it executed.
  ASSERT_EQ(chip.chip().runs().size(), 6U);
  EXPECT_EQ(chip.chip().runs().back().blocks_done, 0U);
  EXPECT_GT(chip.chip().runs().back().warp_instructions, 0U);
}

TEST(SideBySide, KeepsInstructionAndConstantCacheLinesOfProgramsApart) {
  for (const char* kernel : {"note", "looked_up"}) {
    const Settings together{"chip.sms=1", "sm.blocks=2"};
    const SharedProgram program{.kernel = kernel, .turns = 20};
    SharedChip alone(machine_of(together), {program});
    alone.run();
    SharedChip both(machine_of(together), {program, program});
    both.run();
    for (const char* counter : {"icache.misses", "constant.misses"}) {
      const std::vector<CounterName>& names = both.chip().counters();
      EXPECT_EQ(counter_value(both, names, counter), 2 * counter_value(alone, names, counter))
          << kernel << ": " << counter;
    }
    EXPECT_GT(counter_value(alone, alone.chip().counters(), "icache.misses"), 0U);
    EXPECT_EQ(counter_value(alone, alone.chip().counters(), "constant.misses"),
              kernel == std::string_view("looked_up") ? 1U : 0U);
  }
}

TEST(SideBySide, MatchesAPlainLaunchForOneProgram) {
  const Settings settings{"chip.sms=3", "sm.blocks=2"};
  const SharedProgram program{.blocks = 20, .threads = 64, .turns = 30};
  SharedChip alone(machine_of(settings), {program});
  alone.run();
  ChipRun plain(kSharedKernels, settings);
  plain.launch("note", {20}, {64}, plain.zeros<std::uint32_t>(20), 30U);
  EXPECT_EQ(alone.program(0).launches().at(0).cycles, plain.last_launch().cycles);
}

/// Compares runs with 1, 2 and 4 host threads; returns the run with one.
SharedRun expect_equal_for_any_host_threads(const Machine& machine,
                                            const std::vector<SharedProgram>& programs) {
  std::vector<KernelRun> expected;
  SharedRun first;
  for (const std::uint32_t threads : {1U, 2U, 4U}) {
    SCOPED_TRACE(threads);
    SharedChip chip(machine, programs, {.threads = threads});
    const SharedRun& shared = chip.run();
    if (threads == 1) {
      expected = chip.chip().runs();
      first = shared;
      EXPECT_GT(expected.size(), 10U);
    }
    EXPECT_EQ(difference(chip.chip().runs(), expected, chip.chip().counters()), "");
    EXPECT_EQ(shared.counters, first.counters);
    EXPECT_EQ(shared.cycles, first.cycles);
    for (std::size_t i = 0; i < programs.size(); ++i) {
      EXPECT_EQ(shared.streams[i].warp_instructions, first.streams[i].warp_instructions);
      EXPECT_EQ(shared.streams[i].occupied_sm_cycles, first.streams[i].occupied_sm_cycles);
    }
  }
  return first;
}

TEST(SideBySide, GivesSameRunForAnyNumberOfHostThreads) {
  for (const char* policy : {"breadth-first", "even-split"}) {
    SCOPED_TRACE(policy);
    expect_equal_for_any_host_threads(
        machine_of({"chip.sms=5", "sm.blocks=3", std::string("dispatch.policy=") + policy}),
        // The first program takes so long that the others run several times.
        {{.blocks = 40, .threads = 64, .turns = 60, .launches = 3},
         {.blocks = 7, .turns = 20},
         {.blocks = 11, .threads = 96, .turns = 5}});
  }
}

TEST(SideBySide, GivesSameSteeredRunForAnyNumberOfHostThreads) {
  const Machine machine =
      load_machine("mixed-h", {"dispatch.policy=steered", "dispatch.few_warps_group=ilp"});
  // The first program has 76800 threads; the others have few.
  const SharedRun run =
      expect_equal_for_any_host_threads(machine, {{.blocks = 400, .threads = 192, .turns = 60},
                                                  {.blocks = 30, .turns = 20},
                                                  {.blocks = 40, .threads = 96, .turns = 5}});
  // The two elements belong to the two kinds of multiprocessors: the group 'ilp' and the others.
  EXPECT_THAT(run.streams[0].warp_instructions, ElementsAre(0U, Gt(0U)));
  EXPECT_THAT(run.streams[1].warp_instructions, ElementsAre(Gt(0U), 0U));
  EXPECT_THAT(run.streams[2].warp_instructions, ElementsAre(Gt(0U), 0U));
}

TEST(SideBySide, ProgramInstructionsAddUpToTheChips) {
  SharedChip chip(machine_of({"chip.sms=3", "sm.blocks=4"}),
                  {{.blocks = 30, .threads = 64, .turns = 90}, {.blocks = 5, .turns = 20}});
  const SharedRun& shared = chip.run();
  const auto sum = [&](std::vector<std::uint64_t> SharedRun::Stream::*counts) {
    std::uint64_t total = 0;
    for (const SharedRun::Stream& stream : shared.streams) {
      const std::vector<std::uint64_t>& each = stream.*counts;
      total += std::accumulate(each.begin(), each.end(), std::uint64_t{0});
    }
    return total;
  };
  const std::vector<CounterName>& names = chip.chip().counters();
  EXPECT_EQ(sum(&SharedRun::Stream::warp_instructions),
            counter_value(chip, names, "sm.warp_instructions"));
  EXPECT_EQ(sum(&SharedRun::Stream::thread_instructions),
            counter_value(chip, names, "sm.thread_instructions"));
}

TEST(SideBySide, ProgramHoldsAMultiprocessorWhileItsBlockRuns) {
  SharedChip chip(machine_of(kSeparateSms), {{.turns = 200}, {.turns = 900}});
  const SharedRun& shared = chip.run();
  const KernelRun& longer = chip.program(1).launches().at(0);
  EXPECT_EQ(shared.streams[1].occupied_sm_cycles.at(0).count,
            longer.cycles.count - 100);  // dispatch.latency
}

TEST(SideBySide, AllowsALaunchObjectToChangeShape) {
  // Every second launch has twice as many warps per block. A host program may also change a
  // launch object between launches.
  SharedChip chip(machine_of({"chip.sms=1", "sm.blocks=2"}),
                  {{.blocks = 3, .turns = 3, .doubles_every_second = true}, {.turns = 3000}});
  chip.run();
  const std::vector<KernelRun>& launches = chip.program(0).launches();
  ASSERT_GT(launches.size(), 4U);
  for (std::size_t i = 0; i < launches.size(); ++i) {
    EXPECT_EQ(launches[i].warp_instructions, launches[0].warp_instructions * (1 + i % 2)) << i;
  }
}

TEST(SideBySide, AttributesAFaultToItsProgram) {
  SharedChip chip(machine_of({"chip.sms=2"}), {{.turns = 100}, {.kernel = "stray"}});
  EXPECT_THROW(chip.run(), exec::SimulatedFault);
  EXPECT_EQ(chip.chip().stream_at_fault(), 1U);
}

TEST(SideBySide, DetectsALivelockWhileAnotherProgramWorks) {
  SharedChip chip(machine_of({"chip.sms=2", "dispatch.policy=even-split"}),
                  {{.turns = 20000}, {.kernel = "spin"}});
  try {
    chip.run();
    FAIL() << "expected a livelock, but both programs ended";
  } catch (const exec::SimulatedFault& fault) {
    EXPECT_EQ(fault.kind(), exec::FaultKind::livelock);
    EXPECT_EQ(chip.chip().stream_at_fault(), 1U);
  }
}

TEST(SideBySide, AttributesACycleLimitToItsProgram) {
  SharedChip chip(machine_of({"chip.sms=2"}), {{.turns = 10}, {.turns = 100000}},
                  {.max_cycles = 20000});
  EXPECT_THROW(chip.run(), exec::SimulatedFault);
  EXPECT_EQ(chip.chip().stream_at_fault(), 1U);
}

TEST(SideBySide, IsolatesMemoryOfPrograms) {
  // The stray store is 4 KB past the first word. If the programs shared one memory, this address
  // could belong to the other program.
  for (const std::uint32_t part : {0U, 1U}) {
    std::vector<SharedProgram> programs{{.blocks = 4096, .turns = 0}, {.blocks = 4096, .turns = 0}};
    programs[part] = {.kernel = "stray"};
    SharedChip chip(machine_of({"chip.sms=2"}), programs);
    try {
      chip.run();
      FAIL() << "expected an out-of-bounds fault";
    } catch (const exec::SimulatedFault& fault) {
      EXPECT_THAT(fault.what(), HasSubstr("out of bounds"));
      EXPECT_EQ(chip.chip().stream_at_fault(), part);
    }
  }
}

}  // namespace
}  // namespace heddle::gpu::test
