#pragma once

// A technology: the energy of each event and the leakage of each component, with their sources.
// Technologies are declared in descriptions/technologies/, which is embedded in the program;
// docs/energy/technologies.md describes the file.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "energy/area_part.h"
#include "energy/chip_model.h"
#include "energy/component.h"
#include "energy/event.h"
#include "energy/origin.h"
#include "energy/wires.h"

namespace heddle::energy {

/// The size that selects one of an event's several figures.
enum class SizedBy : std::uint8_t {
  nothing,
  bank,     ///< Kilobytes of a bank.
  entries,  ///< Entries per thread in a small register file (ORF or RFC).
};

/// The energy of an event: one figure, or several by a size.
struct EventEnergy {
  struct Point {
    double size = 0;
    double picojoules = 0;
  };

  std::vector<Point> points{};  ///< One, or several in increasing order of size.
  SizedBy sized_by = SizedBy::nothing;
  std::uint64_t banks = 0;  ///< Number of banks of the component's storage, for SizedBy::bank.
  double times = 1;         ///< Factor on the stated figures.
  std::optional<Event> included_in{};  ///< The event whose figure includes this energy.
  std::string estimate{};  ///< Describes the error if the figure is estimated; else empty.
  Origin origin{};

  /// The energy for a size; empty if there is no figure for it. The energy is interpolated between
  /// sizes of banks, but not between numbers of entries.
  std::optional<double> picojoules(double size) const;
};

enum class PowerUnit : std::uint8_t {
  kilobyte,
  square_millimetre,
  multiprocessor,
  partition,
  chip
};

/// The leakage of a component.
struct StaticPower {
  double watts = 0;  ///< Per `unit`.
  PowerUnit unit = PowerUnit::chip;
  /// The area for PowerUnit::square_millimetre. A copy, because areas of a base are not inherited.
  std::optional<AreaPart> area{};
  std::optional<Component> included_in{};  ///< The component whose figure includes this one's.
  Origin origin{};
};

struct Technology {
  std::string name;
  std::string summary{};
  double node_nm = 0;
  double volts = 0;
  /// The machines for which this is the default technology.
  std::vector<std::string> machines{};
  ByEvent<std::optional<EventEnergy>> energies{};
  ByComponent<std::optional<StaticPower>> powers{};
  std::optional<ChipModel> chip_model{};
  std::optional<Wires> wires{};
  std::vector<AreaPart> areas{};
};

/// Throws InputError with the position of a mistake.
Technology read_technology(std::string_view text, const std::string& name, const std::string& file);

struct KnownTechnology {
  std::string_view name;
  std::string_view text;
};
/// The technologies in descriptions/technologies/, which are embedded in the program, by name.
const std::vector<KnownTechnology>& known_technologies();

/// Loads a built-in technology by its name or, if `name` ends in ".toml", a technology's file.
Technology load_technology(const std::string& name);
/// The built-in technology that lists the machine. Throws InputError with all technologies' names
/// if none does.
Technology technology_of_machine(const std::string& machine);

}  // namespace heddle::energy
