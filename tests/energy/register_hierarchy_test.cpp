// The energy of register hierarchies. Counts are synthetic. The expected energies are computed by
// hand from Tables 4.5 and 4.6 of Gebhart's dissertation.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "energy/account.h"
#include "energy/figure_in_use.h"

namespace heddle::energy {
namespace {

using testing::Contains;
using testing::IsEmpty;

using Counters = std::map<std::string, std::uint64_t, std::less<>>;

/// Picojoules per access of a warp's register in storage-40nm.
constexpr double kMainRead = 8 * 8, kMainWrite = 8 * 11, kMainWires = 32 * 1.9;
constexpr double kFileRead = 8 * 1.2, kFileWrite = 8 * 4.4;  // With three entries.
constexpr double kPrivateWires = kMainWires / 5, kSharedWires = kMainWires * 2 / 5;
constexpr double kLastRead = 8 * 0.7, kLastWrite = 8 * 2.0, kLastWires = kMainWires / 20;

/// storage-40nm with the figures of an operand file with this number of entries, whatever the
/// machine has.
Technology technology_with_entries(double entries) {
  Technology technology = load_technology("storage-40nm");
  for (const Event event : {Event::operand_file_read, Event::operand_file_written}) {
    EventEnergy& energy = *technology.energies[event];
    energy.points = {{.picojoules = *energy.picojoules(entries) / energy.times}};
    energy.sized_by = SizedBy::nothing;
  }
  return technology;
}

Technology without_wires(Technology technology) {
  for (const Event event : {Event::register_read_carried, Event::register_written_carried,
                            Event::operand_file_carried_private, Event::operand_file_carried_shared,
                            Event::last_result_carried}) {
    technology.energies[event]->times = 0;
  }
  return technology;
}

Account account_of(const Technology& technology, Counters counters) {
  return account(technology, gpu::load_machine("storage"), {.counters = std::move(counters)});
}

/// The dynamic energy of all register components per count of a counter, averaged over 1000 counts.
double energy_per_count(const std::string& counter) {
  const Account result = account_of(technology_with_entries(3), {{counter, 1000}});
  EXPECT_THAT(result.missing, IsEmpty());
  double sum = 0;
  for (const ComponentEnergy& component : result.components) {
    if (belongs_to_register_files(component.component)) {
      sum += static_cast<double>(component.dynamic_energy);
    }
  }
  EXPECT_EQ(static_cast<double>(result.registers.actual), sum);
  return sum / 1000;
}

/// The energy per count if all operands were in the main register file.
double energy_in_main_file(const std::string& counter) {
  return static_cast<double>(
             account_of(technology_with_entries(3), {{counter, 1000}}).registers.in_main_file) /
         1000;
}

TEST(RegisterHierarchy, ChargesOperandsForBankAndWiresOfTheirLevel) {
  EXPECT_DOUBLE_EQ(energy_per_count("operands.operand_file_reads_private"),
                   kFileRead + kPrivateWires);
  EXPECT_DOUBLE_EQ(energy_per_count("operands.operand_file_reads_shared"),
                   kFileRead + kSharedWires);
  EXPECT_DOUBLE_EQ(energy_per_count("operands.operand_file_writes_private"),
                   kFileWrite + kPrivateWires);
  EXPECT_DOUBLE_EQ(energy_per_count("operands.operand_file_writes_shared"),
                   kFileWrite + kSharedWires);
  EXPECT_DOUBLE_EQ(energy_per_count("operands.last_reads"), kLastRead + kLastWires);
  EXPECT_DOUBLE_EQ(energy_per_count("operands.last_writes"), kLastWrite + kLastWires);
}

TEST(RegisterHierarchy, ComparesOperandsOfAllLevelsWithTheMainFile) {
  for (const char* const read : {"operands.reads", "operands.operand_file_reads_private",
                                 "operands.operand_file_reads_shared", "operands.last_reads"}) {
    EXPECT_DOUBLE_EQ(energy_in_main_file(read), kMainRead + kMainWires) << read;
  }
  for (const char* const written :
       {"operands.writes", "operands.operand_file_writes_private",
        "operands.operand_file_writes_shared", "operands.last_writes"}) {
    EXPECT_DOUBLE_EQ(energy_in_main_file(written), kMainWrite + kMainWires) << written;
  }
}

TEST(RegisterHierarchy, ChargesTransfersBetweenLevelsButNotAsOperands) {
  EXPECT_DOUBLE_EQ(energy_per_count("operands.fills_private"), kFileWrite + kPrivateWires);
  EXPECT_DOUBLE_EQ(energy_per_count("operands.fills_shared"), kFileWrite + kSharedWires);
  EXPECT_DOUBLE_EQ(energy_per_count("operands.last_fills"), kLastWrite + kLastWires);
  EXPECT_DOUBLE_EQ(energy_per_count("operands.written_back"), kFileRead);
  EXPECT_DOUBLE_EQ(energy_per_count("operands.last_written_back"), kLastRead);
  EXPECT_DOUBLE_EQ(energy_per_count("operands.demoted"), kLastRead + kFileWrite + kPrivateWires);
  for (const char* const counter : {"operands.fills_private", "operands.fills_shared",
                                    "operands.last_fills", "operands.demoted"}) {
    EXPECT_EQ(energy_in_main_file(counter), 0) << counter;
  }
  // The main register file counts the write of a write-back itself.
  for (const char* const back : {"operands.written_back", "operands.last_written_back"}) {
    const Account result =
        account_of(technology_with_entries(3), {{"operands.writes", 1000}, {back, 1000}});
    EXPECT_EQ(result.registers.in_main_file, 0U) << back;
    EXPECT_EQ(result.find(Component::register_file).dynamic_energy, 1000 * kMainWrite) << back;
  }
}

TEST(RegisterHierarchy, ChargesAResultInTwoLevelsTwiceAsOneOperand) {
  // There are 1000 results: 300 in both files, and 700 in only one of them.
  const Account result =
      account_of(technology_with_entries(3), {{"operands.writes", 700},
                                              {"operands.operand_file_writes_private", 500},
                                              {"operands.last_writes", 100},
                                              {"operands.duplicate_writes", 300}});
  EXPECT_DOUBLE_EQ(static_cast<double>(result.registers.in_main_file),
                   1000 * (kMainWrite + kMainWires));
  EXPECT_DOUBLE_EQ(static_cast<double>(result.registers.actual),
                   700 * (kMainWrite + kMainWires) + 500 * (kFileWrite + kPrivateWires) +
                       100 * (kLastWrite + kLastWires));
}

TEST(RegisterHierarchy, ChargesASourceInTwoLevelsTwiceAsOneOperand) {
  // There are 1000 sources: 400 in the main file, 500 in the cache, and 100 in both, each in part.
  const Account result =
      account_of(technology_with_entries(3), {{"operands.reads", 500},
                                              {"operands.operand_file_reads_private", 600},
                                              {"operands.split_reads", 100}});
  EXPECT_DOUBLE_EQ(static_cast<double>(result.registers.in_main_file),
                   1000 * (kMainRead + kMainWires));
  EXPECT_DOUBLE_EQ(static_cast<double>(result.registers.actual),
                   500 * (kMainRead + kMainWires) + 600 * (kFileRead + kPrivateWires));
}

TEST(RegisterHierarchy, SeparatePartsAddUpToTheTotal) {
  const Account result =
      account_of(technology_with_entries(3), {{"operands.reads", 100},
                                              {"operands.operand_file_reads_private", 30},
                                              {"operands.operand_file_reads_shared", 20},
                                              {"operands.last_reads", 40},
                                              {"operands.writes", 10},
                                              {"operands.written_back", 10}});
  const auto energy_of = [&](Component component) {
    return static_cast<double>(result.find(component).dynamic_energy);
  };
  EXPECT_EQ(energy_of(Component::register_file), 100 * kMainRead + 10 * kMainWrite);
  EXPECT_EQ(energy_of(Component::register_wires), 110 * kMainWires);
  EXPECT_EQ(energy_of(Component::operand_file), 60 * kFileRead);
  EXPECT_EQ(energy_of(Component::operand_file_wires),
            std::round(30 * kPrivateWires + 20 * kSharedWires));
  EXPECT_EQ(energy_of(Component::last_result_file), 40 * kLastRead);
  EXPECT_EQ(energy_of(Component::last_result_wires), std::round(40 * kLastWires));
}

TEST(RegisterHierarchy, SavesAtMostThePapersLimitForBanks) {
  // Section 6.6.4: the saving is 87 % if every operand is in the last-result file (LRF), and 61 %
  // if every operand is in an operand file of five entries. The energy of banks alone gives these
  // figures if an instruction has 1.23 sources (Table 6.1) and 0.8 results (our assumption).
  const Technology banks = without_wires(technology_with_entries(5));
  const Account last =
      account_of(banks, {{"operands.last_reads", 1230}, {"operands.last_writes", 800}});
  EXPECT_NEAR(last.registers.saved_fraction(), 1 - (1.23 * 0.7 + 0.8 * 2) / (1.23 * 8 + 0.8 * 11),
              1e-6);
  EXPECT_NEAR(last.registers.saved_fraction(), 0.87, 0.005);
  const Account five = account_of(banks, {{"operands.operand_file_reads_private", 1230},
                                          {"operands.operand_file_writes_private", 800}});
  EXPECT_NEAR(five.registers.saved_fraction(), 1 - (1.23 * 2 + 0.8 * 6) / (1.23 * 8 + 0.8 * 11),
              1e-6);
  EXPECT_NEAR(five.registers.saved_fraction(), 0.61, 0.005);
}

TEST(RegisterHierarchy, SavesMoreOfWiresThanOfBanks) {
  const Account last = account_of(technology_with_entries(5),
                                  {{"operands.last_reads", 1230}, {"operands.last_writes", 800}});
  const double main = 1.23 * (kMainRead + kMainWires) + 0.8 * (kMainWrite + kMainWires);
  EXPECT_NEAR(last.registers.saved_fraction(),
              1 - (1.23 * (kLastRead + kLastWires) + 0.8 * (kLastWrite + kLastWires)) / main, 1e-5);
  EXPECT_NEAR(last.registers.saved_fraction(), 0.905, 0.0005);
}

TEST(RegisterHierarchy, OperandsAboveTheMainFileBypassCollectors) {
  const Account result =
      account_of(technology_with_entries(3), {{"operands.reads", 1},
                                              {"operands.operand_file_reads_private", 100},
                                              {"operands.operand_file_reads_shared", 100},
                                              {"operands.last_reads", 100}});
  EXPECT_EQ(result.find(Component::operand_collectors).dynamic_energy, 52U)
      << "eight operands of 6.5 pJ";
}

TEST(RegisterHierarchy, UsesTheFigureOfTheCommonNumberOfEntries) {
  const EventEnergy energy = *load_technology("storage-40nm").energies[Event::operand_file_read];
  const auto figure_with = [&](const std::set<double>& entries) {
    return figure_by_entries("operand_file.read", energy, entries);
  };
  EXPECT_DOUBLE_EQ(figure_with({3}).picojoules, kFileRead);
  EXPECT_EQ(figure_with({3}).missing, "");
  EXPECT_EQ(figure_with({9}).missing, "operand_file.read with 9 entries");
  EXPECT_EQ(figure_with({9}).picojoules, 0);
  EXPECT_EQ(figure_with({3, 6}).missing, "operand_file.read with 3 and 6 entries");
  EXPECT_EQ(figure_with({}).missing, "operand_file.read on a machine without entries");
}

TEST(RegisterHierarchy, IsMissingIfTheTechnologyLacksFigures) {
  const Account result = account(
      load_technology("published-40nm"), gpu::load_machine("unified"),
      {.counters = {{"operands.operand_file_reads_shared", 1}, {"operands.last_writes", 1}}});
  for (const char* const event : {"operand_file.read", "operand_file_wires.shared",
                                  "last_result_file.write", "last_result_wires.private"}) {
    EXPECT_THAT(result.missing, Contains(event));
  }
}

}  // namespace
}  // namespace heddle::energy
