// The energy of wires, computed from the constants in Gebhart's dissertation, Table 4.6.

#include "energy/wires.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "base/error.h"
#include "energy/technology.h"

namespace heddle::energy {
namespace {

using testing::HasSubstr;

constexpr double kVolts = 0.9;

TEST(Wires, MatchTheTableForAWordOverAMillimetre) {
  const Technology storage = load_technology("storage-40nm");
  ASSERT_TRUE(storage.wires);
  const double picojoules = storage.wires->picojoules(storage.volts, 1);
  // A wire has 300 fF per millimetre. Half of the 32 wires switch, and each takes C V^2 / 2.
  EXPECT_DOUBLE_EQ(picojoules, 300e-15 * 0.9 * 0.9 * 32 / 2 / 2 * 1e12);
  EXPECT_EQ(std::round(10 * picojoules), 19) << "1.9 pJ, rounded as in the table";
  EXPECT_EQ(storage.volts, kVolts);
}

TEST(Wires, AreChargedWithTheTablesFigure) {
  const Technology storage = load_technology("storage-40nm");
  const double picojoules_per_lane =
      *storage.energies[Event::register_read_carried]->picojoules(0) / 32;
  EXPECT_DOUBLE_EQ(picojoules_per_lane, 1.9);
  EXPECT_NEAR(storage.wires->picojoules(kVolts, 1) / picojoules_per_lane, 1, 0.025);
}

TEST(Wires, AreFiveAndTwentyTimesShorterForUpperLevels) {
  // The distances are those of the table, and the factors those of section 4.4.
  const Wires wires = *load_technology("storage-40nm").wires;
  const double main = wires.picojoules(kVolts, 1);
  EXPECT_NEAR(main / wires.picojoules(kVolts, 0.2), 5, 1e-9);
  EXPECT_NEAR(main / wires.picojoules(kVolts, 0.05), 20, 1e-9);
}

TEST(Wires, ScaleWithDistanceForUpperLevels) {
  const Technology storage = load_technology("storage-40nm");
  const auto picojoules_of = [&](Event event) { return *storage.energies[event]->picojoules(0); };
  const double main = picojoules_of(Event::register_read_carried);
  EXPECT_DOUBLE_EQ(picojoules_of(Event::register_written_carried), main);
  EXPECT_DOUBLE_EQ(picojoules_of(Event::operand_file_carried_private) / main, 0.2);
  EXPECT_DOUBLE_EQ(picojoules_of(Event::operand_file_carried_shared) / main, 0.4);
  EXPECT_DOUBLE_EQ(picojoules_of(Event::last_result_carried) / main, 0.05);
}

TEST(Wires, ScaleWithTheSquareOfTheVoltage) {
  const Wires wires{.femtofarads_per_millimetre = 100, .word_bits = 10, .switching = 0.5};
  EXPECT_DOUBLE_EQ(wires.picojoules(1, 2), 1);
  EXPECT_DOUBLE_EQ(wires.picojoules(2, 2), 4);
}

TEST(Wires, GiveAnEventAFigureByLength) {
  const std::string head = "summary = \"mine\"\nnode_nm = 40\nvolts = 1\n";
  const std::string wires =
      "[wires]\nfemtofarads_per_millimetre = 100\nword_bits = 10\nswitching = 0.5\nsource = "
      "\"x\"\n";
  const std::string event =
      "[[energy]]\nof = \"register_wires.read\"\nmillimetres = 3\ntimes = 32\nsource = \"x\"\n";
  const Technology mine = read_technology(head + wires + event, "mine", "mine.toml");
  EXPECT_DOUBLE_EQ(*mine.energies[Event::register_read_carried]->picojoules(0), 32 * 1.5);
  try {
    read_technology(head + event, "mine", "mine.toml");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("needs [wires]"));
  }
}

}  // namespace
}  // namespace heddle::energy
