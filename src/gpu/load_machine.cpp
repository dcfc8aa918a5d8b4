// A machine's description, from its name or file to a whole that goes together.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "base/nearest.h"
#include "config/description_file.h"
#include "gpu/machine.h"

namespace heddle::gpu {
namespace {

bool names_file(const std::string& name) {
  return name.ends_with(".toml") || name.find('/') != std::string::npos;
}

struct Source {
  std::string file;  ///< For messages.
  std::string text;
};

/// A name, or a file; that of a file is as seen from the folder of the one that names it.
Source find_source(const std::string& name, const std::string& named_by) {
  if (names_file(name)) {
    const std::filesystem::path path = named_by.empty()
                                           ? std::filesystem::path(name)
                                           : std::filesystem::path(named_by).parent_path() / name;
    return {path.string(), read_file(path.string())};
  }
  std::vector<std::string> names;
  for (const KnownMachine& machine : known_machines()) {
    if (machine.name == name) {
      return {fmt::format("machines/{}.toml", name), std::string(machine.text)};
    }
    names.emplace_back(machine.name);
  }
  throw InputError(fmt::format(
      "there is no machine '{}'{}; 'heddle list machines' shows all, and a description in a file "
      "is named with its .toml",
      name, suggestion(name, names)));
}

/// A description after all that it is based on, so that each may change what those before it say.
std::vector<Source> find_sources(const std::string& name) {
  std::vector<Source> sources;
  for (std::string next = name; !next.empty();) {
    Source source = find_source(next, sources.empty() ? std::string() : sources.back().file);
    if (std::any_of(sources.begin(), sources.end(),
                    [&](const Source& known) { return known.file == source.file; })) {
      throw InputError(fmt::format("{}: it is based on itself", source.file));
    }
    next = config::read_heading(source.text, source.file).based_on;
    sources.push_back(std::move(source));
  }
  std::reverse(sources.begin(), sources.end());
  return sources;
}

bool is_of_group(const std::string& setting) { return setting.starts_with("group."); }

/// Those that the descriptions name, each as the machine's other multiprocessors are.
void add_groups(Machine& machine, const std::vector<Source>& sources) {
  for (const Source& source : sources) {
    for (const std::string& name : config::read_group_names(source.text, source.file)) {
      const bool known = std::any_of(machine.groups.begin(), machine.groups.end(),
                                     [&](const SmGroup& group) { return group.name == name; });
      if (!known) machine.groups.push_back({.name = name, .sm = machine.sm});
    }
  }
}

}  // namespace

Machine load_machine(const std::string& name, const std::vector<std::string>& settings) {
  const std::vector<Source> sources = find_sources(name);
  Machine machine;
  machine.name = names_file(name) ? std::filesystem::path(name).stem().string() : name;
  machine.summary = config::read_heading(sources.back().text, sources.back().file).summary;

  config::Declarations parameters;
  machine.declare(parameters);
  for (const Source& source : sources) {
    config::read_description(source.text, source.file, parameters);
  }
  for (const std::string& setting : settings) {
    if (!is_of_group(setting)) config::assign(parameters, setting);
  }

  // Only now is it known what groups have in common with the others.
  add_groups(machine, sources);
  config::Declarations with_groups;
  machine.declare(with_groups);
  for (const Source& source : sources) {
    config::read_groups(source.text, source.file, with_groups);
  }
  for (const std::string& setting : settings) {
    if (is_of_group(setting)) config::assign(with_groups, setting);
  }
  machine.check();
  return machine;
}

}  // namespace heddle::gpu
