// Energy of wires, recomputed from the constants in Gebhart's dissertation, Table 4.6.

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
  // 300 fF and 0.9 V: 32 wires, half of which switch, each with half of C V^2.
  EXPECT_DOUBLE_EQ(picojoules, 300e-15 * 0.9 * 0.9 * 32 / 2 / 2 * 1e12);
  EXPECT_EQ(std::round(10 * picojoules), 19) << "1.9 pJ, rounded as in the table";
  EXPECT_EQ(storage.volts, kVolts);
}

TEST(Wires, AreChargedWithTheTablesFigure) {
  const Technology storage = load_technology("storage-40nm");
  const double of_a_lane = *storage.energies[Event::register_read_carried]->picojoules(0) / 32;
  EXPECT_DOUBLE_EQ(of_a_lane, 1.9);
  EXPECT_NEAR(storage.wires->picojoules(kVolts, 1) / of_a_lane, 1, 0.025);
}

TEST(Wires, AreFiveAndTwentyTimesShorterForUpperLevels) {
  // The table's distances and the factors of section 4.4.
  const Wires wires = *load_technology("storage-40nm").wires;
  const double main = wires.picojoules(kVolts, 1);
  EXPECT_NEAR(main / wires.picojoules(kVolts, 0.2), 5, 1e-9);
  EXPECT_NEAR(main / wires.picojoules(kVolts, 0.05), 20, 1e-9);
}

TEST(Wires, ScaleWithDistanceForUpperLevels) {
  const Technology storage = load_technology("storage-40nm");
  const auto takes = [&](Event event) { return *storage.energies[event]->picojoules(0); };
  const double main = takes(Event::register_read_carried);
  EXPECT_DOUBLE_EQ(takes(Event::register_written_carried), main);
  EXPECT_DOUBLE_EQ(takes(Event::operand_file_carried_private) / main, 0.2);
  EXPECT_DOUBLE_EQ(takes(Event::operand_file_carried_shared) / main, 0.4);
  EXPECT_DOUBLE_EQ(takes(Event::last_result_carried) / main, 0.05);
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
