// A machine's description, from its name or file to a whole that goes together.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/nearest.h"
#include "config/assign.h"
#include "config/description_file.h"
#include "gpu/machine.h"

namespace heddle::gpu {
namespace {

std::string file_of(const KnownMachine& machine) {
  return fmt::format("machines/{}.toml", machine.name);
}

bool names_file(const std::string& name) {
  return name.ends_with(".toml") || name.find('/') != std::string::npos;
}

using config::DescriptionFile;

/// A name, or a file; that of a file is as seen from the folder of the one that names it.
DescriptionFile find_description(const std::string& name, const std::string& named_by) {
  if (names_file(name)) {
    const std::filesystem::path path = named_by.empty()
                                           ? std::filesystem::path(name)
                                           : std::filesystem::path(named_by).parent_path() / name;
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
      "there is no machine '{}'{}; 'heddle list machines' shows all, and a description in a file "
      "is named with its .toml",
      name, suggestion(name, names)));
}

/// A description after all that it is based on, so that each may change what those before it say.
std::vector<DescriptionFile> find_descriptions(const std::string& name) {
  std::vector<DescriptionFile> found;
  for (std::string next = name; !next.empty();) {
    DescriptionFile description =
        find_description(next, found.empty() ? std::string() : found.back().file());
    if (std::any_of(found.begin(), found.end(), [&](const DescriptionFile& known) {
          return known.file() == description.file();
        })) {
      throw InputError(fmt::format("{}: it is based on itself", description.file()));
    }
    next = description.heading().based_on;
    found.push_back(std::move(description));
  }
  std::reverse(found.begin(), found.end());
  return found;
}

bool is_of_group(const std::string& setting) { return setting.starts_with("group."); }

/// Those that the descriptions name, each as the machine's other multiprocessors are.
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
    if (!is_of_group(setting)) config::assign(parameters, setting);
  }

  // Only now is it known what groups have in common with the others.
  add_groups(machine, descriptions);
  config::Declarations with_groups;
  machine.declare(with_groups);
  for (const DescriptionFile& description : descriptions) description.read_groups(with_groups);
  for (const std::string& setting : settings) {
    if (is_of_group(setting)) config::assign(with_groups, setting);
  }
  machine.check();
  return machine;
}

}  // namespace heddle::gpu
