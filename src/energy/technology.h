#pragma once

// A technology: the energy of each event, the leakage of each component and the areas of parts,
// with their sources. These numbers are called figures. Technologies are TOML files in
// descriptions/technologies/, which are embedded in the program; docs/energy/technologies.md
// describes their keys.

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

/// The size of a machine that selects one of an event's figures.
enum class SizedBy : std::uint8_t {
  nothing,  ///< There is only one figure.
  bank,     ///< Kilobytes of a bank.
  entries,  ///< Entries per thread in a small register file (ORF or RFC).
};

/// The energy of an event: one figure, or one for each of several sizes.
struct EventEnergy {
  struct Point {
    double size = 0;  ///< In the unit of SizedBy; not used if there is only one figure.
    double picojoules = 0;
  };

  std::vector<Point> points{};  ///< One, or several in increasing order of size.
  SizedBy sized_by = SizedBy::nothing;
  std::uint64_t banks = 0;  ///< Number of banks of the component's storage, for SizedBy::bank.
  double times = 1;         ///< Factor on the stated figures.
  std::optional<Event> included_in{};  ///< The event whose figure includes this energy, if any.
  std::string estimate{};  ///< Describes the error if the figure is estimated; else empty.
  Origin origin{};

  /// The energy for a size; empty if there is no figure for it. Energies are interpolated between
  /// sizes of banks, but not between numbers of entries. Must not be called if `included_in` is
  /// set.
  std::optional<double> picojoules(double size) const;
};

/// The unit that has the stated leakage power, for example each kilobyte of storage.
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
  /// Set for PowerUnit::square_millimetre. It is a copy, because a technology inherits the leakage
  /// of its base, but not the areas.
  std::optional<AreaPart> area{};
  std::optional<Component> included_in{};  ///< The component whose figure includes this one's.
  Origin origin{};
};

/// The figures of one technology. Events and components without a figure are empty.
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

/// Parses `text`, the TOML of a technology. `file` is its name in messages. Throws InputError with
/// the position of a mistake.
Technology read_technology(std::string_view text, const std::string& name, const std::string& file);

/// A built-in technology: its name and the text of its file.
struct KnownTechnology {
  std::string_view name;
  std::string_view text;
};
/// The technologies in descriptions/technologies/, sorted by name.
const std::vector<KnownTechnology>& known_technologies();

/// Loads a built-in technology by its name or, if `name` ends in ".toml", a technology's file.
/// Throws InputError if there is no such technology or file.
Technology load_technology(const std::string& name);
/// The built-in technology whose `machines` contains the machine. Throws InputError with the names
/// of all technologies if there is none.
Technology technology_of_machine(const std::string& machine);

}  // namespace heddle::energy
