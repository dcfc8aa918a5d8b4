#include "energy/technology.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/error.h"
#include "gpu/machine.h"

namespace heddle::energy {
namespace {

using testing::AllOf;
using testing::DoubleEq;
using testing::HasSubstr;
using testing::Optional;
using testing::StartsWith;

constexpr const char* kHead = "summary = \"mine\"\nnode_nm = 40\nvolts = 0.9\n";

Technology technology(const std::string& text) {
  return read_technology(text, "mine", "mine.toml");
}

std::string error_for(const std::string& text) {
  try {
    technology(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// Return the text of a technology whose only table begins on line 4. `rest` begins on line 5.
std::string with_energy(const std::string& rest) {
  return fmt::format("{}[[energy]]\n{}", kHead, rest);
}
std::string with_leakage(const std::string& rest) {
  return fmt::format("{}[[static]]\n{}", kHead, rest);
}

TEST(Technology, StatesTheEnergyOfAnEventAndItsSource) {
  const Technology read = technology(with_energy(
      "of = \"register_file.read\"\npicojoules = 8\ntimes = 8\nsource = \"Table 4.5\"\n"));
  const auto& stated = read.energies[Event::register_read];
  ASSERT_TRUE(stated);
  EXPECT_THAT(stated->picojoules(0), Optional(DoubleEq(64)));
  EXPECT_EQ(stated->origin.source, "Table 4.5");
  EXPECT_EQ(stated->origin.technology, "mine");
  EXPECT_FALSE(read.energies[Event::register_written]);
}

TEST(Technology, StatesTheLeakageOfAComponent) {
  const Technology read =
      technology(with_leakage("of = \"l1\"\nmilliwatts_per_kilobyte = 2.37\nsource = \"4.3\"\n"
                              "[[static]]\nof = \"core\"\nwatts_per_sm = 2\nsource = \"4.4\"\n"));
  EXPECT_DOUBLE_EQ(read.powers[Component::l1]->watts, 0.00237);
  EXPECT_EQ(read.powers[Component::l1]->unit, PowerUnit::kilobyte);
  EXPECT_DOUBLE_EQ(read.powers[Component::core]->watts, 2);
  EXPECT_EQ(read.powers[Component::core]->unit, PowerUnit::multiprocessor);
}

TEST(Technology, InterpolatesOnlyBetweenSizesOfBanks) {
  const Technology read = technology(with_energy(
      "of = \"l1.read\"\nbank_kilobytes = [2, 4, 8]\npicojoules = [3, 5, 10]\nbanks = 32\n"
      "source = \"Table 4.7\"\n"));
  const EventEnergy& read_energy = *read.energies[Event::l1_read];
  EXPECT_THAT(read_energy.picojoules(2), Optional(DoubleEq(3)));
  EXPECT_THAT(read_energy.picojoules(3), Optional(DoubleEq(4)));
  EXPECT_THAT(read_energy.picojoules(8), Optional(DoubleEq(10)));
  EXPECT_EQ(read_energy.picojoules(1.9), std::nullopt);
  EXPECT_EQ(read_energy.picojoules(8.1), std::nullopt);
}

TEST(Technology, DoesNotInterpolateBetweenNumbersOfEntries) {
  const Technology read =
      technology(with_energy("of = \"operand_file.read\"\nentries = [1, 3, 13]\n"
                             "picojoules = [0.7, 1.2, 8]\ntimes = 8\nsource = \"Table 4.5\"\n"));
  const EventEnergy& read_energy = *read.energies[Event::operand_file_read];
  EXPECT_THAT(read_energy.picojoules(1), Optional(DoubleEq(5.6)));
  EXPECT_THAT(read_energy.picojoules(3), Optional(DoubleEq(9.6)));
  EXPECT_THAT(read_energy.picojoules(13), Optional(DoubleEq(64)));
  EXPECT_EQ(read_energy.picojoules(2), std::nullopt);
  EXPECT_EQ(read_energy.picojoules(14), std::nullopt);
}

TEST(Technology, InheritsFiguresFromABaseOfTheSameNode) {
  const Technology base = load_technology("published-40nm");
  const Technology read =
      technology(std::string("based_on = \"published-40nm\"\n") +
                 with_energy("of = \"dram.bit\"\npicojoules = 40\nsource = \"section 4.3\"\n"));
  EXPECT_THAT(read.energies[Event::dram_moved]->picojoules(0), Optional(DoubleEq(40)));
  EXPECT_EQ(read.energies[Event::dram_moved]->origin.technology, "mine");
  EXPECT_EQ(read.energies[Event::l2_moved]->picojoules(0),
            base.energies[Event::l2_moved]->picojoules(0));
  EXPECT_EQ(read.energies[Event::l2_moved]->origin.technology, "published-40nm");
  EXPECT_DOUBLE_EQ(read.powers[Component::core]->watts, base.powers[Component::core]->watts);
}

TEST(Technology, ScalesABaseOfAnotherNodeWithoutItsLeakage) {
  const std::string head =
      "summary = \"mine\"\nnode_nm = 32\nvolts = 0.9\n"
      "based_on = \"published-40nm\"\n";
  EXPECT_THAT(error_for(head), AllOf(StartsWith("mine.toml:4:"), HasSubstr("'based_on_times'")));
  EXPECT_THAT(error_for(kHead + std::string("based_on_times = 0.5\n")),
              HasSubstr("'based_on_times' needs 'based_on'"));
  const Technology read = technology(head + "based_on_times = 0.5\nbased_on_source = \"half\"\n");
  const Technology base = load_technology("published-40nm");
  EXPECT_DOUBLE_EQ(*read.energies[Event::l2_moved]->picojoules(0),
                   0.5 * *base.energies[Event::l2_moved]->picojoules(0));
  EXPECT_THAT(read.energies[Event::l2_moved]->origin.source, HasSubstr("; times 0.5: half"));
  EXPECT_FALSE(read.powers[Component::core]);
}

TEST(TechnologyErrors, GivePositionAndSuggestion) {
  EXPECT_THAT(error_for("sumary = \"mine\"\n"),
              AllOf(StartsWith("mine.toml:1:1: error:"), HasSubstr("did you mean 'summary'?")));
  EXPECT_THAT(
      error_for(with_energy("of = \"register_file.raed\"\npicojoules = 8\nsource = \"x\"\n")),
      AllOf(StartsWith("mine.toml:5:"), HasSubstr("did you mean 'register_file.read'?")));
  EXPECT_THAT(error_for(with_leakage("of = \"cores\"\nwatts_per_sm = 8\nsource = \"x\"\n")),
              AllOf(StartsWith("mine.toml:5:"), HasSubstr("did you mean 'core'?")));
  EXPECT_THAT(error_for(with_energy("of = \"dram.bit\"\npicojuoles = 8\nsource = \"x\"\n")),
              AllOf(StartsWith("mine.toml:6:"), HasSubstr("did you mean 'picojoules'?")));
  EXPECT_THAT(error_for("summary = \"mine\"\n"), HasSubstr("'node_nm' is missing"));
}

TEST(TechnologyErrors, RequireASourceAndAPlausibleFigure) {
  EXPECT_THAT(error_for(with_energy("of = \"dram.bit\"\npicojoules = 8\n")),
              HasSubstr("'source' is missing"));
  EXPECT_THAT(error_for(with_energy("of = \"dram.bit\"\npicojoules = -8\nsource = \"x\"\n")),
              AllOf(StartsWith("mine.toml:6:"), HasSubstr("must be a number from 0")));
  EXPECT_THAT(error_for(with_energy("of = \"dram.bit\"\npicojoules = nan\nsource = \"x\"\n")),
              HasSubstr("must be a number from 0"));
  EXPECT_THAT(error_for(with_energy("of = \"dram.bit\"\nsource = \"x\"\n")),
              HasSubstr("needs one of 'picojoules', 'millimetres', 'array' and"));
  EXPECT_THAT(error_for(with_leakage("of = \"core\"\nsource = \"x\"\n")),
              HasSubstr("needs one of 'milliwatts_per_kilobyte'"));
  EXPECT_THAT(
      error_for(with_leakage("of = \"core\"\nmilliwatts_per_kilobyte = 1\nsource = \"x\"\n")),
      HasSubstr("'core' has no storage"));
}

TEST(TechnologyErrors, RejectDuplicates) {
  const std::string bit = "of = \"dram.bit\"\npicojoules = 8\nsource = \"x\"\n";
  EXPECT_THAT(error_for(with_energy(bit + "[[energy]]\n" + bit)),
              AllOf(StartsWith("mine.toml:9:"), HasSubstr("'dram.bit' is stated twice")));
}

TEST(TechnologyErrors, RequireTheFigureThatIncludesAnother) {
  EXPECT_THAT(error_for(with_energy(
                  "of = \"dram.activation\"\nincluded_in = \"dram.bit\"\nsource = \"x\"\n")),
              AllOf(StartsWith("mine.toml:5:"), HasSubstr("'dram.bit' has no figure of its own")));
}

TEST(TechnologyErrors, RequireIncreasingSizesWithOneFigureEach) {
  const std::string head = "of = \"l1.read\"\nbanks = 32\nsource = \"x\"\n";
  EXPECT_THAT(error_for(with_energy(head + "bank_kilobytes = [4, 2]\npicojoules = [1, 2]\n")),
              HasSubstr("'bank_kilobytes' must be strictly increasing"));
  EXPECT_THAT(error_for(with_energy(head + "bank_kilobytes = [2, 4]\npicojoules = [1]\n")),
              HasSubstr("must have the same number of values"));
}

TEST(TechnologyErrors, RequireEntriesWithOneFigureEach) {
  const std::string head = "source = \"x\"\n";
  EXPECT_THAT(error_for(with_energy(head + "of = \"l1.read\"\nentries = [1]\npicojoules = [1]\n")),
              AllOf(StartsWith("mine.toml:7:"),
                    HasSubstr("no machine states the number of entries of 'l1'")));
  const std::string operand_file = head + "of = \"operand_file.read\"\n";
  EXPECT_THAT(
      error_for(with_energy(operand_file + "entries = [2, 1]\npicojoules = [1, 2]\n")),
      AllOf(StartsWith("mine.toml:7:"), HasSubstr("'entries' must be strictly increasing")));
  EXPECT_THAT(error_for(with_energy(operand_file + "entries = [1, 2]\npicojoules = [1]\n")),
              AllOf(StartsWith("mine.toml:8:"), HasSubstr("'picojoules' and 'entries' must have")));
  EXPECT_THAT(error_for(with_energy(operand_file +
                                    "entries = [1]\nbank_kilobytes = [1]\npicojoules = [1]\n")),
              HasSubstr("'bank_kilobytes' and 'entries' exclude each other"));
}

TEST(TechnologyErrors, SuggestTheNearestKnownTechnology) {
  try {
    load_technology("storage-40mn");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean 'storage-40nm'?"));
  }
}

TEST(KnownTechnologies, StateEveryEventAndEveryLeakage) {
  // Components that only the machines of some papers have.
  const std::set<Component> optional_components{
      Component::operand_file,      Component::operand_file_wires,   Component::last_result_file,
      Component::last_result_wires, Component::scalar_register_file, Component::preexecution};
  for (const KnownTechnology& known : known_technologies()) {
    const Technology read = load_technology(std::string(known.name));
    for (std::size_t i = 0; i < kEvents; ++i) {
      const auto event = static_cast<Event>(i);
      if (optional_components.contains(description_of(event).component)) continue;
      EXPECT_TRUE(read.energies[event]) << known.name << " " << description_of(event).name;
    }
    for (const Component component :
         {Component::register_file, Component::shared_memory, Component::l1, Component::l2,
          Component::constant_cache, Component::texture_unit, Component::instruction_fetch,
          Component::core, Component::uncore}) {
      EXPECT_TRUE(read.powers[component]) << known.name << " " << name_of(component);
    }
  }
}

TEST(KnownTechnologies, ProvideADefaultForEveryMachine) {
  std::multiset<std::string> named;
  for (const KnownTechnology& known : known_technologies()) {
    const Technology read = load_technology(std::string(known.name));
    named.insert(read.machines.begin(), read.machines.end());
  }
  std::multiset<std::string> machines;
  for (const gpu::KnownMachine& machine : gpu::known_machines()) {
    machines.emplace(machine.name);
  }
  EXPECT_EQ(named, machines);
  EXPECT_EQ(technology_of_machine("storage").name, "storage-40nm");
  EXPECT_THROW(technology_of_machine("mine"), InputError);
}

TEST(KnownTechnologies, MatchThePapersTables) {
  const Technology storage = load_technology("storage-40nm");
  EXPECT_THAT(storage.energies[Event::register_read]->picojoules(0), Optional(DoubleEq(8 * 8)));
  EXPECT_THAT(storage.energies[Event::register_written]->picojoules(0), Optional(DoubleEq(11 * 8)));
  EXPECT_THAT(storage.energies[Event::dram_moved]->picojoules(0), Optional(DoubleEq(40)));
  EXPECT_THAT(storage.energies[Event::operand_file_read]->picojoules(6), Optional(DoubleEq(2 * 8)));
  EXPECT_THAT(storage.energies[Event::operand_file_written]->picojoules(8),
              Optional(DoubleEq(10.9 * 8)));
  EXPECT_EQ(storage.energies[Event::operand_file_read]->picojoules(9), std::nullopt);
  EXPECT_THAT(storage.energies[Event::last_result_written]->picojoules(0), Optional(DoubleEq(16)));
  const Technology unified = load_technology("storage-32nm");
  EXPECT_THAT(unified.energies[Event::register_read]->picojoules(8), Optional(DoubleEq(8 * 9.8)));
  EXPECT_THAT(unified.energies[Event::l1_written]->picojoules(16), Optional(DoubleEq(15.2)));
  const Technology preexec = load_technology("preexec-40nm");
  EXPECT_THAT(preexec.energies[Event::mode_switched]->picojoules(0), Optional(DoubleEq(100)));
}

}  // namespace
}  // namespace heddle::energy
