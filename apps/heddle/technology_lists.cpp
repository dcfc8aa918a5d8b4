#include "technology_lists.h"

#include <fmt/format.h>

namespace heddle {
namespace {

std::string size_of(energy::SizedBy sized_by, double size) {
  switch (sized_by) {
    case energy::SizedBy::nothing:
      return "";
    case energy::SizedBy::bank:
      return fmt::format(" at {:g} KB", size);
    case energy::SizedBy::entries:
      return fmt::format(" at {:g} {}", size, size == 1 ? "entry" : "entries");
  }
  return "";
}

std::string figure_of(const energy::EventEnergy& energy) {
  if (energy.included_in) {
    return fmt::format("in {}", energy::description_of(*energy.included_in).name);
  }
  std::vector<std::string> points;
  for (const energy::EventEnergy::Point& point : energy.points) {
    points.push_back(fmt::format("{:.4g} pJ{}", energy.times * point.picojoules,
                                 size_of(energy.sized_by, point.size)));
  }
  const std::string estimate = energy.estimate.empty() ? "" : ", " + energy.estimate;
  return fmt::format("{}{}", fmt::join(points, ", "), estimate);
}

std::string figure_of(const energy::StaticPower& power) {
  if (power.included_in) return fmt::format("in {}", energy::name_of(*power.included_in));
  switch (power.unit) {
    case energy::PowerUnit::kilobyte:
    case energy::PowerUnit::square_millimetre:
      return fmt::format("{:.4g} mW", 1e3 * power.watts);
    case energy::PowerUnit::multiprocessor:
    case energy::PowerUnit::partition:
    case energy::PowerUnit::chip:
      return fmt::format("{:.4g} W", power.watts);
  }
  return "";
}

std::string_view place_of(const energy::StaticPower& power) {
  switch (power.unit) {
    case energy::PowerUnit::kilobyte:
      return "KB";
    case energy::PowerUnit::square_millimetre:
      return "mm2 of the component";
    case energy::PowerUnit::multiprocessor:
      return "multiprocessor";
    case energy::PowerUnit::partition:
      return "partition of memory";
    case energy::PowerUnit::chip:
      return "chip";
  }
  return "";
}

}  // namespace

std::vector<std::vector<std::string>> rows_of_technologies() {
  std::vector<std::vector<std::string>> rows{{"TECHNOLOGY", "DEFAULT OF", "DESCRIPTION"}};
  for (const energy::KnownTechnology& known : energy::known_technologies()) {
    const energy::Technology technology = energy::load_technology(std::string(known.name));
    rows.push_back({technology.name, fmt::format("{}", fmt::join(technology.machines, " ")),
                    technology.summary});
  }
  return rows;
}

std::vector<std::vector<std::string>> rows_of_energies(const energy::Technology& technology) {
  std::vector<std::vector<std::string>> rows{{"ENERGY", "FIGURE", "PER", "TECHNOLOGY", "SOURCE"}};
  for (const std::string& name : energy::event_names()) {
    const energy::Event event = *energy::find_event(name);
    const auto& energy = technology.energies[event];
    if (!energy) continue;
    rows.push_back({name, figure_of(*energy), std::string(energy::description_of(event).unit),
                    energy->origin.technology, energy->origin.source});
  }
  for (const std::string& name : energy::component_names()) {
    const auto& power = technology.powers[*energy::find_component(name)];
    if (!power) continue;
    rows.push_back({fmt::format("leakage of {}", name), figure_of(*power),
                    std::string(place_of(*power)), power->origin.technology, power->origin.source});
  }
  return rows;
}

}  // namespace heddle
