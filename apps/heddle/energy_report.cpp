#include "energy_report.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle {
namespace {

using nlohmann::ordered_json;

double share(energy::Picojoules part, energy::Picojoules whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

/// To the picojoule, so that what is shown adds up.
std::string microjoules(energy::Picojoules energy) {
  return fmt::format("{}.{:06} uJ", energy / 1'000'000, energy % 1'000'000);
}

std::string words(std::string_view name) {
  std::string text(name);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

}  // namespace

energy::Account account_of(const TimedChip& timed, const Timing& timing) {
  return energy::account(
      *timed.technology, timed.chip.machine(),
      energy::Counted::of(timed.chip.counters(), timing.counters, timing.cycles));
}

std::string energy_text(const energy::Account& account, Margin margin) {
  const auto line = [&](std::string_view label, const std::string& text) {
    return fmt::format("{:{}}{:{}}{}\n", "", margin.indent, label, margin.column - margin.indent,
                       text);
  };
  std::string lines = line("energy", fmt::format("{} as of {}; {:.3g} W, {:.3g} W without DRAM",
                                                 microjoules(account.total()), account.technology,
                                                 account.watts(), account.chip_watts()));
  lines += line("energy of work",
                fmt::format("{:.4g} pJ a thread instruction; energy times delay {:.4g} Js; {:.4g} "
                            "thread instructions a joule",
                            1e12 * account.joules_an_instruction(), account.joule_seconds(),
                            account.instructions_a_joule()));
  for (const energy::ComponentEnergy& component : account.components) {
    lines += line(
        "  " + words(name_of(component.component)),
        fmt::format("{:>5.1f} %, dynamic {}, static {}", share(component.total(), account.total()),
                    microjoules(component.dynamic_energy), microjoules(component.static_energy)));
  }
  for (const std::string& estimate : account.estimated) lines += line("  estimated", estimate);
  for (const std::string& missing : account.missing) {
    lines += line("  no figure", fmt::format("{}: in no sum", missing));
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
  return {{"technology", account.technology},
          {"total_joules", energy::in_joules(account.total())},
          {"chip_joules", energy::in_joules(account.of_chip())},
          {"average_watts", account.watts()},
          {"chip_average_watts", account.chip_watts()},
          {"joules_per_thread_instruction", account.joules_an_instruction()},
          {"energy_delay_joule_seconds", account.joule_seconds()},
          {"thread_instructions_per_joule", account.instructions_a_joule()},
          {"components", std::move(components)},
          {"estimated", account.estimated},
          {"missing", account.missing}};
}

}  // namespace heddle
