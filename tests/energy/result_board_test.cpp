// The energy of the bypass network and of the in-order commit scoreboard. The expected values are
// computed by hand from Xiang's dissertation, section 4.5, and from Gebhart's Table 4.5.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "energy/account.h"
#include "energy/by_kind.h"

namespace heddle::energy {
namespace {

using testing::HasSubstr;

/// The account of an idle machine for one second: its leakage.
Account leakage_of(const std::string& machine, const std::vector<std::string>& settings = {}) {
  return account(load_technology("simt-40nm"), gpu::load_machine(machine, settings),
                 {.cycles = 325'000'000});  // One second.
}

double watts(const Account& account, Component component) {
  return in_joules(account.find(component).static_energy) / account.seconds;
}

/// The watts of all components of multiprocessors.
double watts_of_sms(const Account& account) {
  double sum = 0;
  for (const ComponentEnergy& each : account.components) {
    if (each.component != Component::l2) sum += in_joules(each.static_energy) / account.seconds;
  }
  return sum;
}

TEST(ResultBoard, ChargesWritesReadsAndCommitsOfEntries) {
  // 100 entries are written (16 pJ each) and each read once to commit (5.6 pJ each). 30 sources are
  // read (5.6 pJ each). Commits themselves are free.
  const Account result =
      account(load_technology("simt-40nm"), gpu::load_machine("mixed-i", {"chip.sms=2"}),
              {.cycles = 0,
               .counters = {{"dependence.entries_written", 100},
                            {"dependence.reads", 30},
                            {"dependence.commits", 90},
                            {"operands.reads", 200},
                            {"operands.writes", 100}}});
  EXPECT_EQ(result.find(Component::scoreboard).dynamic_energy, 2328U);
  EXPECT_EQ(result.find(Component::scoreboard).static_energy, 0U);
  // A result is written to the register file once, when it commits, and is not a second operand.
  EXPECT_EQ(result.find(Component::register_file).dynamic_energy,
            200U * 7872 / 100 + 100 * 18624 / 100);
  EXPECT_EQ(result.registers.actual, result.registers.in_main_file);
}

TEST(ResultBoard, LeaksByItsArea) {
  const Account result = leakage_of("mixed-i", {"chip.sms=2"});
  EXPECT_NEAR(watts(result, Component::bypass), 2 * 0.224 * 0.2015, 1e-9);
  EXPECT_NEAR(watts(result, Component::scoreboard), 2 * 0.917 * 0.2015, 1e-9);
}

TEST(ResultBoard, IncreasesLeakageInProportionToArea) {
  const double without_scoreboard = watts_of_sms(leakage_of("mixed-t")) / 40;
  const double with_scoreboard = watts_of_sms(leakage_of("mixed-i")) / 36;
  EXPECT_NEAR(with_scoreboard / without_scoreboard, 12.964 / 11.823, 1e-4);
}

TEST(ResultBoard, LeaksOnlyOnTheKindThatHasIt) {
  const Technology technology = load_technology("simt-40nm");
  const gpu::Machine machine = gpu::load_machine("mixed-h");
  const RunCounters one_second{.cycles = 325'000'000};
  EXPECT_NEAR(watts(account(technology, machine, one_second), Component::scoreboard),
              18 * 0.917 * 0.2015, 1e-9);
  double watts_of_kinds = 0;
  for (std::size_t kind = 0; kind < 2; ++kind) {
    const Account of_kind = account_of_kind(technology, machine, kind, one_second);
    EXPECT_EQ(of_kind.sms, machine.kinds()[kind].sms);
    watts_of_kinds += watts(of_kind, Component::scoreboard);
  }
  EXPECT_NEAR(watts_of_kinds, 18 * 0.917 * 0.2015, 1e-9);
}

TEST(ResultBoard, IsAbsentFromAccountsOfOtherMachines) {
  for (const char* const machine : {"ilp", "mixed-t", "uniform"}) {
    const Account result = leakage_of(machine);
    EXPECT_EQ(result.find(Component::bypass).total(), 0U) << machine;
    EXPECT_EQ(result.find(Component::scoreboard).total(), 0U) << machine;
  }
}

TEST(ResultBoard, RequiresAStatedAreaForLeakage) {
  const std::string head = "summary = \"mine\"\nnode_nm = 40\nvolts = 0.9\n";
  const std::string leakage =
      "[[static]]\nof = \"bypass\"\nmilliwatts_per_square_millimetre = 100\nsource = \"mine\"\n";
  try {
    read_technology(head + leakage, "mine", "mine.toml");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("unknown area 'bypass'"));
  }
  // A derived technology inherits the leakage of its base, but not its list of areas.
  const Technology mine = read_technology(head + "based_on = \"simt-40nm\"\n", "mine", "mine.toml");
  EXPECT_TRUE(mine.areas.empty());
  EXPECT_NEAR(
      watts(account(mine, gpu::load_machine("mixed-i"), {.cycles = 325}), Component::scoreboard),
      36 * 0.917 * 0.2015, 1e-6);
}

TEST(RegisterFile, LeaksByItsSizeInXiangsTable) {
  EXPECT_NEAR(watts(leakage_of("ilp"), Component::register_file), 30 * 0.09, 1e-9);
  EXPECT_NEAR(watts(leakage_of("mixed-same-i"), Component::register_file), 30 * 0.045, 1e-9);
}

}  // namespace
}  // namespace heddle::energy
