// Which multiprocessors run the blocks of concurrent programs. The expected values are worked out
// by hand.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/error.h"
#include "config/set_parameter.h"
#include "gpu/shared_chip.h"
#include "gpu/workload_on_chip.h"

namespace heddle::gpu::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A machine whose first `sms` multiprocessors form the group 'big'. `settings` apply to the group
/// only.
Machine with_big_group(const Settings& machine_settings, std::uint32_t sms,
                       const Settings& settings = {}) {
  Machine machine;
  machine.name = "test";
  config::Declarations parameters;
  machine.declare(parameters);
  for (const std::string& setting : machine_settings) config::set_parameter(parameters, setting);
  machine.groups.push_back({.name = "big", .sms = sms, .sm = machine.sm});
  config::Declarations group_parameters;
  machine.groups.back().declare(group_parameters);
  for (const std::string& setting : settings) config::set_parameter(group_parameters, setting);
  machine.check();
  return machine;
}

/// The multiprocessors on which each program's blocks ran.
std::vector<std::set<std::uint32_t>> places(const Machine& machine,
                                            const std::vector<SharedProgram>& programs) {
  SharedChip chip(machine, programs);
  chip.run();
  std::vector<std::set<std::uint32_t>> places;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    const std::vector<std::uint32_t> sms = chip.program(i).multiprocessors();
    places.emplace_back(sms.begin(), sms.end());
  }
  return places;
}

/// A program with more blocks than the chip has places.
SharedProgram many_blocks(std::uint32_t threads = 32) {
  return {.blocks = 64, .threads = threads, .turns = 40};
}

const Settings kEvenSplit{"chip.sms=7", "sm.blocks=2", "dispatch.policy=even-split"};

TEST(EvenSplit, GivesEachProgramAnEqualShareOfEveryKind) {
  // Multiprocessors 0 to 2 are one kind (the group 'big'): the first program gets two of these.
  // Multiprocessors 3 to 6 are another kind: each program gets two of these.
  const auto placed = places(with_big_group(kEvenSplit, 3), {many_blocks(), many_blocks()});
  EXPECT_THAT(placed[0], ElementsAre(0U, 1U, 3U, 4U));
  EXPECT_THAT(placed[1], ElementsAre(2U, 5U, 6U));
}

TEST(EvenSplit, GivesRemaindersOfSuccessiveKindsToDifferentPrograms) {
  const Machine machine =
      with_big_group({"chip.sms=6", "sm.blocks=2", "dispatch.policy=even-split"}, 3);
  const auto placed = places(machine, {many_blocks(), many_blocks()});
  EXPECT_THAT(placed[0], ElementsAre(0U, 1U, 3U));
  EXPECT_THAT(placed[1], ElementsAre(2U, 4U, 5U));
}

TEST(EvenSplit, DividesAmongThreePrograms) {
  const Machine machine = machine_of({"chip.sms=7", "sm.blocks=2", "dispatch.policy=even-split"});
  const auto placed = places(machine, {many_blocks(), many_blocks(), many_blocks()});
  EXPECT_THAT(placed[0], ElementsAre(0U, 1U, 2U));
  EXPECT_THAT(placed[1], ElementsAre(3U, 4U));
  EXPECT_THAT(placed[2], ElementsAre(5U, 6U));
}

TEST(EvenSplit, MatchesBreadthFirstForOneProgram) {
  std::vector<std::vector<KernelRun>> runs;
  for (const char* policy : {"breadth-first", "even-split"}) {
    ChipRun run(kSharedKernels,
                Settings{"chip.sms=5", "sm.blocks=2", std::string("dispatch.policy=") + policy});
    run.launch("note", {33}, {64}, run.zeros<std::uint32_t>(33), 20U);
    run.launch("note", {12}, {32}, run.zeros<std::uint32_t>(12), 7U);
    runs.push_back(run.chip().runs());
    EXPECT_EQ(difference(runs.back(), runs.front(), run.chip().counters()), "");
  }
}

TEST(EvenSplit, RejectsMoreProgramsThanMultiprocessors) {
  SharedChip chip(machine_of({"chip.sms=1", "dispatch.policy=even-split"}),
                  {many_blocks(), many_blocks()});
  try {
    chip.run();
    FAIL() << "expected an error: there are more programs than multiprocessors";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("fits on none of the multiprocessors"));
    EXPECT_EQ(chip.chip().stream_at_fault(), 1U);
  }
}

const Settings kSteered{"chip.sms=5", "sm.blocks=8", "dispatch.policy=steered",
                        "dispatch.few_warps_group=big"};

TEST(SteeredDispatch, SendsProgramsWithFewThreadsToTheGroup) {
  // The first program has 64 blocks of 32 threads, that is 2048 threads. The threshold is the
  // largest number that counts as few.
  const Settings by_threads = kSteered + Settings{"dispatch.few_warps=0"};
  for (const std::uint32_t threshold : {2047U, 2048U}) {
    const Machine machine = with_big_group(
        by_threads + Settings{"dispatch.few_threads=" + std::to_string(threshold)}, 2);
    const auto placed = places(machine, {many_blocks(), many_blocks(64)});
    if (threshold == 2048) {
      EXPECT_THAT(placed[0], ElementsAre(0U, 1U));
    } else {
      EXPECT_THAT(placed[0], ElementsAre(2U, 3U, 4U));
    }
    EXPECT_THAT(placed[1], ElementsAre(2U, 3U, 4U));
  }
}

TEST(SteeredDispatch, SendsProgramsWithFewWarpsToTheGroup) {
  // The first program has blocks of two warps. Eight blocks fit on a multiprocessor outside the
  // group, that is 16 warps; fewer warps than the threshold count as few. A multiprocessor of the
  // group has space for one block.
  const Settings by_warps = kSteered + Settings{"dispatch.few_threads=0"};
  for (const std::uint32_t threshold : {16U, 17U}) {
    const Machine machine = with_big_group(
        by_warps + Settings{"dispatch.few_warps=" + std::to_string(threshold)}, 2, {"sm.blocks=1"});
    const auto placed = places(machine, {many_blocks(64), many_blocks(96)});
    if (threshold == 17) {
      EXPECT_THAT(placed[0], ElementsAre(0U, 1U));
    } else {
      EXPECT_THAT(placed[0], ElementsAre(2U, 3U, 4U));
    }
    EXPECT_THAT(placed[1], ElementsAre(2U, 3U, 4U));  // 24 warps.
  }
}

TEST(SteeredDispatch, DefaultThresholdsAreSixteenWarpsAnd32768Threads) {
  // Section 4.5 of Xiang's dissertation. Blocks have one warp. A threshold of 0 is disabled.
  const auto goes_to_group = [](const Settings& settings, std::uint32_t blocks) {
    const SharedProgram program{.blocks = blocks, .turns = 4};
    const auto placed = places(with_big_group(kSteered + settings, 2), {program, many_blocks()});
    return placed[0].contains(0) && !placed[0].contains(2);
  };
  EXPECT_TRUE(goes_to_group({"dispatch.few_threads=0", "sm.blocks=15"}, 100));
  EXPECT_FALSE(goes_to_group({"dispatch.few_threads=0", "sm.blocks=16"}, 100));
  EXPECT_TRUE(goes_to_group({"dispatch.few_warps=0"}, 1024));
  EXPECT_FALSE(goes_to_group({"dispatch.few_warps=0"}, 1025));
}

TEST(SteeredDispatch, KeepsAProgramWhereItsFirstLaunchWent) {
  // The second launch has twice as many threads as the first. If the first launch is within the
  // threshold of 2048 threads, the second exceeds it and runs on the same multiprocessors.
  SharedProgram program = many_blocks();
  program.launches = 2;
  program.doubles_every_second = true;
  SharedProgram longer = many_blocks(64);
  longer.turns = 400;
  const Settings by_threads =
      kSteered + Settings{"dispatch.few_warps=0", "dispatch.few_threads=2048"};
  for (const bool begins_small : {true, false}) {
    program.threads = begins_small ? 32 : 64;
    const auto placed = places(with_big_group(by_threads, 2), {program, longer});
    if (begins_small) {
      EXPECT_THAT(placed[0], ElementsAre(0U, 1U));
    } else {
      EXPECT_THAT(placed[0], ElementsAre(2U, 3U, 4U));
    }
    EXPECT_THAT(placed[1], ElementsAre(2U, 3U, 4U));
  }
}

TEST(SteeredDispatch, GivesASingleProgramAllMultiprocessors) {
  const auto placed = places(with_big_group(kSteered, 2), {many_blocks()});
  EXPECT_THAT(placed[0], ElementsAre(0U, 1U, 2U, 3U, 4U));
}

TEST(SteeredDispatch, SendsAProgramThatDoesNotFitTheGroupToTheOthers) {
  const Machine machine = with_big_group(kSteered, 2, {"sm.warps=1"});
  const auto placed = places(machine, {many_blocks(64), many_blocks()});
  EXPECT_THAT(placed[0], ElementsAre(2U, 3U, 4U));
  EXPECT_THAT(placed[1], ElementsAre(0U, 1U));
}

std::string refusal(const Settings& settings, std::uint32_t sms) {
  try {
    with_big_group(settings, sms);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(SteeredDispatch, RequiresTheGroupAndMultiprocessorsOutsideIt) {
  EXPECT_EQ(refusal(kSteered, 2), "");
  EXPECT_THAT(refusal(kSteered + Settings{"dispatch.few_warps_group=small"}, 2),
              HasSubstr("there is no group 'small'"));
  EXPECT_THAT(refusal(kSteered + Settings{"dispatch.few_warps_group="}, 2),
              HasSubstr("there is no group ''"));
  EXPECT_THAT(refusal(kSteered, 5), HasSubstr("there are no others"));
  EXPECT_THAT(refusal(kSteered + Settings{"dispatch.few_warps_group=a b"}, 2),
              HasSubstr("expected name"));
}

}  // namespace
}  // namespace heddle::gpu::test
