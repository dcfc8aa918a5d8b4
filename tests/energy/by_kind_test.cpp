// The energy of each kind of multiprocessor, and of programs that share a chip.

#include "energy/by_kind.h"

#include <gtest/gtest.h>

#include <numeric>

namespace heddle::energy {
namespace {

ComponentEnergy component_energy(Component component, Picojoules dynamic_energy,
                                 Picojoules static_energy) {
  return {.component = component, .dynamic_energy = dynamic_energy, .static_energy = static_energy};
}

constexpr Picojoules kJoule = 1'000'000'000'000;

TEST(DivideAmongPrograms, UsesInstructionsOfEachKindAndTime) {
  Account whole;
  whole.components = {component_energy(Component::fp32_units, 12 * kJoule, 10 * kJoule),
                      component_energy(Component::dram, 8 * kJoule, 0)};
  Account big;
  big.components = {component_energy(Component::fp32_units, 9 * kJoule, 0)};
  Account small;
  small.components = {component_energy(Component::fp32_units, 3 * kJoule, 0)};
  // The first program has 2/3 of the instructions on big multiprocessors, none of those on small
  // ones, and 1/4 of all instructions. It has 0.3 of the resident time.
  const std::vector<ProgramShare> programs{
      {.warp_instructions = {200, 0}, .occupied_sm_cycles = {Cycles(30), Cycles(0)}},
      {.warp_instructions = {100, 500}, .occupied_sm_cycles = {Cycles(10), Cycles(60)}}};
  const std::vector<double> joules = divide_among_programs(whole, {big, small}, programs);
  ASSERT_EQ(joules.size(), 2U);
  EXPECT_NEAR(joules[0], 9 * 2.0 / 3 + 8 * 0.25 + 10 * 0.3, 1e-9);
  EXPECT_NEAR(joules[1], 9 / 3.0 + 3 + 8 * 0.75 + 10 * 0.7, 1e-9);
}

TEST(DivideAmongPrograms, WeightsTimeByLeakageOfTheKind) {
  Account whole;
  whole.components = {component_energy(Component::core, 0, 28 * kJoule)};
  Account big{.technology = "", .sms = 4};  // Each leaks 5 J.
  big.components = {component_energy(Component::core, 0, 20 * kJoule)};
  Account small{.technology = "", .sms = 8};  // Each leaks 1 J.
  small.components = {component_energy(Component::core, 0, 8 * kJoule)};
  const std::vector<ProgramShare> programs{
      {.warp_instructions = {1, 0}, .occupied_sm_cycles = {Cycles(30), Cycles(0)}},
      {.warp_instructions = {0, 1}, .occupied_sm_cycles = {Cycles(0), Cycles(60)}}};
  const std::vector<double> joules = divide_among_programs(whole, {big, small}, programs);
  EXPECT_NEAR(joules[0], 28 * 150.0 / 210, 1e-9);
  EXPECT_NEAR(joules[1], 28 * 60.0 / 210, 1e-9);
}

TEST(DivideAmongPrograms, UsesAllInstructionsIfThereIsOneKind) {
  Account whole;
  whole.components = {component_energy(Component::l1, 6 * kJoule, 4 * kJoule)};
  const std::vector<ProgramShare> programs{
      {.warp_instructions = {10}, .occupied_sm_cycles = {Cycles(5)}},
      {.warp_instructions = {20}, .occupied_sm_cycles = {Cycles(15)}}};
  const std::vector<double> joules = divide_among_programs(whole, {}, programs);
  EXPECT_NEAR(joules[0], 2 + 1, 1e-9);
  EXPECT_NEAR(joules[1], 4 + 3, 1e-9);
}

}  // namespace
}  // namespace heddle::energy
