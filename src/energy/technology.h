#pragma once

// A technology: what each event takes, what each component leaks, and who says so. They are
// declared in technologies/, which is part of the program; docs/energy.md describes the file.

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

/// Which size of a machine tells one of several figures.
enum class SizedBy : std::uint8_t {
  nothing,
  bank,     ///< Kilobytes of one.
  entries,  ///< Of a thread, in a small file of registers.
};

/// What an event takes: one figure, or one that goes by a size.
struct EventEnergy {
  struct Point {
    double size = 0;
    double picojoules = 0;
  };

  std::vector<Point> points{};  ///< One, or several by rising size.
  SizedBy sized_by = SizedBy::nothing;
  std::uint64_t banks = 0;  ///< In which the component's storage lies, where they have a size.
  double times = 1;         ///< How many of what is stated an event takes.
  std::optional<Event> included_in{};  ///< It is part of that event's figure: it has none.
  std::string estimate{};  ///< How good its one figure is, where no table has it; else empty.
  Origin origin{};

  /// Of such a size; between those of banks it is interpolated. Empty where nothing is stated.
  std::optional<double> picojoules(double size) const;
};

enum class PowerOf : std::uint8_t { kilobyte, square_millimetre, multiprocessor, partition, chip };

/// What a component takes whether or not anything happens.
struct StaticPower {
  double watts = 0;  ///< Of each.
  PowerOf of = PowerOf::chip;
  std::optional<AreaPart>
      area{};  ///< Where it goes by it. A copy: a base's areas are not taken over.
  std::optional<Component> included_in{};  ///< It is part of that component's figure.
  Origin origin{};
};

struct Technology {
  std::string name;
  std::string summary{};
  double node_nm = 0;
  double volts = 0;
  /// Those that are accounted with it where no technology is asked for.
  std::vector<std::string> machines{};
  ByEvent<std::optional<EventEnergy>> energies{};
  ByComponent<std::optional<StaticPower>> powers{};
  std::optional<ChipModel> chip_model{};
  std::optional<Wires> wires{};
  std::vector<AreaPart> areas{};
};

/// Throws InputError with the place for what is not right in it.
Technology read_technology(std::string_view text, const std::string& name, const std::string& file);

struct KnownTechnology {
  std::string_view name;
  std::string_view text;
};
/// Those of technologies/, which are part of the program, by name.
const std::vector<KnownTechnology>& known_technologies();

/// The technology of a built-in name or, where `name` ends in ".toml", of a file.
Technology load_technology(const std::string& name);
/// The built-in one that names the machine. Throws InputError, with all there are, where none does.
Technology technology_of_machine(const std::string& machine);

}  // namespace heddle::energy
