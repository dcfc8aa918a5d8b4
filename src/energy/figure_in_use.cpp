#include "energy/figure_in_use.h"

#include <fmt/format.h>

#include "energy/entries.h"
#include "energy/sram_model.h"
#include "energy/storage.h"

namespace heddle::energy {
namespace {

/// The figure of an event that has only one.
FigureInUse only_figure(std::string_view name, const EventEnergy& energy) {
  FigureInUse figure{.picojoules = *energy.picojoules(0)};
  if (!energy.estimate.empty()) {
    figure.estimated = fmt::format("{}: {:.3g} pJ, {}", name, figure.picojoules, energy.estimate);
  }
  return figure;
}

/// The figure for a storage of `bytes` that is divided into the event's number of banks.
FigureInUse figure_of_banks(std::string_view name, const EventEnergy& energy, double bytes) {
  const double kilobytes = bytes / static_cast<double>(energy.banks) / 1024;
  if (const std::optional<double> stated = energy.picojoules(kilobytes)) {
    return {.picojoules = *stated};
  }
  const std::string where = fmt::format("{} with banks of {:g} KB", name, kilobytes);
  if (!SramModel::can_fit(energy.points)) return {.missing = where};
  const SramModel model(energy.points);
  const double estimate = energy.times * model.picojoules(kilobytes);
  return {
      .picojoules = estimate,
      .estimated = fmt::format("{}: {:.3g} pJ, from a curve that fits the table within {:.0f} %",
                               where, estimate, 100 * model.error())};
}

}  // namespace

FigureInUse figure_by_entries(std::string_view name, const EventEnergy& energy,
                              const std::set<double>& entries) {
  if (entries.empty()) return {.missing = fmt::format("{} on a machine without entries", name)};
  const std::optional<double> stated =
      entries.size() == 1 ? energy.picojoules(*entries.begin()) : std::nullopt;
  if (stated) return {.picojoules = *stated};
  return {.missing = fmt::format("{} with {:g} entries", name, fmt::join(entries, " and "))};
}

FigureInUse figure_in_use(Event event, const EventEnergy& energy, const gpu::Machine& machine) {
  const EventDescription& description = description_of(event);
  switch (energy.sized_by) {
    case SizedBy::nothing:
      return only_figure(description.name, energy);
    case SizedBy::bank:
      return figure_of_banks(description.name, energy,
                             mean_bank_bytes(machine, description.component));
    case SizedBy::entries:
      return figure_by_entries(description.name, energy, cost_entries(machine));
  }
  return {};
}

}  // namespace heddle::energy
