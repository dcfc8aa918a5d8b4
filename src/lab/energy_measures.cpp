#include "lab/energy_measures.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "base/error.h"
#include "energy/by_kind.h"

namespace heddle::lab {
namespace {

using Values = std::map<std::string, double, std::less<>>;

Values values_of(const energy::Account& account) {
  Values values{{"energy.total", energy::in_joules(account.total())},
                {"energy.chip", energy::in_joules(account.chip_total())},
                {"energy_delay", account.joule_seconds()},
                {"power.average", account.watts()},
                {"power.chip", account.chip_watts()},
                {"performance_per_watt", account.instructions_per_joule()}};
  // Register energies are fractions of the energy that the same operands would take in the main
  // register file.
  const auto register_share = [&](energy::Picojoules energy) {
    return account.registers.fraction_of_main_file(energy);
  };
  values["register_energy.total"] = register_share(account.registers.actual);
  energy::Picojoules static_energy = 0;
  for (const std::string& name : energy::component_names()) {
    const energy::ComponentEnergy component = account.find(*energy::find_component(name));
    static_energy += component.static_energy;
    values["energy." + name] = energy::in_joules(component.total());
    values["energy.dynamic." + name] = energy::in_joules(component.dynamic_energy);
    if (belongs_to_register_files(component.component)) {
      values["register_energy." + name] = register_share(component.dynamic_energy);
    }
  }
  values["energy.static"] = energy::in_joules(static_energy);
  values["energy.dynamic"] = energy::in_joules(account.total() - static_energy);
  return values;
}

/// The chip model's values as fractions of those with all operands in the main register file: 1 if
/// nothing is saved.
Values values_of(const energy::ChipModel& model, const energy::RegisterEnergy& registers) {
  const energy::ChipModel::Saving saving = model.saving(registers.saved_fraction());
  return {{"chip_model.register_file", 1 - registers.saved_fraction()},
          {"chip_model.multiprocessor", 1 - saving.of_multiprocessor},
          {"chip_model.dynamic", 1 - saving.of_dynamic},
          {"chip_model.chip", 1 - saving.of_chip},
          {"chip_model.watts", model.watts - saving.watts},
          {"chip_model.instruction_bit", model.cost_of_bits(1)}};
}

constexpr std::string_view kJoulesPerRun = "joules_per_run";

/// For each program, the energy of one run from beginning to end. The energy of the whole chip is
/// divided among the programs that ran side by side.
Values joules_per_run(const energy::Technology& technology, const gpu::Machine& machine,
                      const energy::Account& whole, std::uint64_t cycles,
                      const SharedChip& shared) {
  if (shared.programs.empty()) return {};
  std::vector<energy::Account> kinds;
  for (const SharedChip::Counters& counters : shared.counters_by_kind) {
    kinds.push_back(energy::account_of_kind(technology, machine, kinds.size(),
                                            {.cycles = cycles, .counters = counters}));
  }
  const std::vector<double> joules = energy::divide_among_programs(whole, kinds, shared.programs);
  Values values;
  for (std::size_t i = 0; i < joules.size(); ++i) {
    values[measure_of_program(i, kJoulesPerRun)] = joules[i] / shared.runs[i];
  }
  return values;
}

std::uint64_t cycles_of(const Measures& measures) {
  return static_cast<std::uint64_t>(measures.find("cycles").value_or(0));
}

std::vector<std::string> names_of(const Values& values) {
  std::vector<std::string> names;
  for (const auto& [name, value] : values) names.push_back(name);
  return names;
}

}  // namespace

const std::vector<std::string>& energy_measures() {
  static const std::vector<std::string> names = names_of(values_of({}));
  return names;
}

std::vector<std::string> energy_measures_of_programs(std::size_t programs) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < programs; ++i) names.push_back(measure_of_program(i, kJoulesPerRun));
  return names;
}

const std::vector<std::string>& chip_model_measures() {
  static const std::vector<std::string> names = names_of(values_of({}, {}));
  return names;
}

energy::Account account_of(const energy::Technology& technology, const gpu::Machine& machine,
                           const Measures& measures) {
  energy::RunCounters run{.cycles = cycles_of(measures)};
  // Only names of counters and of one program's measures contain a dot.
  for (const auto& [name, value] : measures.all()) {
    if (name.find('.') != std::string::npos && !is_program_measure(name)) {
      run.counters[name] = static_cast<std::uint64_t>(value);
    }
  }
  return energy::account(technology, machine, run);
}

Measures add_energy_measures(const energy::Technology& technology, const gpu::Machine& machine,
                             const Measures& measures) {
  const energy::Account account = account_of(technology, machine, measures);
  if (!account.missing.empty()) {
    throw InputError(fmt::format("technology '{}' has no figure of {}", technology.name,
                                 fmt::join(account.missing, ", ")));
  }
  Values values = values_of(account);
  if (account.chip_model) values.merge(values_of(*account.chip_model, account.registers));
  values.merge(
      joules_per_run(technology, machine, account, cycles_of(measures), measures.shared()));
  values.insert(measures.all().begin(), measures.all().end());
  return Measures(std::move(values), measures.shared());
}

}  // namespace heddle::lab
