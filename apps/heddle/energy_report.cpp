#include "energy_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "energy/by_kind.h"

namespace heddle {
namespace {

using nlohmann::ordered_json;

double percent_of(energy::Picojoules part, energy::Picojoules whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

/// The summary does not list components below this percentage of the total.
constexpr double kMinPercent = 1;

std::string microjoules(energy::Picojoules energy) {
  return fmt::format("{:.4g} uJ", static_cast<double>(energy) / 1e6);
}

std::string with_spaces(std::string_view name) {
  std::string text(name);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

double percent(double share) { return 100 * share; }

std::string chip_model_text(const energy::ChipModel& model,
                            const energy::RegisterEnergy& registers) {
  const energy::ChipModel::Saving saving = model.saving(registers.saved_fraction());
  return fmt::format(
      "registers take {:.1f} % of the energy of the main register file alone; saves {:.1f} % of a "
      "multiprocessor's dynamic power, {:.1f} % of the chip's: {:.1f} of {:g} W",
      percent(1 - registers.saved_fraction()), percent(saving.of_multiprocessor),
      percent(saving.of_dynamic), saving.watts, model.watts);
}

ordered_json chip_model_to_json(const energy::ChipModel& model,
                                const energy::RegisterEnergy& registers) {
  const energy::ChipModel::Saving saving = model.saving(registers.saved_fraction());
  return {{"register_joules", energy::in_joules(registers.actual)},
          {"register_joules_in_main_file", energy::in_joules(registers.in_main_file)},
          {"saved_of_register_file", registers.saved_fraction()},
          {"saved_of_multiprocessor", saving.of_multiprocessor},
          {"saved_of_dynamic", saving.of_dynamic},
          {"saved_of_chip", saving.of_chip},
          {"saved_watts", saving.watts},
          {"chip_watts", model.watts}};
}

std::string energy_line(Margin margin, std::string_view label, const std::string& text) {
  return fmt::format("{:{}}{:{}}{}\n", "", margin.indent, label, margin.column - margin.indent,
                     text);
}

/// One line for each listed component, the largest first, and one for all others together.
std::string components_text(const energy::Account& account, ListedComponents listed,
                            Margin margin) {
  std::vector<energy::ComponentEnergy> components = account.components;
  std::stable_sort(components.begin(), components.end(),
                   [](const auto& a, const auto& b) { return a.total() > b.total(); });
  std::string lines;
  energy::Picojoules rest = 0;
  std::size_t others = 0;
  for (const energy::ComponentEnergy& component : components) {
    const double percentage = percent_of(component.total(), account.total());
    if (listed == ListedComponents::large && percentage < kMinPercent) {
      rest += component.total();
      ++others;
      continue;
    }
    lines += energy_line(
        margin, "  " + with_spaces(name_of(component.component)),
        fmt::format("{:>5.1f} %, dynamic {}, static {}", percentage,
                    microjoules(component.dynamic_energy), microjoules(component.static_energy)));
  }
  if (others == 0) return lines;
  return lines + energy_line(margin, "  others",
                             fmt::format("{:>5.1f} %, {} components; --energy all lists them",
                                         percent_of(rest, account.total()), others));
}

}  // namespace

energy::Account account_of(const TimedChip& timed, const Timing& timing) {
  return energy::account(
      *timed.technology, timed.chip.machine(),
      energy::RunCounters::from_values(timed.chip.counters(), timing.counters, timing.cycles));
}

std::vector<energy::Account> accounts_of_kinds(const TimedChip& timed, const Timing& timing) {
  std::vector<energy::Account> accounts;
  for (std::size_t i = 0; i < timing.counters_by_kind.size(); ++i) {
    accounts.push_back(energy::account_of_kind(
        *timed.technology, timed.chip.machine(), i,
        energy::RunCounters::from_values(timed.chip.counters(), timing.counters_by_kind[i],
                                         timing.cycles)));
  }
  return accounts;
}

std::string energy_text(const energy::Account& account, ListedComponents listed, Margin margin) {
  std::string lines = energy_line(
      margin, "energy",
      fmt::format("{} by {}; {:.3g} W, {:.3g} W without DRAM", microjoules(account.total()),
                  account.technology, account.watts(), account.chip_watts()));
  lines +=
      energy_line(margin, "efficiency",
                  fmt::format("{:.4g} pJ per thread instruction; energy-delay product {:.4g} Js",
                              1e12 * account.joules_per_instruction(), account.joule_seconds()));
  lines += components_text(account, listed, margin);
  if (account.chip_model) {
    lines += energy_line(margin, "  chip model",
                         chip_model_text(*account.chip_model, account.registers));
  }
  for (const std::string& estimate : account.estimated) {
    lines += energy_line(margin, "  estimated", estimate);
  }
  for (const std::string& missing : account.missing) {
    lines += energy_line(margin, "  no figure", fmt::format("{}: not included", missing));
  }
  return lines;
}

ordered_json energy_to_json(const energy::Account& account) {
  ordered_json components = ordered_json::array();
  for (const energy::ComponentEnergy& component : account.components) {
    components.push_back({{"name", name_of(component.component)},
                          {"dynamic_joules", energy::in_joules(component.dynamic_energy)},
                          {"static_joules", energy::in_joules(component.static_energy)}});
  }
  ordered_json json{{"technology", account.technology},
                    {"total_joules", energy::in_joules(account.total())},
                    {"chip_joules", energy::in_joules(account.chip_total())},
                    {"average_watts", account.watts()},
                    {"chip_average_watts", account.chip_watts()},
                    {"joules_per_thread_instruction", account.joules_per_instruction()},
                    {"energy_delay_joule_seconds", account.joule_seconds()},
                    {"thread_instructions_per_joule", account.instructions_per_joule()},
                    {"components", std::move(components)},
                    {"estimated", account.estimated},
                    {"missing", account.missing}};
  if (account.chip_model) {
    json["chip_model"] = chip_model_to_json(*account.chip_model, account.registers);
  }
  return json;
}

}  // namespace heddle
