// The chip model of Gebhart's dissertation, section 4.4: the power of its parts, and the savings
// that later chapters derive from it.

#include "energy/chip_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "energy/account.h"
#include "energy/technology.h"

namespace heddle::energy {
namespace {

using testing::HasSubstr;

ChipModel storage_chip() { return *load_technology("storage-40nm").chip_model; }

TEST(ChipModel, MatchesThePapersPowerOfParts) {
  const ChipModel chip = storage_chip();
  EXPECT_DOUBLE_EQ(chip.watts, 130);
  EXPECT_NEAR(chip.dynamic_watts(), 87, 0.5);
  EXPECT_NEAR(chip.multiprocessor_watts(), 3.8, 0.05);
  EXPECT_NEAR(chip.register_file_watts(), 0.6, 0.05);
}

TEST(ChipModel, MatchesThePapersSavingOfARegisterFileCache) {
  // Section 5.4.6: a saving of 36 % of the register energy is 0.2 W per multiprocessor and 3.3 W
  // per chip. That is 5.4 % of a multiprocessor's power, and 3.8 % of the chip's dynamic power.
  const ChipModel chip = storage_chip();
  const ChipModel::Saving saving = chip.saving(0.36);
  EXPECT_NEAR(saving.watts / 16, 0.2, 0.05);
  EXPECT_NEAR(saving.watts, 3.3, 0.05);
  EXPECT_NEAR(saving.of_multiprocessor, 0.054, 0.0005);
  EXPECT_NEAR(saving.of_dynamic, 0.038, 0.0005);
}

TEST(ChipModel, MatchesThePapersSavingOfAManagedHierarchy) {
  // Section 6.5.4: a saving of 54 % of the register energy is 8.3 % of a multiprocessor's power,
  // and 5.8 % of the chip's dynamic power. Our results may differ by some 0.1 points, because the
  // dissertation rounds the 54 %.
  const ChipModel::Saving saving = storage_chip().saving(0.54);
  EXPECT_NEAR(saving.of_multiprocessor, 0.083, 0.0025);
  EXPECT_NEAR(saving.of_dynamic, 0.058, 0.0015);
}

TEST(ChipModel, ComputesSavingsOfOneChip) {
  const ChipModel chip = storage_chip();
  const ChipModel::Saving saving = chip.saving(1);
  EXPECT_NEAR(saving.watts, 16 * chip.register_file_watts(), 1e-9)
      << "the power of all register files";
  EXPECT_DOUBLE_EQ(saving.of_chip, saving.watts / chip.watts);
  EXPECT_NEAR(saving.of_dynamic, saving.watts / chip.dynamic_watts(), 1e-12);
  EXPECT_DOUBLE_EQ(chip.saving(0).watts, 0);
  EXPECT_LT(chip.saving(-0.1).watts, 0) << "a negative saving costs power";
}

TEST(ChipModel, ChargesAnInstructionBitWith0Point3PercentOfTheChip) {
  EXPECT_DOUBLE_EQ(storage_chip().cost_of_bits(1), 0.003);
  EXPECT_DOUBLE_EQ(storage_chip().cost_of_bits(4), 0.012) << "section 5.4.7";
}

TEST(ChipModel, SavesNothingWithAllOperandsInTheMainRegisterFile) {
  const Account result =
      account(load_technology("storage-40nm"), gpu::load_machine("storage"),
              {.counters = {{"operands.reads", 1001}, {"operands.writes", 333}}});
  ASSERT_TRUE(result.chip_model);
  EXPECT_EQ(result.registers.actual, result.registers.in_main_file);
  EXPECT_EQ(result.registers.actual, 174475U)
      << "1001 * (64 + 60.8) + 333 * (88 + 60.8), in whole pJ";
  EXPECT_EQ(result.registers.saved_fraction(), 0);
}

TEST(ChipModel, ComparesWithTheMainRegisterFile) {
  EXPECT_DOUBLE_EQ((RegisterEnergy{.actual = 64, .in_main_file = 100}).saved_fraction(), 0.36);
  EXPECT_DOUBLE_EQ((RegisterEnergy{.actual = 120, .in_main_file = 100}).saved_fraction(), -0.2);
  EXPECT_EQ(RegisterEnergy{}.saved_fraction(), 0) << "no operands";
}

TEST(ChipModel, ExistsOnlyIfTheTechnologyDeclaresIt) {
  EXPECT_FALSE(load_technology("published-40nm").chip_model);
  EXPECT_FALSE(load_technology("simt-40nm").chip_model);
  const Account result =
      account(load_technology("simt-40nm"), gpu::load_machine("uniform"), {.cycles = 10});
  EXPECT_FALSE(result.chip_model);
}

TEST(ChipModel, IsInheritedFromABaseOfTheSameNode) {
  const Technology mine = read_technology(
      "summary = \"mine\"\nnode_nm = 40\nvolts = 0.9\nbased_on = \"storage-40nm\"\n", "mine",
      "mine.toml");
  ASSERT_TRUE(mine.chip_model);
  EXPECT_EQ(mine.chip_model->origin.technology, "storage-40nm");
}

TEST(ChipModelErrors, GiveTheirPosition) {
  const auto error_of = [](const std::string& text) -> std::string {
    try {
      read_technology("summary = \"mine\"\nnode_nm = 40\nvolts = 0.9\n" + text, "mine",
                      "mine.toml");
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(error_of("[chip_model]\nwatts = 130\n"), HasSubstr("'leakage_share' is missing"));
  EXPECT_THAT(error_of("[chip_model]\nwatts = 130\nleakage_share = 33\n"),
              HasSubstr("mine.toml:6:"));
  EXPECT_THAT(error_of("[chip_model]\nwatt = 130\n"), HasSubstr("did you mean 'watts'?"));
}

}  // namespace
}  // namespace heddle::energy
