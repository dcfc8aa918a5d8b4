#include "energy/account.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "energy/storage.h"
#include "gpu/chip.h"

namespace heddle::energy {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

constexpr double kPicojoulesPerJoule = 1e12;

Technology technology_with(const std::string& figures) {
  return read_technology("summary = \"mine\"\nnode_nm = 40\nvolts = 0.9\n" + figures, "mine",
                         "mine.toml");
}

std::string energy_entry(const std::string& event, double picojoules) {
  return "[[energy]]\nof = \"" + event + "\"\npicojoules = " + std::to_string(picojoules) +
         "\nsource = \"mine\"\n";
}

std::string static_entry(const std::string& component, const std::string& figure) {
  return "[[static]]\nof = \"" + component + "\"\n" + figure + "\nsource = \"mine\"\n";
}

/// Returns counts for all counters of a machine. They differ from counter to counter.
RunCounters all_counters_of(const gpu::Machine& machine) {
  RunCounters counts{.cycles = 123457};
  std::uint64_t count = 1009;
  for (const gpu::CounterName& counter : gpu::counters_of(machine)) {
    counts.counters[counter.name] = count;
    count = count * 7 % 100003 + 1;
  }
  return counts;
}

TEST(Account, DramEnergyIsBitsTimesFigure) {
  const gpu::Machine machine = gpu::load_machine("storage");
  const Account result =
      account(load_technology("storage-40nm"), machine, {.counters = {{"dram.data_bytes", 1000}}});
  EXPECT_EQ(result.find(Component::dram).dynamic_energy, 1000U * 8 * 40);
}

TEST(Account, SeparatesRegisterBanksFromWires) {
  const Account result = account(load_technology("storage-40nm"), gpu::load_machine("storage"),
                                 {.counters = {{"operands.reads", 1000}}});
  EXPECT_EQ(result.find(Component::register_file).dynamic_energy, 64000U);
  EXPECT_EQ(result.find(Component::register_wires).dynamic_energy, 60800U);
}

TEST(Account, ChargesUnitsForTheirOwnLanes) {
  const Account result = account(technology_with(energy_entry("fp32_units.operation", 4) +
                                                 energy_entry("integer_units.operation", 3)),
                                 gpu::load_machine("preexec"),
                                 {.counters = {{"units.fp32.instructions", 10},
                                               {"units.fp32.lane_operations", 10 * 5},
                                               {"units.integer.instructions", 90},
                                               {"units.integer.lane_operations", 90 * 32},
                                               {"sm.warp_instructions", 100},
                                               {"sm.thread_instructions", 10 * 5 + 90 * 32}}});
  EXPECT_EQ(result.find(Component::fp32_units).dynamic_energy, 10U * 5 * 4);
  EXPECT_EQ(result.find(Component::integer_units).dynamic_energy, 90U * 32 * 3);
}

TEST(Account, ChargesTexturesAndAtomicsByLane) {
  const Technology technology =
      technology_with(energy_entry("texture_unit.filter", 3) + energy_entry("l2.atomic", 5) +
                      energy_entry("memory_pipeline.instruction", 7));
  const Account result = account(technology, gpu::load_machine("preexec"),
                                 {.counters = {{"lsu.texture_loads", 2},
                                               {"lsu.texture_lanes", 2 * 11},
                                               {"atomic.performed", 4},
                                               {"atomic.lane_operations", 9}}});
  EXPECT_EQ(result.find(Component::texture_unit).dynamic_energy, 22U * 3);
  EXPECT_EQ(result.find(Component::memory_pipeline).dynamic_energy, 2U * 7);
  EXPECT_EQ(result.find(Component::l2).dynamic_energy, 9U * 5);
}

TEST(Account, NamesCountersByLaneThatAnOldRunLacks) {
  const Technology technology = technology_with(energy_entry("fp32_units.operation", 4));
  const auto missing_with = [&](const std::map<std::string, std::uint64_t, std::less<>>& counters) {
    return account(technology, gpu::load_machine("preexec"), {.counters = counters}).missing;
  };
  const std::string lacks = "counter units.fp32.lane_operations";
  EXPECT_THAT(missing_with({{"units.fp32.instructions", 1}}), Contains(lacks));
  EXPECT_THAT(missing_with({{"units.fp32.instructions", 0}}), Not(Contains(lacks)));
  EXPECT_THAT(missing_with({{"units.fp32.instructions", 1}, {"units.fp32.lane_operations", 0}}),
              Not(Contains(lacks)));
}

TEST(Account, ChargesCachesByBytesOfTheirAccesses) {
  gpu::Machine machine = gpu::load_machine("storage");
  ASSERT_EQ(machine.sm.memory.coalescer.shape.segment_bytes, 32U);
  ASSERT_EQ(machine.sm.memory.l1.cache.line_bytes, 128U);
  const Technology technology = technology_with(
      energy_entry("l1.tags", 1) + energy_entry("l1.read", 100) + energy_entry("l1.write", 10000));
  const auto l1_of = [&](const std::string& counter) {
    return account(technology, machine, {.counters = {{counter, 1}}})
        .find(Component::l1)
        .dynamic_energy;
  };
  EXPECT_EQ(l1_of("l1.accesses"), 1U);
  EXPECT_EQ(l1_of("l1.hits"), 2U * 100);
  EXPECT_EQ(l1_of("l1.misses"), 8U * 10000);
  EXPECT_EQ(l1_of("l1.store_hits"), 1U + 2 * 10000);
}

TEST(Account, UnifiedStorageThatIsOffDoesNotLeak) {
  const gpu::Machine machine = gpu::load_machine("unified-384");  // 256, 64 and 64 KB.
  ASSERT_EQ(machine.clock.core_mhz, 1000U);
  const Technology technology =
      technology_with(static_entry("l1", "milliwatts_per_kilobyte = 2") +
                      static_entry("shared_memory", "milliwatts_per_kilobyte = 2") +
                      static_entry("register_file", "milliwatts_per_kilobyte = 2"));
  // In one microsecond, a kilobyte leaks 2000 pJ. 96 KB are off for half of it.
  const Account result =
      account(technology, machine,
              {.cycles = 1000, .counters = {{"storage.off_kilobyte_cycles", 96 * 500}}});
  EXPECT_EQ(result.find(Component::register_file).static_energy, (256U - 32) * 2000);
  EXPECT_EQ(result.find(Component::shared_memory).static_energy, (64U - 8) * 2000);
  EXPECT_EQ(result.find(Component::l1).static_energy, (64U - 8) * 2000);
}

TEST(Account, ChargesL2OnlyIfPresent) {
  const Technology technology =
      technology_with(energy_entry("l2.byte", 5) + energy_entry("dram.bit", 1));
  gpu::Machine machine = gpu::load_machine("preexec");
  const RunCounters counts{.counters = {{"crossbar.bytes_in", 10}, {"dram.data_bytes", 100}}};
  EXPECT_EQ(account(technology, machine, counts).find(Component::l2).dynamic_energy, 110U * 5);
  machine.memory.l2.present = false;
  EXPECT_EQ(account(technology, machine, counts).find(Component::l2).dynamic_energy, 0U);
}

TEST(Account, ScalesLeakageWithTimeAndStorageOfPresentComponents) {
  gpu::Machine machine = gpu::load_machine("storage");
  ASSERT_EQ(machine.clock.core_mhz, 1000U);
  machine.chip.sms = 2;
  const Technology technology = technology_with(static_entry("l1", "milliwatts_per_kilobyte = 2") +
                                                static_entry("core", "watts_per_sm = 3") +
                                                static_entry("uncore", "watts_per_chip = 5"));
  const Account result = account(technology, machine, {.cycles = 1000});  // One microsecond.
  EXPECT_DOUBLE_EQ(result.seconds, 1e-6);
  EXPECT_EQ(result.find(Component::l1).static_energy, 2U * 64 * 2 * 1000);
  EXPECT_EQ(result.find(Component::core).static_energy, 2U * 3 * 1000000);
  EXPECT_EQ(result.find(Component::uncore).static_energy, 5U * 1000000);
  EXPECT_THAT(result.missing, Contains("leakage of register_file"));
  EXPECT_THAT(result.missing, Not(Contains("leakage of l2"))) << "the machine has no L2";
}

TEST(Account, NamesMissingFigures) {
  const Technology technology = technology_with(static_entry("core", "watts_per_sm = 0") +
                                                static_entry("uncore", "included_in = \"core\""));
  gpu::Machine machine = gpu::load_machine("storage");
  const Account result =
      account(technology, machine,
              {.counters = {{"operands.writes", 3}, {"a.new_counter", 1}, {"operands.reads", 0}}});
  EXPECT_THAT(result.components, IsEmpty());
  EXPECT_THAT(result.missing, Contains("register_file.write"));
  EXPECT_THAT(result.missing, Contains("register_wires.write"));
  EXPECT_THAT(result.missing, Contains("counter a.new_counter"));
  EXPECT_THAT(result.missing, Not(Contains("register_file.read")))
      << "an event that did not occur needs no figure";
}

TEST(Account, ChargesIncludedFiguresOnce) {
  const Technology technology = technology_with(
      energy_entry("dram.bit", 10) +
      "[[energy]]\nof = \"dram.activation\"\nincluded_in = \"dram.bit\"\nsource = \"x\"\n");
  const Account result =
      account(technology, gpu::load_machine("preexec"),
              {.counters = {{"dram.data_bytes", 1}, {"dram.activations", 1000}}});
  EXPECT_EQ(result.find(Component::dram).dynamic_energy, 80U);
  EXPECT_THAT(result.missing, Not(Contains("dram.activation")));
}

TEST(Account, SelectsBankFigureByTheMachinesStorage) {
  const Technology technology = load_technology("storage-32nm");
  const RunCounters reads{.counters = {{"operands.reads", 10}}};
  gpu::Machine machine = gpu::load_machine("unified");
  ASSERT_EQ(storage_bytes(machine, Component::register_file), 256 * 1024);
  EXPECT_EQ(account(technology, machine, reads).find(Component::register_file).dynamic_energy,
            784U);  // Banks of 8 KB: 9.8 pJ for 16 bytes.
}

TEST(Account, EstimatesBanksBeyondATableAndStatesTheError) {
  const Technology technology = load_technology("storage-32nm");
  const RunCounters reads{.counters = {{"operands.reads", 1000}}};
  gpu::Machine machine = gpu::load_machine("unified");
  machine.sm.residency.registers *= 4;
  const Account result = account(technology, machine, reads);
  ASSERT_EQ(result.estimated.size(), 1U);
  EXPECT_THAT(result.estimated[0],
              AllOf(StartsWith("register_file.read with banks of 32 KB: 137 pJ"),
                    HasSubstr("fits the table within 17 %")));
  EXPECT_NEAR(static_cast<double>(result.find(Component::register_file).dynamic_energy), 137000,
              500);
  EXPECT_THAT(result.missing, Not(Contains(HasSubstr("register_file.read"))));
}

TEST(Account, IsCompleteForEveryMachineWithItsDefaultTechnology) {
  for (const gpu::KnownMachine& known_machine : gpu::known_machines()) {
    const gpu::Machine machine = gpu::load_machine(std::string(known_machine.name));
    const Account result =
        account(technology_of_machine(machine.name), machine, all_counters_of(machine));
    EXPECT_THAT(result.missing, IsEmpty()) << known_machine.name;
  }
}

TEST(Account, ComponentsAddUpExactlyToTheTotal) {
  const gpu::Machine machine = gpu::load_machine("preexec");
  const Account result =
      account(technology_of_machine("preexec"), machine, all_counters_of(machine));
  Picojoules sum = 0;
  for (const ComponentEnergy& component : result.components) {
    sum += component.dynamic_energy + component.static_energy;
  }
  EXPECT_GT(sum, 0U);
  EXPECT_EQ(result.total(), sum);
  EXPECT_EQ(result.chip_total() + result.find(Component::dram).total(), sum);
}

TEST(Account, DoublesWithTwiceTheCountsAndTime) {
  const gpu::Machine machine = gpu::load_machine("warpman");
  const Technology technology = technology_of_machine("warpman");
  const RunCounters once = all_counters_of(machine);
  RunCounters twice = once;
  twice.cycles *= 2;
  for (auto& [name, count] : twice.counters) count *= 2;
  const double ratio = in_joules(account(technology, machine, twice).total()) /
                       in_joules(account(technology, machine, once).total());
  EXPECT_NEAR(ratio, 2, 1e-9);
}

TEST(Account, ComputesPowerFromSimulatedTime) {
  const Technology technology =
      technology_with(energy_entry("dram.bit", 125) + energy_entry("decode.instruction", 1000));
  gpu::Machine machine = gpu::load_machine("storage");
  const Account result = account(technology, machine,
                                 {.cycles = 1000,
                                  .counters = {{"dram.data_bytes", 1000},
                                               {"sm.warp_instructions", 500},
                                               {"sm.thread_instructions", 10000}}});
  EXPECT_EQ(result.total(), 1500000U);
  EXPECT_DOUBLE_EQ(result.watts(), 1.5);
  EXPECT_DOUBLE_EQ(result.chip_watts(), 0.5);
  EXPECT_DOUBLE_EQ(result.joules_per_instruction(), 150 / kPicojoulesPerJoule);
  EXPECT_DOUBLE_EQ(result.joule_seconds(), 1.5e-6 * 1e-6);
  EXPECT_DOUBLE_EQ(result.instructions_per_joule(), 10000 / 1.5e-6);
}

}  // namespace
}  // namespace heddle::energy
