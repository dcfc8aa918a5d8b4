#include "lab/energy_measures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/formula.h"
#include "lab/plan.h"
#include "lab/run_key.h"
#include "lab/stored_cells.h"
#include "lab/stored_machine.h"
#include "planned_study.h"
#include "run_for_tests.h"

namespace heddle::lab {
namespace {

using testing::AllOf;
using testing::DoubleEq;
using testing::HasSubstr;
using testing::Optional;

/// Measures of one microsecond on the machine 'storage'.
Measures measures() {
  return Measures({{"cycles", 1000.0},
                   {"thread_instructions", 5000.0},
                   {"sm.thread_instructions", 5000.0},
                   {"dram.data_bytes", 100.0},
                   {"operands.reads", 10.0}});
}

/// The text of an experiment with one run of bfs on the machine 'storage'.
std::string study(const std::string& head, const std::string& metric) {
  return head + "title = \"A study\"\nmachine = \"storage\"\nsize = \"tiny\"\n" +
         "workloads = [\"bfs\"]\n[metric]\nname = \"" + metric +
         "\"\n[[variant]]\nname = \"base\"\n";
}

TEST(EnergyMeasures, AreComputedFromCounters) {
  const energy::Technology technology = energy::load_technology("storage-40nm");
  const gpu::Machine machine = gpu::load_machine("storage");
  const Measures result = add_energy_measures(technology, machine, measures());
  EXPECT_THAT(result.find("energy.dram"), Optional(DoubleEq(100 * 8 * 40e-12)));
  const energy::Account account = account_of(technology, machine, measures());
  EXPECT_THAT(result.find("energy.total"), Optional(DoubleEq(energy::in_joules(account.total()))));
  EXPECT_THAT(result.find("power.average"), Optional(DoubleEq(account.watts())));
  EXPECT_THAT(result.find("performance_per_watt"),
              Optional(DoubleEq(account.instructions_per_joule())));
  EXPECT_THAT(result.find("energy.l2"), Optional(0.0));
  EXPECT_THAT(result.find("cycles"), Optional(1000.0)) << "other measures are kept";
  for (const std::string& name : energy_measures()) EXPECT_TRUE(result.find(name)) << name;
}

TEST(EnergyMeasures, StaticAndDynamicEnergyAddUpToTheTotal) {
  const Measures result = add_energy_measures(energy::load_technology("storage-40nm"),
                                              gpu::load_machine("storage"), measures());
  EXPECT_NEAR(*result.find("energy.static") + *result.find("energy.dynamic"),
              *result.find("energy.total"), 1e-18);
  EXPECT_GT(*result.find("energy.static"), 0);
}

TEST(EnergyMeasures, IncludeTheChipModelIfTheTechnologyDeclaresOne) {
  const Measures result = add_energy_measures(energy::load_technology("storage-40nm"),
                                              gpu::load_machine("storage"), measures());
  for (const std::string& name : chip_model_measures()) EXPECT_TRUE(result.find(name)) << name;
  EXPECT_THAT(result.find("chip_model.chip"), Optional(1.0)) << "nothing is saved";
  EXPECT_THAT(result.find("chip_model.watts"), Optional(130.0));
  EXPECT_THAT(result.find("chip_model.instruction_bit"), Optional(DoubleEq(0.003)));
  const Measures other = add_energy_measures(energy::load_technology("simt-40nm"),
                                             gpu::load_machine("storage"), measures());
  EXPECT_EQ(other.find("chip_model.chip"), std::nullopt);
}

TEST(EnergyMeasures, GiveRegisterLevelsAsFractionsOfTheMainFileAlone) {
  const Measures result = add_energy_measures(
      energy::load_technology("storage-40nm"), gpu::load_machine("storage"),
      Measures({{"cycles", 1000.0}, {"operands.reads", 60.0}, {"operands.last_reads", 40.0}}));
  // 100 register reads, each 64 pJ in banks and 60.8 pJ in wires.
  const double all_in_main_file = 100 * (64 + 60.8);
  const auto share_of = [&](const std::string& part) {
    return *result.find("register_energy." + part);
  };
  EXPECT_DOUBLE_EQ(share_of("register_file"), 60 * 64 / all_in_main_file);
  EXPECT_DOUBLE_EQ(share_of("register_wires"), 60 * 60.8 / all_in_main_file);
  EXPECT_DOUBLE_EQ(share_of("last_result_file"), 40 * 5.6 / all_in_main_file);
  EXPECT_NEAR(share_of("last_result_wires"), 40 * 3.04 / all_in_main_file, 1 / all_in_main_file);
  EXPECT_EQ(share_of("operand_file"), 0);
  EXPECT_EQ(share_of("operand_file_wires"), 0);
  EXPECT_NEAR(share_of("total"),
              share_of("register_file") + share_of("register_wires") +
                  share_of("last_result_file") + share_of("last_result_wires"),
              1e-12);
  EXPECT_DOUBLE_EQ(share_of("total"), *result.find("chip_model.register_file"));
}

TEST(EnergyMeasures, CombineChipSavingWithCostOfLongerInstructions) {
  const Measures result = add_energy_measures(
      energy::load_technology("storage-40nm"), gpu::load_machine("storage"),
      Measures({{"cycles", 1000.0}, {"operands.reads", 50.0}, {"operands.last_reads", 50.0}}));
  const Formula formula("1 - chip_model.dynamic - 4 * chip_model.instruction_bit");
  // The fraction of the register file's energy that is saved: half of the reads go to the
  // last-result file (5.6 pJ in banks and 3.04 pJ in wires instead of 64 and 60.8 pJ).
  const double saved = 0.5 * (1 - (5.6 + 3.04) / (64 + 60.8));
  EXPECT_THAT(formula.evaluate([&](const std::string& name) { return result.find(name); }),
              Optional(testing::DoubleNear(0.7 * 0.15 * saved - 4 * 0.003, 1e-6)));
}

/// The result of two programs on a chip. The parameters are additional JSON for the totals and for
/// the two programs.
Measures measures_of_two_programs(const std::string& totals, const std::string& first,
                                  const std::string& second) {
  return Measures::from_result(
      R"({"totals": {"cycles": 1000, "microseconds": 1, "ipc": 1, "warp_ipc": 1,
                     "warp_instructions": 400, "thread_instructions": 9,
                     "counters": {"sm.warp_instructions": 400})" +
      totals + R"(}, "programs": [{"runs_with_fraction": 2.5, "warp_instructions": 100,
                                   "occupied_sm_cycles": 300.0)" +
      first +
      R"(}, {"runs_with_fraction": 1, "warp_instructions": 300, "occupied_sm_cycles": 900.0)" +
      second + "}]}");
}

TEST(EnergyMeasures, DivideTheChipsEnergyAmongPrograms) {
  const energy::Technology technology = energy::load_technology("published-40nm");
  const Measures result = add_energy_measures(technology, gpu::load_machine("ilp"),
                                              measures_of_two_programs("", "", ""));
  const double total = *result.find("energy.total");
  EXPECT_GT(*result.find("energy.static"), 0);
  EXPECT_NEAR(*result.find("program.1.joules_per_run") * 2.5, total / 4, 1e-9 * total);
  EXPECT_NEAR(*result.find("program.2.joules_per_run"), total * 3 / 4, 1e-9 * total);
}

TEST(EnergyMeasures, DivideEnergyByKindsOfMultiprocessors) {
  const energy::Technology technology = energy::load_technology("published-40nm");
  const gpu::Machine machine = gpu::load_machine("mixed-h");
  ASSERT_EQ(machine.kinds().size(), 2U);
  const std::string kinds =
      R"(, "groups": [{"counters": {"sm.warp_instructions": 200}},
                      {"counters": {"sm.warp_instructions": 200}}])";
  const Measures result =
      add_energy_measures(technology, machine,
                          measures_of_two_programs(
                              kinds,
                              R"(, "groups": [{"warp_instructions": 100, "occupied_sm_cycles": 300},
                             {"warp_instructions": 0, "occupied_sm_cycles": 0}])",
                              R"(, "groups": [{"warp_instructions": 100, "occupied_sm_cycles": 100},
                             {"warp_instructions": 200, "occupied_sm_cycles": 800}])"));
  // The multiprocessors of one kind have the same parameters. The first program has half of one
  // kind's work. Both kinds do equal work, so the program's share is a quarter.
  const double first = *result.find("program.1.joules_per_run") * 2.5;
  EXPECT_NEAR(first, *result.find("energy.dynamic") / 4 + *result.find("energy.static") / 4,
              1e-9 * first);
  EXPECT_NEAR(first + *result.find("program.2.joules_per_run"), *result.find("energy.total"),
              1e-9 * first);
}

TEST(EnergyMeasures, ContainNoProgramMeasuresForASingleProgram) {
  const Measures result = add_energy_measures(energy::load_technology("storage-40nm"),
                                              gpu::load_machine("storage"), measures());
  EXPECT_EQ(result.find("program.1.joules_per_run"), std::nullopt);
}

TEST(EnergyMeasures, RejectChipModelMetricWithoutChipModel) {
  const std::string metric = "chip_model.dynamic + 4 * chip_model.instruction_bit";
  EXPECT_EQ(error_of(study("technology = \"storage-40nm\"\n", metric)), "");
  EXPECT_THAT(error_of(study("technology = \"simt-40nm\"\n", metric)),
              HasSubstr("technology 'simt-40nm' declares no [chip_model]"));
  EXPECT_THAT(error_of(study("", metric)), HasSubstr("a 'technology' with [chip_model]"));
}

TEST(EnergyMeasures, AreRejectedIfTheTechnologyLacksAFigure) {
  const energy::Technology technology = energy::read_technology(
      "summary = \"mine\"\nnode_nm = 40\nvolts = 0.9\n", "mine", "mine.toml");
  try {
    add_energy_measures(technology, gpu::load_machine("storage"), measures());
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("'mine' has no figure of"), HasSubstr("register_file.read")));
  }
}

TEST(EnergyMeasures, RequireATechnologyInTheExperiment) {
  const Plan plan = plan_of(study("technology = \"storage-40nm\"\n", "energy.total / cycles"));
  ASSERT_TRUE(plan.technology);
  EXPECT_EQ(plan.technology->name, "storage-40nm");
  EXPECT_THAT(error_of(study("", "energy.total")),
              HasSubstr("energy needs a 'technology' in the experiment"));
  EXPECT_THAT(error_of(study("technology = \"storage-40mn\"\n", "energy.total")),
              HasSubstr("did you mean 'storage-40nm'?"));
  EXPECT_THAT(error_of(study("technology = \"storage-40nm\"\n", "energy.dramm")),
              HasSubstr("did you mean 'energy.dram'?"));
}

TEST(EnergyMeasures, AreComputedForStoredRunsWithoutSimulation) {
  const Folder folder;
  Store store(folder.file("results.sqlite"), Access::create);
  Plan plan = plan_of(study("technology = \"storage-40nm\"\n", "power.average"));
  const Plan plan_without_technology = plan_of(study("", "cycles"));
  ASSERT_EQ(plan.cells.size(), 1U);
  EXPECT_EQ(plan.cells[0].key, plan_without_technology.cells[0].key);
  store.add(stored_run(plan.cells[0].key));
  const StoredCells read = read_cells(plan, store);
  ASSERT_TRUE(read.cells[0]);
  EXPECT_GT(*read.cells[0]->find("power.average"), 0);
  EXPECT_EQ(read_cells(plan_without_technology, store).cells[0]->find("power.average"),
            std::nullopt);
}

TEST(StoredMachine, IsRestoredFromItsParameters) {
  for (const gpu::KnownMachine& known : gpu::known_machines()) {
    const std::string parameters = parameters_of(gpu::load_machine(std::string(known.name)));
    EXPECT_EQ(parameters_of(machine_of_parameters(parameters)), parameters) << known.name;
  }
}

TEST(StoredMachine, RestoresGroups) {
  const Folder folder;
  const std::string file = folder.file("grouped.toml");
  std::ofstream(file) << "based_on = \"ilp\"\n[group.big]\nsms = 2\nl1.bytes = 65536\n";
  const gpu::Machine machine = gpu::load_machine(file);
  ASSERT_EQ(machine.groups.size(), 1U);
  const std::string parameters = parameters_of(machine);
  const gpu::Machine read = machine_of_parameters(parameters);
  EXPECT_EQ(parameters_of(read), parameters);
  EXPECT_EQ(read.kinds().size(), machine.kinds().size());
}

TEST(StoredMachine, RejectsOtherTexts) {
  EXPECT_THROW(machine_of_parameters("sm.warps\n"), InputError);
  EXPECT_THROW(machine_of_parameters("sm.wraps = 4\n"), InputError);
}

}  // namespace
}  // namespace heddle::lab
