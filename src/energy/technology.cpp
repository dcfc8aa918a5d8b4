#include "energy/technology.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "base/nearest.h"

namespace heddle::energy {
namespace {

std::vector<std::string> names_of_known() {
  std::vector<std::string> names;
  for (const KnownTechnology& known : known_technologies()) names.emplace_back(known.name);
  return names;
}

}  // namespace

std::optional<double> EventEnergy::picojoules(double size) const {
  if (sized_by == SizedBy::nothing) return times * points.front().picojoules;
  const auto above = std::find_if(points.begin(), points.end(),
                                  [&](const Point& point) { return point.size >= size; });
  if (above == points.end()) return std::nullopt;
  if (above->size == size) return times * above->picojoules;
  if (above == points.begin() || sized_by == SizedBy::entries) return std::nullopt;
  const Point& below = *(above - 1);
  const double part = (size - below.size) / (above->size - below.size);
  return times * (below.picojoules + part * (above->picojoules - below.picojoules));
}

Technology load_technology(const std::string& name) {
  if (name.ends_with(".toml")) {
    return read_technology(read_file(name), std::filesystem::path(name).stem().string(), name);
  }
  for (const KnownTechnology& known : known_technologies()) {
    if (known.name == name) {
      return read_technology(known.text, name,
                             fmt::format("descriptions/technologies/{}.toml", name));
    }
  }
  throw InputError(
      fmt::format("unknown technology '{}'{} (see 'heddle list energies'; the name of a file must "
                  "end in .toml)",
                  name, suggestion(name, names_of_known())));
}

Technology technology_of_machine(const std::string& machine) {
  for (const std::string& name : names_of_known()) {
    Technology technology = load_technology(name);
    if (std::find(technology.machines.begin(), technology.machines.end(), machine) !=
        technology.machines.end()) {
      return technology;
    }
  }
  throw InputError(fmt::format("machine '{}' has no default technology; name one of: {}", machine,
                               fmt::join(names_of_known(), ", ")));
}

}  // namespace heddle::energy
