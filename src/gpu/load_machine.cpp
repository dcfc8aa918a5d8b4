// Loads a machine (a simulated GPU): finds its descriptions, applies them and the settings, and
// checks the result.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/nearest.h"
#include "config/description_file.h"
#include "config/set_parameter.h"
#include "gpu/machine.h"

namespace heddle::gpu {
namespace {

std::string file_of(const KnownMachine& machine) {
  return fmt::format("descriptions/machines/{}.toml", machine.name);
}

bool names_file(const std::string& name) {
  return name.ends_with(".toml") || name.find('/') != std::string::npos;
}

using config::DescriptionFile;

/// Returns the description with a built-in name, or in a file. The file's path is relative to the
/// folder of the file `referring_file`, unless that is empty.
DescriptionFile find_description(const std::string& name, const std::string& referring_file) {
  if (names_file(name)) {
    const std::filesystem::path path =
        referring_file.empty() ? std::filesystem::path(name)
                               : std::filesystem::path(referring_file).parent_path() / name;
    return {read_file(path.string()), path.string()};
  }
  std::vector<std::string> names;
  for (const KnownMachine& machine : known_machines()) {
    if (machine.name == name) {
      return {machine.text, file_of(machine)};
    }
    names.emplace_back(machine.name);
  }
  throw InputError(fmt::format(
      "unknown machine '{}'{} (see 'heddle list machines'; the name of a file must end in .toml)",
      name, suggestion(name, names)));
}

/// Returns a description and all descriptions that it is based on, the base first.
std::vector<DescriptionFile> find_descriptions(const std::string& name) {
  std::vector<DescriptionFile> found;
  for (std::string next = name; !next.empty();) {
    DescriptionFile description =
        find_description(next, found.empty() ? std::string() : found.back().file());
    if (std::any_of(found.begin(), found.end(), [&](const DescriptionFile& known) {
          return known.file() == description.file();
        })) {
      throw InputError(fmt::format("{}: the description is based on itself", description.file()));
    }
    next = description.heading().based_on;
    found.push_back(std::move(description));
  }
  std::reverse(found.begin(), found.end());
  return found;
}

/// Whether a setting ("key=value") sets a parameter of a group of multiprocessors.
bool is_group_setting(const std::string& setting) { return setting.starts_with("group."); }

/// Adds the groups of multiprocessors that the descriptions define. Each group starts with a copy
/// of the machine's own parameters.
void add_groups(Machine& machine, const std::vector<DescriptionFile>& descriptions) {
  for (const DescriptionFile& description : descriptions) {
    for (const std::string& name : description.group_names()) {
      const bool known = std::any_of(machine.groups.begin(), machine.groups.end(),
                                     [&](const SmGroup& group) { return group.name == name; });
      if (!known) machine.groups.push_back({.name = name, .sm = machine.sm});
    }
  }
}

}  // namespace

std::string KnownMachine::summary() const {
  return DescriptionFile(text, file_of(*this)).heading().summary;
}

Machine load_machine(const std::string& name, const std::vector<std::string>& settings) {
  const std::vector<DescriptionFile> descriptions = find_descriptions(name);
  Machine machine;
  machine.name = names_file(name) ? std::filesystem::path(name).stem().string() : name;
  machine.summary = descriptions.back().heading().summary;

  config::Declarations parameters;
  machine.declare(parameters);
  for (const DescriptionFile& description : descriptions) description.read(parameters);
  for (const std::string& setting : settings) {
    if (!is_group_setting(setting)) config::set_parameter(parameters, setting);
  }

  // Groups start as copies of the machine's parameters, which have their final values only now.
  add_groups(machine, descriptions);
  config::Declarations with_groups;
  machine.declare(with_groups);
  for (const DescriptionFile& description : descriptions) description.read_groups(with_groups);
  for (const std::string& setting : settings) {
    if (is_group_setting(setting)) config::set_parameter(with_groups, setting);
  }
  machine.check();
  return machine;
}

}  // namespace heddle::gpu
